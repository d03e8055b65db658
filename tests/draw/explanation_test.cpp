#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/explanation_panels.h"
#include "draw/layout.h"
#include "draw/raster.h"
#include "explain/support.h"
#include "sprig/draw_explanation.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using sprig::testing::count_of;
using sprig::testing::xml_fault;
using test::both;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string drawn(const Learner& learner, std::size_t image) {
    const ImageView view = test::digits().image(image);
    return draw_explanation(explain_local(learner, view), {.name = test::digits().name(image)});
}

TEST(ExplanationFigures, AreSoundAndTheSameEveryTime) {
    for (const Learner* learner : both())
        for (std::size_t image = test::learned; image < test::learned + 25; ++image) {
            const std::string svg = drawn(*learner, image);
            EXPECT_EQ(xml_fault(svg), "") << image;
            EXPECT_EQ(svg, drawn(*learner, image));
            if (image % 5 == 0) {
                EXPECT_FALSE(draw::render_png(svg, 1).empty());
            }
        }
}

TEST(ExplanationFigures, SayWhatTheExplanationSays) {
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, test::digits().image(415));
        ASSERT_TRUE(all.change->found());
        ASSERT_GT(all.decisive, 0U);
        const std::string svg = draw_explanation(all, {.name = "an image", .label = "8"});
        EXPECT_THAT(svg, HasSubstr(fmt::format("Why {}, and not {}: an image, label 8", all.best->label,
                                               all.other->label)));
        for (const std::string& sentence : sentences(all))
            EXPECT_THAT(svg, HasSubstr(draw::wrapped(sentence, 12, 900).front()));
        // One on the shape and one in the list for each.
        EXPECT_EQ(count_of(svg, "class=\"badge\""), 2 * (all.decisive + all.change->added.size()));
        EXPECT_EQ(count_of(svg, "class=\"legend\""), 1U);
        EXPECT_GT(count_of(svg, "class=\"bar\""), 2U);
        EXPECT_GT(count_of(svg, "class=\"worth\""), 4U);
        EXPECT_GT(count_of(svg, "class=\"missing\""), 0U);
    }
}

TEST(ExplanationFigures, NeedNoImage) {
    for (const Learner* learner : both()) {
        const std::string svg = draw_explanation(explain_local(*learner, test::network_of(*learner, 402)));
        EXPECT_EQ(xml_fault(svg), "");
        EXPECT_THAT(svg, HasSubstr("class=\"contour\""));
        EXPECT_THAT(svg, Not(HasSubstr("class=\"input\"")));
    }
}

TEST(ExplanationFigures, OfLittleSayLittle) {
    Constellation model;
    const ImageView image = test::digits().image(0);
    const std::string nothing = draw_explanation(explain_local(model, image));
    EXPECT_EQ(xml_fault(nothing), "");
    EXPECT_THAT(nothing, HasSubstr("The model knows no class"));
    model.learn(FrontEnd(model.front_end())(image), "a <b>");
    const std::string one = draw_explanation(explain_local(model, image));
    EXPECT_EQ(xml_fault(one), "");
    EXPECT_THAT(one, HasSubstr("Why a &lt;b&gt;"));
    EXPECT_THAT(one, HasSubstr("knows no other class"));
    model.add_class("never seen");
    EXPECT_THAT(draw_explanation(explain_local(model, image)), HasSubstr("nothing was learned of it yet"));
    const Image blank(28, 28);
    for (const Learner* learner : both())
        EXPECT_EQ(xml_fault(draw_explanation(explain_local(*learner, blank.view()))), "");
}

TEST(ExplanationFigures, OfNonsenseAreRefused) {
    const LocalExplanation all = explain_local(*both().front(), test::digits().image(0));
    EXPECT_THROW((void)draw_explanation(all, {.units = 0}), Error);
    EXPECT_THROW((void)draw_explanation(all, {.bars = 0}), Error);
    EXPECT_THROW((void)draw_explanation(all, {.panel = 5}), Error);
}

TEST(ClassFigures, ShowMatureUnitsAndTheirTree) {
    for (const Learner* learner : both()) {
        const GlobalExplanation all = explain_global(*learner);
        for (const ClassSummary& known : all.classes) {
            const std::string svg = draw_class(all, known.label);
            EXPECT_EQ(xml_fault(svg), "");
            EXPECT_EQ(svg, draw_class(all, known.label));
            EXPECT_THAT(svg, HasSubstr("What " + known.label + " is"));
            for (std::size_t i = 0; i < std::min<std::size_t>(known.mature.size(), 8); ++i)
                EXPECT_THAT(svg, HasSubstr(fmt::format("data-lineage=\"{:016x}\"",
                                                       all.units[known.mature[i]].lineage)));
        }
    }
    const GlobalExplanation modeller = explain_global(*both().back());
    EXPECT_GT(count_of(draw_class(modeller, "4"), "class=\"branch\""), 5U);
    EXPECT_FALSE(draw::render_png(draw_class(modeller, "4"), 1).empty());
    EXPECT_EQ(count_of(draw_class(explain_global(*both().front()), "4"), "class=\"branch\""), 0U);
}

TEST(ClassFigures, OfYoungClassesShowTheMostObservedUnit) {
    Constellation model;
    model.add_class("new");
    EXPECT_THAT(draw_class(explain_global(model), "new"), HasSubstr("Nothing was learned"));
    model.learn(FrontEnd(model.front_end())(test::digits().image(0)), "new");
    const std::string svg = draw_class(explain_global(model), "new");
    EXPECT_THAT(svg, HasSubstr("the most observed one is shown"));
    EXPECT_EQ(count_of(svg, "data-lineage"), 1U);
    EXPECT_THROW((void)draw_class(explain_global(model), "other"), Error);
    EXPECT_THROW((void)draw_class(explain_global(model), "new", {.units = 0}), Error);
}

TEST(ExplanationWords, ArePlain) {
    const auto schema = front_end_schema({.directions = 4});
    const draw::Reading reading = draw::reading_of(*schema, {});
    EXPECT_EQ(draw::type_words(ChangeKind{0, true, true}.index(), *schema, reading), "bulge right");
    EXPECT_EQ(draw::type_words(ChangeKind{2, false, false}.index(), *schema, reading), "dent up");
    EXPECT_EQ(draw::type_words(ChangeKind{1, false, true}.index(), *schema, reading), "bulge up-left");
    EXPECT_EQ(draw::place_words({0, 0, 30}, 1, 29), "bottom left");
    EXPECT_EQ(draw::place_words({0, 0, 30}, 15, 15), "middle");
    EXPECT_EQ(draw::place_words({0, 0, 30}, 99, -5), "top right");
    EXPECT_EQ(draw::signed_number(-0.04), "0.0");
    EXPECT_EQ(draw::signed_number(2.25), "+2.2");
    EXPECT_THAT(draw::wrapped("one two  three", 10, 45), ElementsAre("one two", "three"));
}

} // namespace
} // namespace sprig

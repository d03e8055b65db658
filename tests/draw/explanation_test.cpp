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

TEST(ExplanationFigures, AreValidAndDeterministic) {
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

TEST(ExplanationFigures, ContainTheSentencesAndMarks) {
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, test::digits().image(415));
        ASSERT_TRUE(all.change->found());
        ASSERT_GT(all.decisive_count, 0U);
        const std::string svg = draw_explanation(all, {.name = "an image", .label = "8"});
        EXPECT_THAT(svg, HasSubstr(fmt::format("Why {}, and not {}: an image, label 8", all.best->label,
                                               all.other->label)));
        for (const std::string& sentence : sentences(all))
            EXPECT_THAT(svg, HasSubstr(draw::wrap_text(sentence, 12, 900).front()));
        // Each badge is on the shape and in the list.
        EXPECT_EQ(count_of(svg, "class=\"badge\""), 2 * (all.decisive_count + all.change->added.size()));
        EXPECT_EQ(count_of(svg, "class=\"ghost\""),
                  learner->name() == "constellation" ? all.change->added.size() : 0U);
        EXPECT_EQ(count_of(svg, "class=\"legend\""), 1U);
        EXPECT_GT(count_of(svg, "class=\"bar\""), 2U);
        EXPECT_GT(count_of(svg, "class=\"value-disc\""), 4U);
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

TEST(ExplanationFigures, OfFewClassesAreShort) {
    Constellation model;
    const ImageView image = test::digits().image(0);
    const std::string nothing = draw_explanation(explain_local(model, image));
    EXPECT_EQ(xml_fault(nothing), "");
    EXPECT_THAT(nothing, HasSubstr("the model has no classes yet"));
    model.learn(FrontEnd(model.front_end())(image), "a <b>");
    const std::string one = draw_explanation(explain_local(model, image));
    EXPECT_EQ(xml_fault(one), "");
    EXPECT_THAT(one, HasSubstr("Why a &lt;b&gt;"));
    EXPECT_THAT(one, HasSubstr("The model has no other class"));
    model.add_class("never seen");
    EXPECT_THAT(draw_explanation(explain_local(model, image)), HasSubstr("nothing learned yet"));
    const Image blank(28, 28);
    for (const Learner* learner : both())
        EXPECT_EQ(xml_fault(draw_explanation(explain_local(*learner, blank.view()))), "");
}

TEST(ExplanationFigures, WithInvalidOptionsAreRejected) {
    const LocalExplanation all = explain_local(*both().front(), test::digits().image(0));
    EXPECT_THROW((void)draw_explanation(all, {.max_units = 0}), Error);
    EXPECT_THROW((void)draw_explanation(all, {.max_bars = 0}), Error);
    EXPECT_THROW((void)draw_explanation(all, {.panel = 5}), Error);
}

TEST(ClassFigures, ShowMatureUnitsAndTheirTree) {
    for (const Learner* learner : both()) {
        const GlobalExplanation all = explain_global(*learner);
        for (const ClassSummary& known : all.classes) {
            const std::string svg = draw_class(all, known.label);
            EXPECT_EQ(xml_fault(svg), "");
            EXPECT_EQ(svg, draw_class(all, known.label));
            EXPECT_THAT(svg, HasSubstr("What was learned about class " + known.label));
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
    EXPECT_THAT(draw_class(explain_global(model), "new"), HasSubstr("Nothing has been learned"));
    model.learn(FrontEnd(model.front_end())(test::digits().image(0)), "new");
    const std::string svg = draw_class(explain_global(model), "new");
    EXPECT_THAT(svg, HasSubstr("the most observed one is shown"));
    EXPECT_EQ(count_of(svg, "data-lineage"), 1U);
    EXPECT_THROW((void)draw_class(explain_global(model), "other"), Error);
    EXPECT_THROW((void)draw_class(explain_global(model), "new", {.max_units = 0}), Error);
}

TEST(ExplanationText, DescribesTypesAndPositions) {
    const auto schema = front_end_schema({.directions = 4});
    const draw::SchemaStyle style = draw::schema_style(*schema, {});
    EXPECT_EQ(draw::describe_type(ChangeKind{0, true, true}.index(), *schema, style), "bulge right");
    EXPECT_EQ(draw::describe_type(ChangeKind{2, false, false}.index(), *schema, style), "dent up");
    EXPECT_EQ(draw::describe_type(ChangeKind{1, false, true}.index(), *schema, style), "bulge up-left");
    EXPECT_EQ(draw::describe_position({0, 0, 30}, 1, 29), "bottom left");
    EXPECT_EQ(draw::describe_position({0, 0, 30}, 15, 15), "middle");
    EXPECT_EQ(draw::describe_position({0, 0, 30}, 99, -5), "top right");
    EXPECT_EQ(draw::format_signed(-0.04), "0.0");
    EXPECT_EQ(draw::format_signed(2.25), "+2.2");
    EXPECT_THAT(draw::wrap_text("one two  three", 10, 45), ElementsAre("one two", "three"));
}

} // namespace
} // namespace sprig

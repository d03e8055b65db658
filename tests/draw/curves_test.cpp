#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/plot.h"
#include "draw/raster.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using testing::count_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const double nothing = std::nan("");

/// Three classes that come one after the other, over three cycles.
CurvePlot three_classes() {
    CurvePlot plot{.title = "Retention", .curves = {}, .per_cycle = 3};
    for (std::size_t label = 0; label < 3; ++label) {
        Curve curve{"class " + std::to_string(label), {}};
        for (std::size_t i = 0; i < 9; ++i)
            curve.values.push_back(i < label ? nothing : 0.5 + (0.05 * static_cast<double>(label)));
        plot.curves.push_back(curve);
    }
    return plot;
}

/// The outline of the curve of that name, as SVG writes it.
std::string outline_of(const std::string& svg, const std::string& name) {
    const std::size_t title = svg.find("<title>" + name + "</title></path>");
    if (title == std::string::npos) return {};
    const std::size_t begin = svg.rfind(" d=\"", title) + 4;
    return svg.substr(begin, svg.find('"', begin) - begin);
}

/// What is refused, in words.
std::string refusal(const CurvePlot& plot, const RetentionOptions& options = {}) {
    try {
        (void)draw_retention(plot, options);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return error.what();
    }
    return {};
}

TEST(Retention, HasALineForEachClassAndOneForTheMean) {
    const std::string svg = draw_retention(three_classes());
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"curve\""), 4U);
    EXPECT_EQ(count_of(svg, "class=\"band\""), 1U) << "the second cycle of three";
    for (const char* words : {">Retention<", ">class 0<", ">class 2<", ">mean<", ">accuracy<", ">0.0<",
                              ">0.2<", ">1.0<", ">0.60<", ">cycle of 3 evaluations<"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_EQ(count_of(outline_of(svg, "class 0"), "L"), 8U);
    EXPECT_EQ(count_of(outline_of(svg, "class 2"), "L"), 6U);
    EXPECT_EQ(count_of(draw_retention(three_classes(), {.mean = false}), "class=\"curve\""), 3U);
    EXPECT_EQ(svg.find(" id="), std::string::npos);
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
    EXPECT_EQ(svg, draw_retention(three_classes()));
}

TEST(Retention, MeanIsOverTheClassesSeen) {
    const CurvePlot plot{.title = "",
                         .curves = {{"a", {0.25, 0.25, nothing}}, {"b", {nothing, 0.75, nothing}}},
                         .per_cycle = 0};
    const CurvePlot expected{.title = "", .curves = {{"mean", {0.25, 0.5, nothing}}}, .per_cycle = 0};
    const auto height_of_end = [](const std::string& outline) {
        return outline.substr(outline.rfind(' ') + 1);
    };
    EXPECT_EQ(height_of_end(outline_of(draw_retention(plot), "mean")),
              height_of_end(outline_of(draw_retention(expected, {.mean = false}), "mean")));
}

TEST(Retention, LeavesGapsWhereNothingWasMeasured) {
    const CurvePlot plot{.title = "gaps",
                         .curves = {{"a", {nothing, 0.1, 0.2, nothing, 0.3, nothing, 0.4, 0.5, 0.6}}},
                         .per_cycle = 0};
    const std::string svg = draw_retention(plot, {.mean = false});
    const std::string outline = outline_of(svg, "a");
    EXPECT_EQ(count_of(outline, "M"), 2U);
    EXPECT_EQ(count_of(outline, "L"), 3U);
    EXPECT_EQ(count_of(svg, "<circle"), 1U) << "a value alone is a dot";
    EXPECT_THAT(svg, HasSubstr(">evaluation<"));
    EXPECT_EQ(count_of(svg, "class=\"band\""), 0U);
}

TEST(Retention, ColumnsMayHaveNames) {
    CurvePlot plot = three_classes();
    plot.per_cycle = 0;
    plot.columns = {"10", "50", "a & b"};
    plot.x_title = "samples";
    const std::string svg = draw_retention(plot);
    EXPECT_EQ(testing::xml_fault(svg), "");
    for (const char* text : {">10<", ">50<", ">a &amp; b<", ">samples<"}) EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_THAT(svg, Not(HasSubstr(">evaluation<")));
    plot.y_title = "mistakes";
    EXPECT_THAT(draw_growth(plot), HasSubstr("How many mistakes, by samples."));
}

TEST(Retention, DoesNotNameACurveThatWasNeverMeasured) {
    const CurvePlot plot{.title = "", .curves = {{"known", {0.5}}, {"unknown", {nothing}}, {"empty", {}}}};
    const std::string svg = draw_retention(plot);
    EXPECT_THAT(svg, HasSubstr(">known<"));
    EXPECT_THAT(svg, Not(HasSubstr("unknown")));
    EXPECT_THAT(svg, Not(HasSubstr("empty")));
}

TEST(Retention, MarksWhereAClassWasLearned) {
    const std::vector<std::size_t> learned = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const std::string svg = draw_retention(three_classes(), {.learned = learned});
    EXPECT_EQ(count_of(svg, "<circle"), 10U) << "nine and the one that explains them";
    EXPECT_THAT(svg, HasSubstr("just after its own class"));
    EXPECT_THAT(refusal(three_classes(), {.learned = {3}}), HasSubstr("only 3 curves"));
}

TEST(Retention, KeepsNamesApartAndInside) {
    CurvePlot plot{.title = "", .curves = {}};
    for (int i = 0; i < 11; ++i) plot.curves.push_back({"name" + std::to_string(i), {1, 1}});
    const std::string svg = draw_retention(plot, {.mean = false});
    std::vector<double> heights;
    for (const Curve& curve : plot.curves) {
        const std::size_t words = svg.find(">" + curve.name + "<");
        const std::size_t begin = svg.rfind(" y=\"", words) + 4;
        heights.push_back(std::stod(svg.substr(begin)));
    }
    for (std::size_t i = 1; i < heights.size(); ++i) EXPECT_GE(heights[i] - heights[i - 1], 14.9);
    EXPECT_GT(heights.front(), 0);
    EXPECT_LT(heights.back(), plot.height);
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 2U) << "the eleventh line and its sample are dashed";
}

TEST(Retention, EscapesNames) {
    const CurvePlot plot{.title = "a < b", .notes = {"R&D"}, .curves = {{"<i>", {0.5, 0.5}}}};
    const std::string svg = draw_retention(plot);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("&lt;i&gt;"));
    EXPECT_THAT(svg, HasSubstr(">R&amp;D<"));
    EXPECT_THAT(svg, Not(HasSubstr("<i>")));
}

TEST(Retention, RefusesWhatCannotBeDrawn) {
    EXPECT_THAT(refusal({.title = "", .curves = {}}), HasSubstr("nothing to plot"));
    EXPECT_THAT(refusal({.title = "", .curves = {{"a", {nothing}}}}), HasSubstr("nothing to plot"));
    EXPECT_THAT(refusal({.title = "", .curves = {{"a", {1.5}}}}), HasSubstr("1.5 of the curve a"));
    EXPECT_THAT(refusal({.title = "", .curves = {{"a", {HUGE_VAL}}}}), HasSubstr("accuracy"));
    EXPECT_THAT(refusal({.title = "", .curves = {{"a", {1}}}, .width = nothing}), HasSubstr("choose"));
    EXPECT_THAT(refusal({.title = "", .curves = {{"a", {1}}}, .per_cycle = ~std::size_t{0}}),
                HasSubstr("cycle"));
    const std::vector<std::string> notes(20, "a line");
    EXPECT_THAT(refusal({.title = "", .notes = notes, .curves = {{"a", {1}}}}), HasSubstr("no room"));
}

TEST(Growth, ShowsCounts) {
    const std::array<Census, 3> counts = {Census{1, 0}, Census{800, 150}, Census{1200, 300}};
    const std::vector<Curve> curves = growth_curves(counts);
    ASSERT_EQ(curves.size(), 3U);
    EXPECT_THAT(curves[0].values, ElementsAre(1, 950, 1500));
    EXPECT_THAT(curves[2].values, ElementsAre(0, 150, 300));
    const std::string svg = draw_growth({.title = "Growth", .curves = curves, .per_cycle = 1});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"curve\""), 3U);
    for (const char* words : {">units<", ">positive<", ">negative<", ">1,500<", ">1,200<", ">500<", ">0<"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
    EXPECT_EQ(svg, draw_growth({.title = "Growth", .curves = curves, .per_cycle = 1}));
}

TEST(Growth, RefusesNegativeCountsAndNothing) {
    EXPECT_THROW((void)draw_growth({.title = "", .curves = {}}), Error);
    EXPECT_THROW((void)draw_growth({.title = "", .curves = {{"units", {-1}}}}), Error);
    EXPECT_NO_THROW((void)draw_growth({.title = "", .curves = {{"units", {0}}}}));
}

TEST(CountScale, IsRound) {
    EXPECT_EQ(draw::count_scale(1500, "").step, 500);
    EXPECT_EQ(draw::count_scale(1500, "").top, 1500);
    EXPECT_EQ(draw::count_scale(1501, "").top, 2000);
    EXPECT_EQ(draw::count_scale(7, "").top, 8);
    EXPECT_EQ(draw::count_scale(0, "").top, draw::count_scale(0, "").step);
}

} // namespace
} // namespace sprig

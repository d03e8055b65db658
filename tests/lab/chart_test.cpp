#include "lab/report/chart.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

using testing::HasSubstr;
using testing::Not;

Chart some_chart() {
    Chart chart{"A \"title\" with \\ and\na line", "x", "y", {}};
    chart.lines = {{"first", {0, 1, 2}, {1, std::nan(""), 3}, {.1, .1, .1}, true},
                   {"second", {0, 1, 2}, {3, 2, 1}}};
    chart.x_range = {0, 2};
    chart.band = .5;
    return chart;
}

TEST(Chart, ItsScriptHasAllNumbers) {
    const std::string script = gnuplot_script(some_chart());
    EXPECT_THAT(script, HasSubstr("0 1 0.9 1.1\n1 NaN NaN NaN\n2 3 2.9 3.1\n"));
    EXPECT_THAT(script, HasSubstr("0 3 3 3\n1 2 2 2\n2 1 1 1\n"));
    EXPECT_THAT(script, HasSubstr("set xrange [0:2]"));
    EXPECT_THAT(script, HasSubstr(R"(set title "A \"title\" with \\ and a line")"));
    EXPECT_EQ(script, gnuplot_script(some_chart()));
}

TEST(Chart, ARangeMayBeOpen) {
    Chart chart = some_chart();
    chart.y_range = {0, std::numeric_limits<double>::infinity()};
    EXPECT_THAT(gnuplot_script(chart), HasSubstr("set yrange [0:*]"));
}

TEST(Chart, EachAxisMayBeLogarithmic) {
    Chart chart = some_chart();
    EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("set logscale")));
    chart.logarithmic_y = true;
    EXPECT_THAT(gnuplot_script(chart), HasSubstr("set logscale y\n"));
    EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("set logscale x")));
}

TEST(Chart, BandsBelongToLinesWithASpread) {
    const std::string script = gnuplot_script(some_chart());
    EXPECT_THAT(script, HasSubstr("$line0 using 1:3:4 with filledcurves"));
    EXPECT_THAT(script, Not(HasSubstr("$line1 using 1:3:4")));
    EXPECT_THAT(script, HasSubstr("rectangle from 0.5,graph 0 to 1,graph 1"));
    EXPECT_THAT(script, HasSubstr("rectangle from 1.5,graph 0 to 2,graph 1"));
}

TEST(Chart, NamesMayStandInPlaceOfNumbers) {
    Chart chart = some_chart();
    chart.x_names = {"ten", "a hundred"};
    EXPECT_THAT(gnuplot_script(chart), HasSubstr(R"(set xtics ("ten" 0, "a hundred" 1))"));
}

TEST(Chart, RefusesWhatCannotBeDrawn) {
    EXPECT_THROW((void)gnuplot_script({"empty", "x", "y", {}}), Error);
    EXPECT_THROW((void)gnuplot_script({"uneven", "x", "y", {{"line", {1, 2}, {1}}}}), Error);
    EXPECT_THROW((void)gnuplot_script({"uneven", "x", "y", {{"line", {1, 2}, {1, 2}, {1}}}}), Error);
}

TEST(Chart, IsDrawnByGnuplot) {
    if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
    const std::string svg = draw_chart(some_chart());
    EXPECT_THAT(svg, HasSubstr("<svg"));
    EXPECT_THAT(svg, HasSubstr("second"));
    EXPECT_EQ(svg, draw_chart(some_chart()));
}

} // namespace

} // namespace sprig::lab

#include "lab/figures.h"

#include <gmock/gmock.h>

namespace sprig::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A run of one cycle of two classes, with so many units after each block.
SeedRun run_with(const Census& first, const Census& last) {
    SeedRun run{0, {}, {}, AccuracyMatrix(1, 2)};
    run.checkpoints = {{0, 0, {{4, 0}, {4, 4}, {}}, {}, {}}, {0, 1, {{4, 4}, {4, 4}, {}}, {}, {}}};
    run.checkpoints[0].units.all = first;
    run.checkpoints[1].units.all = last;
    return run;
}

Description description(EvaluateAt evaluate = EvaluateAt::blocks) {
    Description what;
    what.learner = "somebody";
    what.protocol = {.cycles = 1, .held_out_per_class = 4, .evaluate = evaluate};
    what.classes = {"a", "b"};
    return what;
}

TEST(GrowthFigure, OfALearnerWithNegativeUnitsIsByPolarity) {
    const std::string svg =
        script_of(*growth_figure(description(), Results({run_with({1, 0, 1}, {3, 2, 1})})));
    for (const char* name : {"title \"units\"", "title \"positive\"", "title \"negative\""})
        EXPECT_THAT(svg, HasSubstr(name));
    EXPECT_THAT(svg, Not(HasSubstr("singletons")));
}

TEST(GrowthFigure, OfALearnerWithoutThemShowsTheSingletons) {
    const SeedRun one = run_with({1, 0, 1}, {13, 0, 3});
    const std::string svg = script_of(*growth_figure(description(), Results({one})));
    for (const char* name : {"title \"units\"", "title \"singletons"}) EXPECT_THAT(svg, HasSubstr(name));
    for (const char* name : {"positive", "negative"}) EXPECT_THAT(svg, Not(HasSubstr(name)));
    // It is their number that is drawn: with more of them the same figure is another one.
    EXPECT_NE(svg, script_of(*growth_figure(description(), Results({run_with({1, 0, 1}, {13, 0, 6})}))));
}

TEST(GrowthFigure, OneSeedWithANegativeUnitIsEnough) {
    const Results results({run_with({1, 0, 1}, {3, 0, 1}), run_with({1, 0, 1}, {3, 1, 1})});
    EXPECT_THAT(script_of(*growth_figure(description(), results)), HasSubstr("title \"negative\""));
}

TEST(GrowthFigure, IsThereOnlyIfEveryBlockWasEvaluated) {
    const Results results({run_with({1, 0, 1}, {3, 0, 1})});
    EXPECT_FALSE(growth_figure(description(EvaluateAt::cycles), results).has_value());
}

} // namespace
} // namespace sprig::lab

#include <gmock/gmock.h>

#include "lab/studies/paper_stream.h"
#include "lab/studies/studies.h"
#include "support/histogram/histogram.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The lab can run any registered learner.
TEST(AThirdLearner, IsRunByTheLab) {
    test::register_histogram();
    StudyContext context;
    context.seeds = {0, 1};
    CustomStream custom;
    custom.learners = {{"histogram", "plain"}, {"histogram", "soft", {{"scale", "2"}}}};
    custom.protocol = {.cycles = 2, .per_block = 3, .held_out_per_class = 3};
    const StudyResult result = run_custom_stream(context, custom);
    ASSERT_EQ(result.figures.size(), 2U);
    EXPECT_THAT(result.figures[0].svg, HasSubstr("histogram, plain, seed 0"));
    const StudyTable& measures = result.tables.back();
    EXPECT_THAT(measures.header, testing::Contains("histogram, plain"));
    EXPECT_FALSE(result.failure);
}

TEST(AThirdLearner, IsChosenInAStudy) {
    test::register_histogram();
    StudyContext context;
    context.chosen = {"histogram", "plain"};
    context.seeds = {0};
    context.held_out = HeldOut::dev;
    context.limit = 60;
    const StudyResult result = study_called("probabilities").run(context);
    EXPECT_FALSE(result.tables.empty());
}

} // namespace
} // namespace sprig::lab

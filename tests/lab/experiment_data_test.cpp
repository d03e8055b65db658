#include "lab/protocol/experiment_data.h"

#include <gmock/gmock.h>

#include "lab/studies/digits.h"
#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::HasSubstr;

TEST(ExperimentData, HeldOutImagesAreNeverInThePool) {
    for (const HeldOut held_out : {HeldOut::dev, HeldOut::t10k}) {
        try {
            DataOptions{Pool::all, held_out}.check();
            ADD_FAILURE() << name_of(held_out);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_THAT(error.what(), HasSubstr("--pool train"));
        }
        DataOptions{Pool::train, held_out}.check();
        EXPECT_THROW((void)load_data({Pool::all, held_out}), Error);
    }
    DataOptions{Pool::all, HeldOut::paper}.check();
}

TEST(ExperimentData, ThePapersPool) {
    const ExperimentData data = load_data({});
    EXPECT_EQ(data.dataset.size(), 70000U);
    EXPECT_EQ(data.pool.size(), 61263U);
    EXPECT_FALSE(data.large);
    EXPECT_EQ(data.large_size(), 0U);
}

TEST(ExperimentData, DevelopmentImagesAreTheLastOfTheTrainingPart) {
    const FrontEndParams four = {.directions = 4};
    ExperimentData data = load_data({Pool::train, HeldOut::dev, false});
    build_large({}, data, four);
    EXPECT_EQ(data.pool.size(), 50000U);
    EXPECT_EQ(data.pool.back(), 49999U);
    ASSERT_TRUE(data.large);
    EXPECT_EQ(data.large_size(), 10000U);
    // The first of its class among them, seen with the learner's front end.
    std::size_t first = 50000;
    while (data.dataset.label(first) != 3) ++first;
    EXPECT_EQ((*data.large)[3].front(), FrontEnd(four)(data.dataset.image(first)));
    EXPECT_EQ(data.front_end, four);
}

TEST(ExperimentData, TheFilterIsThePapersWhateverTheLearnersFrontEnd) {
    ExperimentData data = load_data({Pool::train, HeldOut::t10k});
    build_large({}, data, {.min_contour = 40});
    EXPECT_EQ(data.dataset.size(), 60000U);
    EXPECT_EQ(data.pool.size() + data.large_size(), 61263U);
}

} // namespace
} // namespace sprig::lab

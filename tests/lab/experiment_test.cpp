#include "lab/protocol/experiment.h"

#include <atomic>

#include <gmock/gmock.h>

#include "lab/protocol_support.h"
#include "sprig/error.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

using testing::ElementsAre;
using testing::Key;

StudyContext context_of(const ExperimentData& data) {
    StudyContext context;
    context.seeds = {4, 7};
    context.threads = 2;
    context.make = [front_end = data.front_end](const LearnerChoice&, std::uint64_t seed) {
        return counting(front_end)(seed);
    };
    return context;
}

/// An experiment that counts its runs.
Experiment counted(std::string name, int setting, std::atomic<int>& done) {
    return {{std::move(name), {{"setting", setting}}}, 1, 1, [&done](std::uint64_t seed, const Tick& tick) {
                ++done;
                tick();
                const ExperimentData data = shapes_data();
                return run_seed(data, short_protocol(), counting(data.front_end), seed);
            }};
}

TEST(Experiments, AgreeWithTheProtocol) {
    const ExperimentData data = shapes_data();
    const StudyContext context = context_of(data);
    const auto results = run_experiments(
        context, {experiment("count", {"counting", "default"}, data, short_protocol(), context)});
    ASSERT_THAT(results, ElementsAre(Key("count")));
    const std::vector<SeedRun>& runs = results.at("count").runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].seed, 7U);
    EXPECT_EQ(runs[1].digest, run_seed(data, short_protocol(), counting(data.front_end), 7).digest);
}

TEST(Experiments, CachedRunsAreNotComputedAgain) {
    const testing_support::TempFolder folder;
    const ExperimentData data = shapes_data();
    StudyContext context = context_of(data);
    context.cache = folder.path();
    std::atomic<int> done = 0;
    const auto first = run_experiments(context, {counted("a", 1, done), counted("b", 1, done)});
    EXPECT_EQ(done, 4);
    context.seeds = {4, 7, 9};
    const auto second = run_experiments(context, {counted("a", 1, done)});
    EXPECT_EQ(done, 5) << "one seed is new";
    EXPECT_EQ(second.at("a").runs()[0].digest, first.at("a").runs()[0].digest);
    (void)run_experiments(context, {counted("a", 2, done)});
    EXPECT_EQ(done, 8) << "an input has changed";
}

TEST(Experiments, DuplicatesAreRunOnce) {
    const ExperimentData data = shapes_data();
    std::atomic<int> done = 0;
    const auto results = run_experiments(context_of(data), {counted("a", 1, done), counted("a", 1, done)});
    EXPECT_EQ(done, 2) << "once for each seed";
    EXPECT_EQ(results.size(), 1U);
    EXPECT_THROW((void)run_experiments(context_of(data), {counted("a", 1, done), counted("a", 2, done)}),
                 std::logic_error)
        << "one name for two experiments";
}

TEST(Experiments, TheKeyContainsTheInputs) {
    const ExperimentData data = shapes_data();
    const StudyContext context = context_of(data);
    Protocol protocol = short_protocol();
    const auto what = [&] {
        return experiment("x", {"counting", "default"}, data, protocol, context).key.inputs.dump();
    };
    const std::string before = what();
    EXPECT_EQ(before, what());
    protocol.drawn_classes = 2;
    EXPECT_NE(before, what());
    protocol.drawn_classes = 0;
    protocol.sampled_cycles = {1};
    EXPECT_NE(before, what());
}

TEST(Experiments, ALimitShortensTheStream) {
    StudyContext context;
    Protocol protocol;
    EXPECT_EQ(limited(protocol, context).cycles, 20U);
    context.limit = 12;
    EXPECT_EQ(limited(protocol, context).cycles, 2U);
    EXPECT_EQ(limited(protocol, context).per_block, 5U);
    context.limit = 3;
    EXPECT_EQ(limited(protocol, context).cycles, 1U);
    EXPECT_EQ(limited(protocol, context).per_block, 3U);
}

} // namespace

} // namespace sprig::lab

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

StudyContext context_of(const Material& material) {
    StudyContext context;
    context.seeds = {4, 7};
    context.threads = 2;
    context.make = [front_end = material.front_end](const LearnerChoice&, std::uint64_t seed) {
        return counting(front_end)(seed);
    };
    return context;
}

/// An experiment that counts how often it is really done.
Experiment counted(std::string name, int setting, std::atomic<int>& done) {
    return {{std::move(name), {{"setting", setting}}}, 1, 1, [&done](std::uint64_t seed, const Tick& tick) {
                ++done;
                tick();
                const Material material = shapes_material();
                return run_seed(material, short_protocol(), counting(material.front_end), seed);
            }};
}

TEST(Experiments, GiveWhatTheProtocolGives) {
    const Material material = shapes_material();
    const StudyContext context = context_of(material);
    const auto results = run_experiments(
        context, {experiment("count", {"counting", "default"}, material, short_protocol(), context)});
    ASSERT_THAT(results, ElementsAre(Key("count")));
    const std::vector<SeedRun>& runs = results.at("count").runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].seed, 7U);
    EXPECT_EQ(runs[1].digest, run_seed(material, short_protocol(), counting(material.front_end), 7).digest);
}

TEST(Experiments, WhatIsKeptIsNotDoneAgain) {
    const testing_support::TempFolder folder;
    const Material material = shapes_material();
    StudyContext context = context_of(material);
    context.keep = folder.path();
    std::atomic<int> done = 0;
    const auto first = run_experiments(context, {counted("a", 1, done), counted("b", 1, done)});
    EXPECT_EQ(done, 4);
    context.seeds = {4, 7, 9};
    const auto second = run_experiments(context, {counted("a", 1, done)});
    EXPECT_EQ(done, 5) << "one seed is new";
    EXPECT_EQ(second.at("a").runs()[0].digest, first.at("a").runs()[0].digest);
    (void)run_experiments(context, {counted("a", 2, done)});
    EXPECT_EQ(done, 8) << "what it hangs on has changed";
}

TEST(Experiments, TheSameOneIsDoneOnce) {
    const Material material = shapes_material();
    std::atomic<int> done = 0;
    const auto results =
        run_experiments(context_of(material), {counted("a", 1, done), counted("a", 1, done)});
    EXPECT_EQ(done, 2) << "once for each seed";
    EXPECT_EQ(results.size(), 1U);
    EXPECT_THROW((void)run_experiments(context_of(material), {counted("a", 1, done), counted("a", 2, done)}),
                 std::logic_error)
        << "one name for two things";
}

TEST(Experiments, WhatARunHangsOnIsWrittenDown) {
    const Material material = shapes_material();
    const StudyContext context = context_of(material);
    Protocol protocol = short_protocol();
    const auto what = [&] {
        return experiment("x", {"counting", "default"}, material, protocol, context).work.what.dump();
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

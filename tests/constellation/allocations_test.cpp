// A reader that has processed a few images does not allocate memory.

#include "support/allocations.h"

#include <gtest/gtest.h>

#include "support.h"
#include "support/exhaustive.h"

namespace sprig {
namespace {

using test::Stream;

/// Number of allocations of `ask` for networks that it has already processed once.
template <class Ask>
long allocations_when_warm(const Stream& stream, Ask ask) {
    long count = 0;
    for (int round = 0; round < 2; ++round) {
        const long before = test::allocations();
        for (const test::Sample& sample : stream) ask(sample.network);
        count = test::allocations() - before;
    }
    return count;
}

void expect_none(const ConstellationPreset& preset) {
    const Stream stream = test::mnist_stream(preset.front_end, test::brief() ? 90 : 300);
    const auto learned = static_cast<std::ptrdiff_t>(stream.size() * 2 / 3);
    Constellation model(preset);
    learn(model, Stream(stream.begin(), stream.begin() + learned));
    // Separate readers, so that neither warms up the other.
    const std::unique_ptr<Reader> decider = model.reader();
    const std::unique_ptr<Reader> predictor = model.reader();
    EXPECT_EQ(allocations_when_warm(stream, [&](const Network& n) { (void)decider->decide(n); }), 0);
    EXPECT_EQ(allocations_when_warm(stream, [&](const Network& n) { (void)predictor->predict(n); }), 0);
    EXPECT_GT(allocations_when_warm(stream, [&](const Network& n) { (void)predictor->explain(n); }), 0)
        << "nothing was counted";
}

TEST(ConstellationAllocations, NoneWithAnyPreset) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        SCOPED_TRACE(preset);
        expect_none(constellation_preset(preset));
    }
}

TEST(ConstellationAllocations, NoneInFourPoses) {
    ConstellationPreset preset = constellation_preset("default");
    preset.front_end.frame = FrontEndParams::Frame::axis;
    preset.params.poses = ConstellationParams::Poses::flips;
    expect_none(preset);
}

TEST(ConstellationAllocations, NoneWithGreedyAssignment) {
    ConstellationPreset preset = constellation_preset("default");
    preset.params.assignment = ConstellationParams::Assignment::greedy;
    expect_none(preset);
}

} // namespace
} // namespace sprig

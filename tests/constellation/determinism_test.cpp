// Equal histories give equal models, whatever the node numbers.

#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support.h"

namespace sprig {
namespace {

using test::mnist_stream;
using test::Stream;

// Digests after the first 200 images of MNIST. They change whenever learning, a preset or a front end
// changes; if the change is intended, use the values printed by the failing test.
struct Golden {
    const char* preset;
    std::uint64_t digest;
};
constexpr std::array<Golden, 3> golden = {{
    {"default", 0xefd412020adec555},
    {"fast", 0x40176fb4dc949259},
    {"paper-vocabulary", 0xa0b29804bbd81535},
}};

TEST(Determinism, GoldenDigests) {
    for (const Golden& expected : golden) {
        Constellation model(constellation_preset(expected.preset));
        learn(model, mnist_stream(model.front_end(), 200));
        model.check();
        EXPECT_EQ(model.digest(), expected.digest) << fmt::format(
            "if the change is intended: {{\"{}\", 0x{:016x}}},", expected.preset, model.digest());
    }
}

TEST(Determinism, TwoRunsGiveOneDigest) {
    const Stream stream = mnist_stream(constellation_preset("default").front_end, 300);
    Constellation first;
    Constellation second;
    learn(first, stream);
    learn(second, stream);
    EXPECT_EQ(first.digest(), second.digest());
}

TEST(Determinism, DoesNotDependOnNodeNumbers) {
    std::mt19937_64 random(2); // NOLINT: a fixed seed
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        SCOPED_TRACE(preset);
        Constellation plain(constellation_preset(preset));
        Constellation renumbered(constellation_preset(preset));
        const Stream stream = mnist_stream(plain.front_end(), 300);
        for (std::size_t i = 0; i < 200; ++i) {
            const auto& [network, label] = stream[i];
            plain.learn(network, label);
            renumbered.learn(test::renumbered(network, random), label);
            ASSERT_EQ(renumbered.digest(), plain.digest()) << "at step " << i;
        }
        const std::unique_ptr<Reader> reader = plain.reader();
        for (std::size_t i = 200; i < 300; ++i) {
            const Network& network = stream[i].network;
            const std::vector<double> scores = reader->predict(network).scores;
            EXPECT_EQ(reader->predict(test::renumbered(network, random)).scores, scores);
        }
    }
}

TEST(Determinism, EveryStepChangesTheDigest) {
    Constellation model;
    std::uint64_t before = model.digest();
    for (const auto& [network, label] : mnist_stream(model.front_end(), 50)) {
        model.learn(network, label);
        EXPECT_NE(model.digest(), before);
        before = model.digest();
    }
}

TEST(Determinism, ALabelIsPartOfTheDigest) {
    Constellation one(ConstellationParams{}, {});
    Constellation other(ConstellationParams{}, {});
    one.learn(test::row_of({0, 1}), "a");
    other.learn(test::row_of({0, 1}), "b");
    EXPECT_NE(one.digest(), other.digest());
    EXPECT_NE(one.units()[0].lineage, other.units()[0].lineage);
}

} // namespace
} // namespace sprig

// A unit is restored from its compact form bit for bit.

#include "constellation/packed_unit.h"

#include <bit>
#include <limits>

#include <gmock/gmock.h>

#include "constellation/access.h"
#include "constellation/learned_unit.h"
#include "support.h"

namespace sprig::constellation {
namespace {

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
    std::vector<std::uint64_t> bits;
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

std::vector<std::array<std::uint64_t, 3>> counts_of(const Unit& unit) {
    std::vector<std::array<std::uint64_t, 3>> counts;
    for (const UnitNode& node : unit.nodes) counts.push_back({node.type, node.hits, node.watched});
    return counts;
}

/// The size of the compact form.
std::size_t expect_restored(const Unit& unit, const FeatureSet& set) {
    const PackedUnit packed(unit, set);
    const Unit restored = packed.unpacked(set);
    EXPECT_EQ(restored.lineage, unit.lineage);
    EXPECT_EQ(restored.born, unit.born);
    EXPECT_EQ(restored.count, unit.count);
    EXPECT_EQ(counts_of(restored), counts_of(unit));
    EXPECT_EQ(bits_of(restored.means), bits_of(unit.means));
    EXPECT_EQ(bits_of(restored.squares), bits_of(unit.squares));
    EXPECT_EQ(digest_of(restored), digest_of(unit));
    EXPECT_EQ(packed.size(), unit.size());
    EXPECT_EQ(packed.lineage(), unit.lineage);
    EXPECT_EQ(packed.born(), unit.born);
    EXPECT_EQ(packed.count(), unit.count);
    return packed.bytes();
}

TEST(PackedUnit, RestoresUnitsOfMnist) {
    std::size_t of_one_sample = 0;
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        const ConstellationPreset chosen = constellation_preset(preset);
        const FeatureSet set(chosen.params);
        Constellation model(chosen);
        for (const test::Sample& sample : test::mnist_stream(chosen.front_end, 300))
            model.learn(sample.network, sample.label);
        for (const auto& known : Access::classes(model)) {
            for (const auto& learned : known->units()) {
                const Unit unit = learned->unit(set);
                const std::size_t bytes = expect_restored(unit, set);
                if (unit.count > 1) continue;
                ++of_one_sample;
                EXPECT_LT(bytes, stored_bytes(unit.size(), set) / 2);
            }
        }
    }
    EXPECT_GT(of_one_sample, 0U);
}

TEST(PackedUnit, RestoresAnyValues) {
    ConstellationParams params;
    params.survivor_weight = 0.5;
    for (const double position_weight : {1.0, 0.25, 0.0}) {
        params.position_weight = position_weight;
        const FeatureSet set(params);
        test::Random random(3);
        for (const std::size_t size : {0, 1, 2, 7, 200, 256, 257, 300, 1000}) {
            Unit unit;
            unit.lineage = 0x123456789abcdef0U + size;
            unit.born = 3;
            unit.count = 2;
            for (std::size_t node = 0; node < size; ++node)
                unit.nodes.push_back({static_cast<std::uint32_t>(node / 70), 1 + (node % 3), 300 * node + 9});
            constexpr double values[] = {0.0,   -0.0, 1e-320, std::numeric_limits<double>::max(),
                                         -7.25, 1e-9, 3.0,    3.5};
            for (std::size_t i = 0; i < size * set.size(); ++i) {
                unit.means.push_back(values[random.below(8U)]);
                unit.squares.push_back(i % 5 == 0 ? 0.0 : static_cast<double>(random.below(1000)) / 7);
            }
            (void)expect_restored(unit, set);
        }
    }
}

/// With nearly all units packed, a model learns and answers as usual.
TEST(PackedUnit, ChangesNothingElse) {
    for (const char* preset : {"default", "fast"}) {
        const ConstellationPreset chosen = constellation_preset(preset);
        const test::Stream stream = test::mnist_stream(chosen.front_end, 260);
        Constellation usual(chosen);
        Constellation packed(chosen);
        Access::limit_ready_nodes(packed, 0);
        for (std::size_t i = 0; i < 200; ++i) {
            const LearnReport a = usual.learn(stream[i].network, stream[i].label);
            const LearnReport b = packed.learn(stream[i].network, stream[i].label);
            EXPECT_EQ(a.events, b.events);
        }
        EXPECT_EQ(usual.digest(), packed.digest());
        EXPECT_NO_THROW(packed.check());
        std::size_t of_packed = 0;
        for (const auto& known : Access::classes(packed))
            for (const auto& unit : known->units()) of_packed += unit->is_packed() ? 1 : 0;
        EXPECT_GT(of_packed, 0U);
        const std::unique_ptr<Reader> a = usual.reader();
        const std::unique_ptr<Reader> b = packed.reader();
        for (std::size_t i = 200; i < stream.size(); ++i) {
            const Prediction& expected = a->predict(stream[i].network);
            const Prediction& found = b->predict(stream[i].network);
            EXPECT_EQ(found.scores, expected.scores);
            EXPECT_EQ(found.probabilities, expected.probabilities);
            EXPECT_EQ(found.known, expected.known);
            EXPECT_EQ(b->decide(stream[i].network).best, expected.best);
        }
    }
}

} // namespace
} // namespace sprig::constellation

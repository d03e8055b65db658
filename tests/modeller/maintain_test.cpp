// When units are retired: removal and reintegration, with counts set by hand.

#include <gmock/gmock.h>

#include "one_class.h"
#include "support.h"

namespace sprig::modeller {
namespace {

using sprig::test::row_of;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = UnitEvent::Kind;

/// A unit with one positive upstream, whose counts a test sets.
class Bands : public OneClass {
  protected:
    Bands() {
        params.removal_rate = 1;
        params.reintegration_rate = 1;
        params.stale_removal = 0;
        params.stale_reintegration = 0;
        params.spawn_reliability = 0; // nothing new
        learn(row_of({0, 1}), true);
        base = only_unit();
        Source source;
        source.nodes.emplace_back().type = 6;
        source.edges.push_back({1, 0, 0, {}});
        source.anchors.push_back(model.change(base).nodes[1].slot);
        up = model.grow(base, Birth::positive, steps, source);
        model.observed = 200;
        model.own = 100;
    }
    void set_counts(std::uint64_t base_active, std::uint64_t up_active) {
        model.change(base).active = base_active;
        model.change(up).active = up_active;
    }

    UnitId base = no_unit;
    UnitId up = no_unit;
};

TEST_F(Bands, AUnitThatIsNeverThereIsRemoved) {
    set_counts(100, 0);
    const LearnReport report = learn(row_of({0, 1}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::removed));
    EXPECT_EQ(only_unit(), base);
}

TEST_F(Bands, AUnitThatIsAlwaysThereIsReintegrated) {
    set_counts(100, 100);
    const LearnReport report = learn(row_of({0, 1, 6}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::reintegrated));
    EXPECT_EQ(report.events[0].target, model.unit(base).lineage);
    EXPECT_THAT(types(base), ElementsAre(0, 1, 6));
}

TEST_F(Bands, BetweenTheBandsAUnitStays) {
    set_counts(100, 50);
    for (int i = 0; i < 50; ++i) EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(999, 899); // 0.9 after the step, not above it
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(999, 150); // 0.15: the depth of 2 moves the band of removal from 0.1 to there
    EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
}

TEST_F(Bands, TheBandOfRemovalGrowsWithDepth) {
    // 0.12 after this step: within 0.15, but not within 0.1. Half-way into the band not every draw hits.
    int removed = 0;
    for (seed = 0; seed < 40 && removed == 0; ++seed) {
        set_counts(99, 12);
        removed += static_cast<int>(learn(row_of({0, 1}), true).count(Kind::removed));
    }
    EXPECT_EQ(removed, 1);
}

TEST_F(Bands, WithoutDepthScalingTheBandIsTheSignificance) {
    params.depth_scaling = ModellerParams::DepthScaling::none;
    for (seed = 0; seed < 40; ++seed) {
        set_counts(99, 12);
        EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
    }
}

TEST_F(Bands, OnStaleStepsTheFactorsDecide) {
    // A step of another class without the base says nothing of the upstream.
    set_counts(100, 0);
    EXPECT_THAT(learn(row_of({5, 5}), false).events, IsEmpty());
    set_counts(100, 100);
    EXPECT_THAT(learn(row_of({5, 5}), false).events, IsEmpty());
    params.stale_reintegration = 1;
    EXPECT_THAT(kinds(learn(row_of({5, 5}), false)), ElementsAre(Kind::reintegrated));
}

TEST_F(Bands, StaleRemoval) {
    set_counts(100, 0);
    params.stale_removal = 1;
    EXPECT_THAT(kinds(learn(row_of({5, 5}), false)), ElementsAre(Kind::removed));
}

TEST_F(Bands, TheStepOfBirthIsExempt) {
    set_counts(100, 0);
    model.change(up).born = steps + 1;
    EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
    EXPECT_THAT(kinds(learn(row_of({0, 1}), true)), ElementsAre(Kind::removed));
}

TEST_F(Bands, ATopLevelUnitIsRemovedWithAllAboveIt) {
    model.own = 1000;
    model.observed = 2000;
    set_counts(0, 0);
    const LearnReport report = learn(row_of({5, 6}), true);
    EXPECT_EQ(report.count(Kind::removed), 2U);
    EXPECT_EQ(report.count(Kind::created), 1U);
    EXPECT_THAT(types(only_unit()), ElementsAre(5, 6));
}

TEST_F(Bands, ANegativeUnitIsNeverReintegrated) {
    model.change(up).polarity = Polarity::negative;
    model.change(base).inactive = 100;
    set_counts(50, 100);
    EXPECT_THAT(learn(row_of({0, 1, 6}), false).events, IsEmpty());
    EXPECT_EQ(model.unit(up).active, 101U);
}

TEST_F(Bands, ReintegrationSinceBirth) {
    params.reintegrate_since_birth = true;
    // Of a hundred, inherited; of the ten since, five.
    set_counts(109, 104);
    model.change(up).active_at_birth = 100;
    model.change(up).target_at_birth = 100;
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(109, 109);
    EXPECT_THAT(kinds(learn(row_of({0, 1, 6}), true)), ElementsAre(Kind::reintegrated));
}

TEST_F(Bands, TheBandOfReintegrationBeginsAtItsThreshold) {
    set_counts(99, 84); // 0.85 after the step
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    params.reintegration_threshold = 0.6;
    int merged = 0;
    for (seed = 0; seed < 40 && merged == 0; ++seed) {
        set_counts(99, 84);
        merged += static_cast<int>(learn(row_of({0, 1, 6}), true).count(Kind::reintegrated));
    }
    EXPECT_EQ(merged, 1);
}

TEST_F(Bands, NoReintegrationAtARateOfZero) {
    params.reintegration_rate = 0;
    set_counts(100, 100);
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
}

} // namespace
} // namespace sprig::modeller

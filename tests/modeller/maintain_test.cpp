// Removal and reintegration of units, with counts set by hand.

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
class Maintenance : public OneClass {
  protected:
    Maintenance() {
        params.removal_rate = 1;
        params.reintegration_rate = 1;
        params.stale_removal = 0;
        params.stale_reintegration = 0;
        params.spawn_reliability = 0; // no new units
        learn(row_of({0, 1}), true);
        base = only_unit();
        UnitContent content;
        content.nodes.emplace_back().type = 6;
        content.edges.push_back({1, 0, 0, {}});
        content.anchors.push_back(model.mutable_unit(base).nodes[1].slot);
        up = model.create_unit(base, Birth::positive, steps, content);
        model.observed = 200;
        model.own = 100;
    }
    void set_counts(std::uint64_t base_active, std::uint64_t up_active) {
        model.mutable_unit(base).active = base_active;
        model.mutable_unit(up).active = up_active;
    }

    UnitId base = no_unit;
    UnitId up = no_unit;
};

TEST_F(Maintenance, AUnitThatIsNeverActiveIsRemoved) {
    set_counts(100, 0);
    const LearnReport report = learn(row_of({0, 1}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::removed));
    EXPECT_EQ(only_unit(), base);
}

TEST_F(Maintenance, AUnitThatIsAlwaysActiveIsReintegrated) {
    set_counts(100, 100);
    const LearnReport report = learn(row_of({0, 1, 6}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::reintegrated));
    EXPECT_EQ(report.events[0].target, model.unit(base).lineage);
    EXPECT_THAT(types(base), ElementsAre(0, 1, 6));
}

TEST_F(Maintenance, AUnitBetweenTheThresholdsStays) {
    set_counts(100, 50);
    for (int i = 0; i < 50; ++i) EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(999, 899); // 0.9 after the step, not above it
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(999, 150); // 0.15: a depth of 2 raises the removal threshold from 0.1 to that
    EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
}

TEST_F(Maintenance, TheRemovalThresholdGrowsWithDepth) {
    // 0.12 after this step: below 0.15, but not below 0.1. The probability is less than 1, so try several
    // seeds.
    int removed = 0;
    for (seed = 0; seed < 40 && removed == 0; ++seed) {
        set_counts(99, 12);
        removed += static_cast<int>(learn(row_of({0, 1}), true).count(Kind::removed));
    }
    EXPECT_EQ(removed, 1);
}

TEST_F(Maintenance, WithoutDepthScalingTheThresholdIsTheSignificance) {
    params.depth_scaling = ModellerParams::DepthScaling::none;
    for (seed = 0; seed < 40; ++seed) {
        set_counts(99, 12);
        EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
    }
}

TEST_F(Maintenance, StaleReintegration) {
    // A step of another class in which the base does not match does not test the upstream.
    set_counts(100, 0);
    EXPECT_THAT(learn(row_of({5, 5}), false).events, IsEmpty());
    set_counts(100, 100);
    EXPECT_THAT(learn(row_of({5, 5}), false).events, IsEmpty());
    params.stale_reintegration = 1;
    EXPECT_THAT(kinds(learn(row_of({5, 5}), false)), ElementsAre(Kind::reintegrated));
}

TEST_F(Maintenance, StaleRemoval) {
    set_counts(100, 0);
    params.stale_removal = 1;
    EXPECT_THAT(kinds(learn(row_of({5, 5}), false)), ElementsAre(Kind::removed));
}

TEST_F(Maintenance, TheStepOfCreationIsExempt) {
    set_counts(100, 0);
    model.mutable_unit(up).born = steps + 1;
    EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
    EXPECT_THAT(kinds(learn(row_of({0, 1}), true)), ElementsAre(Kind::removed));
}

TEST_F(Maintenance, ATopLevelUnitIsRemovedWithItsUpstreams) {
    model.own = 1000;
    model.observed = 2000;
    set_counts(0, 0);
    const LearnReport report = learn(row_of({5, 6}), true);
    EXPECT_EQ(report.count(Kind::removed), 2U);
    EXPECT_EQ(report.count(Kind::created), 1U);
    EXPECT_THAT(types(only_unit()), ElementsAre(5, 6));
}

TEST_F(Maintenance, ANegativeUnitIsNeverReintegrated) {
    model.mutable_unit(up).polarity = Polarity::negative;
    model.mutable_unit(base).inactive = 100;
    set_counts(50, 100);
    EXPECT_THAT(learn(row_of({0, 1, 6}), false).events, IsEmpty());
    EXPECT_EQ(model.unit(up).active, 101U);
}

TEST_F(Maintenance, ReintegrationSinceBirth) {
    params.reintegrate_since_birth = true;
    // 100 of 100 before it was attached, 5 of 10 since.
    set_counts(109, 104);
    model.mutable_unit(up).active_at_birth = 100;
    model.mutable_unit(up).target_at_birth = 100;
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
    set_counts(109, 109);
    EXPECT_THAT(kinds(learn(row_of({0, 1, 6}), true)), ElementsAre(Kind::reintegrated));
}

TEST_F(Maintenance, ReintegrationStartsAtItsThreshold) {
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

TEST_F(Maintenance, NoReintegrationAtRateZero) {
    params.reintegration_rate = 0;
    set_counts(100, 100);
    EXPECT_THAT(learn(row_of({0, 1, 6}), true).events, IsEmpty());
}

} // namespace
} // namespace sprig::modeller

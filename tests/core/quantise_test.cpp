#include "core/quantise.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/learner.h"

namespace sprig {
namespace {

TEST(Quantise, RoundsToTheNearestMultiple) {
    EXPECT_EQ(quantise(0), 0);
    EXPECT_EQ(quantise(1.5), 1.5);
    EXPECT_EQ(quantise(0x1p-32), 0x1p-32);
    EXPECT_EQ(quantise(0x1.8p-33), 0x1p-32);
    EXPECT_EQ(quantise(0x1p-34), 0);
    EXPECT_EQ(quantise(-0x1.8p-33), -0x1p-32);
    EXPECT_NEAR(quantise(0.1), 0.1, 0x1p-33);
}

TEST(Quantise, SumsDoNotDependOnTheOrder) {
    std::mt19937_64 random(7); // NOLINT: the same numbers every time
    std::uniform_real_distribution<double> number(-900, 900);
    std::vector<double> raw(1000);
    std::vector<double> rounded(1000);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        raw[i] = number(random);
        rounded[i] = quantise(raw[i]);
    }
    const auto sum = [](const std::vector<double>& values) {
        double total = 0;
        for (const double value : values) total += value;
        return total;
    };
    const double expected = sum(rounded);
    const double unrounded = sum(raw);
    bool unrounded_differs = false;
    for (int i = 0; i < 50; ++i) {
        std::shuffle(rounded.begin(), rounded.end(), random);
        std::shuffle(raw.begin(), raw.end(), random);
        EXPECT_EQ(sum(rounded), expected);
        unrounded_differs = unrounded_differs || sum(raw) != unrounded;
    }
    EXPECT_TRUE(unrounded_differs) << "otherwise the test is void";
}

TEST(LearnReport, AddsUp) {
    LearnReport report;
    report.events.push_back({UnitEvent::Kind::created, 1, {}});
    report.work.reached = 2;
    LearnReport other;
    other.events.push_back({UnitEvent::Kind::removed, 2, 1});
    other.events.push_back({UnitEvent::Kind::created, 3, 1});
    other.work = {1, 2, 3, 4, 5, 6};
    report += other;
    EXPECT_EQ(report.count(UnitEvent::Kind::created), 2U);
    EXPECT_EQ(report.count(UnitEvent::Kind::removed), 1U);
    EXPECT_EQ(report.count(UnitEvent::Kind::refined), 0U);
    EXPECT_EQ(report.work, (WorkCounts{3, 2, 3, 4, 5, 6}));
    EXPECT_EQ(report.events[1].target, Lineage{1});
}

} // namespace
} // namespace sprig

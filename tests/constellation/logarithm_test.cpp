#include "constellation/logarithm.h"
#include "constellation/mixture.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace sprig::constellation {
namespace {

void expect_close(double x) {
    const double expected = std::log(x);
    EXPECT_NEAR(logarithm(x), expected, 1e-11 * std::max(1.0, std::abs(expected))) << x;
}

TEST(Logarithm, AgreesWithTheLibraryAtEveryMagnitude) {
    std::mt19937_64 random(1); // NOLINT: a fixed seed
    std::uniform_real_distribution<double> mantissa(1, 2);
    for (int exponent = -1022; exponent <= 1023; ++exponent)
        for (int i = 0; i < 50; ++i) expect_close(std::ldexp(mantissa(random), exponent));
    expect_close(std::numeric_limits<double>::min());
    expect_close(std::numeric_limits<double>::max());
}

TEST(Logarithm, IsAccurateNearOneAndTheRangeLimits) {
    for (const double centre : {0.5, 1 / std::numbers::sqrt2, 1.0, std::numbers::sqrt2, 2.0}) {
        double below = centre;
        double above = centre;
        for (int i = 0; i < 1000; ++i) {
            expect_close(below = std::nextafter(below, 0.0));
            expect_close(above = std::nextafter(above, 10.0));
        }
        for (int i = -10000; i <= 10000; ++i) expect_close(centre * (1 + (i * 1e-6)));
    }
}

TEST(Logarithm, OfOneIsExactlyZero) {
    EXPECT_EQ(logarithm(1), 0);
    EXPECT_GT(logarithm(std::nextafter(1.0, 2.0)), 0);
    EXPECT_LT(logarithm(std::nextafter(1.0, 0.0)), 0);
}

TEST(Logarithm, IsMonotonic) {
    double last = logarithm(0.4);
    for (int i = 1; i <= 2'000'000; ++i) {
        const double next = logarithm(0.4 + (i * 1.3e-6));
        ASSERT_GT(next, last) << i;
        last = next;
    }
    // In the smallest steps around the square root of two.
    double x = std::numbers::sqrt2 * (1 - 1e-12);
    last = logarithm(x);
    for (int i = 0; i < 20000; ++i) {
        x = std::nextafter(x, 2.0);
        ASSERT_GE(logarithm(x), last - 1e-15) << i;
        last = logarithm(x);
    }
}

TEST(Logarithm, HasTheSameBitsInLanes) {
    std::mt19937_64 random(2); // NOLINT: a fixed seed
    const auto expect_equal = [](double a, double b) {
        const Lanes both = logarithm(Lanes{a, b});
        ASSERT_EQ(std::bit_cast<std::uint64_t>(double{both[0]}), std::bit_cast<std::uint64_t>(logarithm(a)))
            << a;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(double{both[1]}), std::bit_cast<std::uint64_t>(logarithm(b)))
            << b;
    };
    std::uniform_real_distribution<double> mantissa(1, 2);
    for (int exponent = -1022; exponent <= 1023; ++exponent)
        for (int i = 0; i < 50; ++i) expect_equal(std::ldexp(mantissa(random), exponent), mantissa(random));
    double x = std::numbers::sqrt2 * (1 - 1e-14);
    for (int i = 0; i < 1000; ++i) {
        x = std::nextafter(x, 2.0);
        expect_equal(x, 1 / x);
    }
}

TEST(Logarithm, IsNearInSinglePrecision) {
    for (float x = 1; x < 1e30F; x *= 1.0001F) {
        const Floats near = NearLogarithm{}(broadcast(x));
        ASSERT_NEAR(near[0], std::log(double{x}), log_slack + (1e-6 * std::log(double{x}))) << x;
    }
}

/// What is not computed adds nothing.
TEST(Mixture, IsTheSumOfAllExponentials) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& values :
         {std::vector{-7.3}, {3.1, -infinity}, {1.7, 1.7}, {2.9, -30.0, 2.6}}) {
        const double top = *std::max_element(values.begin(), values.end());
        double sum = 0;
        for (const double value : values) sum += elementary::exp(value - top);
        EXPECT_EQ(log_sum_exp(values), top + elementary::log(sum));
    }
}

} // namespace
} // namespace sprig::constellation

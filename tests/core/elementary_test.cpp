#include "core/elementary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gmock/gmock.h>

namespace sprig::elementary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double least_normal = std::numeric_limits<double>::min();
constexpr double largest = std::numeric_limits<double>::max();

using Function = double (*)(double);
using Reference = long double (*)(long double);

/// The distance from the true value in units of the last place of a double.
double ulps(double value, long double expected) {
    const auto rounded = static_cast<double>(std::abs(expected));
    const double next = std::nextafter(rounded, infinity);
    const double unit = next == infinity ? rounded - std::nextafter(rounded, 0) : next - rounded;
    return static_cast<double>(std::abs(value - expected) / unit);
}

/// The largest error among many arguments from `from` to `to`, among them both ends.
double largest_error(Function function, Reference reference, double from, double to) {
    std::mt19937_64 random(7); // NOLINT: the same numbers every time
    std::uniform_real_distribution<double> number(from, to);
    double most = std::max(ulps(function(from), reference(from)), ulps(function(to), reference(to)));
    for (int i = 0; i < 100000; ++i) {
        const double x = number(random);
        most = std::max(most, ulps(function(x), reference(x)));
    }
    return most;
}

/// The same with arguments that have any exponent in a range.
double largest_error_by_exponent(Function function, Reference reference, int from, int to) {
    std::mt19937_64 random(7); // NOLINT: the same numbers every time
    std::uniform_real_distribution<double> mantissa(1, 2);
    std::uniform_int_distribution<int> exponent(from, to);
    double most = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = std::ldexp(mantissa(random), exponent(random));
        most = std::max(most, ulps(function(x), reference(x)));
    }
    return most;
}

TEST(Exp, IsAccurate) {
    static_assert(std::numeric_limits<long double>::digits >= 64, "the reference is more accurate");
    EXPECT_LT(largest_error(elementary::exp, std::exp, -708, 709.78), 0.52);
    EXPECT_LT(largest_error(elementary::exp, std::exp, -40, 0), 0.52);
    EXPECT_LT(largest_error(elementary::exp, std::exp, -0.01, 0.01), 0.52);
    EXPECT_LT(largest_error_by_exponent(elementary::exp, std::exp, -1074, 8), 0.52);
    EXPECT_LT(largest_error(elementary::exp, std::exp, -745.1, -708.3), 0.76) << "denormal: rounded twice";
}

TEST(Exp, HasItsSpecialValues) {
    EXPECT_EQ(elementary::exp(0.0), 1);
    EXPECT_EQ(elementary::exp(-0.0), 1);
    EXPECT_EQ(elementary::exp(-infinity), 0);
    EXPECT_EQ(elementary::exp(infinity), infinity);
    EXPECT_TRUE(std::isnan(elementary::exp(not_a_number)));
    EXPECT_EQ(elementary::exp(-746), 0);
    EXPECT_EQ(elementary::exp(-largest), 0);
    EXPECT_EQ(elementary::exp(-745.1), least);
    EXPECT_EQ(elementary::exp(709.79), infinity);
    EXPECT_EQ(elementary::exp(largest), infinity);
    EXPECT_EQ(elementary::exp(least), 1);
    EXPECT_EQ(elementary::exp(1), std::exp(1.0));
}

TEST(Expm1, IsAccurate) {
    EXPECT_LT(largest_error(elementary::expm1, std::expm1, -40, 40), 1.1);
    EXPECT_LT(largest_error(elementary::expm1, std::expm1, 40, 709), 1.1);
    EXPECT_LT(largest_error(elementary::expm1, std::expm1, -1, 1), 1.1);
    EXPECT_LT(largest_error(elementary::expm1, std::expm1, -0.0625, 0.0625), 0.6);
    EXPECT_LT(largest_error_by_exponent(elementary::expm1, std::expm1, -1022, 8), 1.1);
}

TEST(Expm1, HasItsSpecialValues) {
    EXPECT_EQ(elementary::expm1(0), 0);
    EXPECT_EQ(elementary::expm1(-infinity), -1);
    EXPECT_EQ(elementary::expm1(-100), -1);
    EXPECT_EQ(elementary::expm1(infinity), infinity);
    EXPECT_EQ(elementary::expm1(1000), infinity);
    EXPECT_TRUE(std::isnan(elementary::expm1(not_a_number)));
    EXPECT_EQ(elementary::expm1(least), least);
}

TEST(Log, IsAccurate) {
    EXPECT_LT(largest_error(elementary::log, std::log, 0.5, 2), 0.55);
    EXPECT_LT(largest_error(elementary::log, std::log, 0.9375, 1.0625), 0.55);
    EXPECT_LT(largest_error(elementary::log, std::log, 0.999, 1.001), 0.55);
    EXPECT_LT(largest_error(elementary::log, std::log, 1, 100000), 0.55);
    EXPECT_LT(largest_error_by_exponent(elementary::log, std::log, -1074, 1023), 0.55);
    for (int i = 1; i < 100000; ++i)
        ASSERT_LT(ulps(elementary::log(i), std::log(static_cast<long double>(i))), 0.55) << i;
}

TEST(Log, HasItsSpecialValues) {
    EXPECT_EQ(elementary::log(1), 0);
    EXPECT_EQ(elementary::log(0.0), -infinity);
    EXPECT_EQ(elementary::log(-0.0), -infinity);
    EXPECT_EQ(elementary::log(infinity), infinity);
    EXPECT_TRUE(std::isnan(elementary::log(-1)));
    EXPECT_TRUE(std::isnan(elementary::log(-infinity)));
    EXPECT_TRUE(std::isnan(elementary::log(not_a_number)));
    for (const double x : {least, 3 * least, least_normal, least_normal / 2, largest, 2.0, 0.5, 10.0})
        EXPECT_EQ(elementary::log(x), static_cast<double>(std::log(static_cast<long double>(x)))) << x;
}

TEST(Log1p, IsAccurate) {
    EXPECT_LT(largest_error(elementary::log1p, std::log1p, -0.999, 2), 0.55);
    EXPECT_LT(largest_error(elementary::log1p, std::log1p, -0.0625, 0.0625), 0.55);
    EXPECT_LT(largest_error(elementary::log1p, std::log1p, 0, 1000), 0.55);
    EXPECT_LT(largest_error_by_exponent(elementary::log1p, std::log1p, -1022, 1023), 0.55);
}

TEST(Log1p, HasItsSpecialValues) {
    EXPECT_EQ(elementary::log1p(0), 0);
    EXPECT_EQ(elementary::log1p(-1), -infinity);
    EXPECT_EQ(elementary::log1p(infinity), infinity);
    EXPECT_EQ(elementary::log1p(largest), elementary::log(largest));
    EXPECT_EQ(elementary::log1p(least), least);
    EXPECT_TRUE(std::isnan(elementary::log1p(-1.5)));
    EXPECT_TRUE(std::isnan(elementary::log1p(not_a_number)));
}

// Every machine must compute these bits.
TEST(Elementary, HasTheSameBitsEverywhere) {
    std::mt19937_64 random(7); // NOLINT: the same numbers every time
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    const auto add = [&](double value) {
        sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
    };
    for (int i = 0; i < 10000; ++i) {
        const double x = static_cast<double>(random() >> 11U) * 0x1p-53;
        add(elementary::exp(-20 * x));
        add(elementary::expm1(5 * x));
        add(elementary::log(x));
        add(elementary::log1p(100 * x));
    }
    EXPECT_EQ(sum, 3506838250962035856U);
}

} // namespace
} // namespace sprig::elementary

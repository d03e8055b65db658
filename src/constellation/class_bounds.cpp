#include "constellation/class_bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "constellation/unit_scorer.h"

namespace sprig::constellation {

namespace {

/// The largest feature for which the errors below hold.
constexpr double largest = 128;

/// How much a gain may come out too small because of single precision. `roots` is the sum of the roots of the
/// factors, each times four times the weight of its feature.
double error_of(double slope, double roots) {
    // A deviation is off by up to four roundings of numbers up to `largest`. A change of a deviation changes
    // the logarithm of one plus its square times a factor by at most the root of the factor.
    constexpr double of_deviation = 4 * largest * 0x1p-24;
    constexpr double of_products = 5e-5; // the products, and the conversions of the logarithm
    return (slope * ((roots * of_deviation) + of_products)) + 1e-4;
}

/// A lower bound of the natural logarithm of numbers of at least 1, at most 0.013 below it. The logarithm to
/// base 2 of 1 + m, for m from 0 to 1, lies above m + c * m * (1 - m), where c is the limit of the ratio at m
/// = 1.
inline Floats lowest_logarithm(Floats x) {
    using Integers = std::int32_t __attribute__((vector_size(16)));
    constexpr float ln2 = 0.693147F; // rounded down
    constexpr float c = 0.2786F;     // rounded down
    constexpr std::int32_t one = 0x3F800000;
    constexpr std::int32_t mantissa = 0x007FFFFF;
    const auto bits = std::bit_cast<Integers>(x);
    const Floats exponent = __builtin_convertvector((bits - one) >> 23, Floats);
    const Floats m = std::bit_cast<Floats>((bits & mantissa) | one) - 1;
    return (exponent + m + (c * m * (1 - m))) * ln2;
}

inline Floats power(Floats x, int quarters) {
    const Floats square = x * x;
    switch (quarters) {
    case 1:
        return x;
    case 2:
        return square;
    case 3:
        return square * x;
    default:
        return square * square;
    }
}

template <class Mask>
bool any(Mask mask) {
    const auto halves = std::bit_cast<std::array<std::int64_t, 2>>(mask);
    return (halves[0] | halves[1]) != 0;
}

/// The product over some features of one plus the squared deviation. The factors follow the means.
inline Floats product_of(std::size_t first, std::size_t end, std::size_t width, const Floats* means,
                         const Floats* seen) {
    Floats product = Floats{} + 1;
    for (std::size_t f = first; f < end; ++f) {
        const Floats off = means[f] - seen[f + 1];
        product *= 1 + (off * off * means[width + f]);
    }
    return product;
}

} // namespace

void ObservedFloats::assign(const ObservationFeatures& observed) {
    const std::size_t features = observed.set().size();
    width_ = features + 1;
    values_.resize(observed.size() * width_);
    begin_.resize(observed.types() + 1);
    for (std::size_t type = 0; type < begin_.size(); ++type) begin_[type] = observed.begin(type);
    double most = 0;
    for (std::size_t node = 0; node < observed.size(); ++node) {
        Floats* row = values_.data() + (node * width_);
        row[0] = Floats{} + static_cast<float>(observed.surprise(node));
        for (std::size_t f = 0; f < features; ++f) {
            const double value = observed.features(node)[f];
            most = std::max(most, std::abs(value));
            row[f + 1] = Floats{} + static_cast<float>(value);
        }
    }
    is_usable_ = most <= largest;
}

ClassBounds::ClassBounds(std::span<const Predictive* const> units, const FeatureSet& set, std::size_t types)
    : feature_groups_(set.groups), width_(set.size()), has_default_layout_(set.has_default_layout) {
    for (const Predictive* unit : units) {
        UnitGroups& added = units_.emplace_back();
        added.all_absent = unit->all_absent + rounding_margin;
        added.begin = static_cast<std::uint32_t>(groups_.size());
        for (std::uint32_t type = 0; type < types; ++type) {
            std::size_t lane = lanes;
            for (std::uint32_t node = unit->begin[type]; node < unit->begin[type + 1]; ++node) {
                if (lane == lanes) {
                    groups_.emplace_back().type = type;
                    values_.resize(values_.size() + (2 * width_));
                    lane = 0;
                }
                add_node(*unit, node, lane++);
            }
        }
        added.end = static_cast<std::uint32_t>(groups_.size());
    }
}

void ClassBounds::add_node(const Predictive& unit, std::size_t node, std::size_t lane) {
    const double* row = unit.rows.data() + (node * width_ * 2);
    Floats* values = values_.data() + values_.size() - (2 * width_);
    double roots = 0;
    double most = 0;
    for (const FeatureGroup& group : feature_groups_) {
        for (std::size_t f = group.first; f < group.end; ++f) {
            values[f][lane] = static_cast<float>(row[f]);
            values[width_ + f][lane] = static_cast<float>(row[width_ + f]);
            roots += group.quarters * std::sqrt(row[width_ + f]);
            most = std::max(most, std::abs(row[f]));
        }
    }
    const double gain = unit.gain[node] + error_of(unit.slope[node], roots);
    groups_.back().gain[lane] = static_cast<float>(gain);
    groups_.back().slope[lane] = static_cast<float>(unit.slope[node]);
    is_usable_ = is_usable_ && most <= largest && std::abs(gain) < 1e4;
}

/// For each node of a group, the gain of its best observed node, or 0.
template <bool has_default_layout>
Floats ClassBounds::best_gains(const Group& group, const Floats* means,
                               const ObservedFloats& observed) const {
    Floats best{};
    const std::uint32_t end = observed.begin(group.type + 1);
    for (std::uint32_t node = observed.begin(group.type); node < end; ++node) {
        const Floats* seen = observed.row(node);
        const Floats most = group.gain + seen[0];
        const auto gain_at = [&](Floats all) { return most - (group.slope * lowest_logarithm(all)); };
        Floats gain = most;
        // Once no gain is better than the best, further features only make it less.
        if constexpr (has_default_layout) {
            constexpr std::size_t width = default_feature_count;
            const Floats position = power(product_of(0, 2, width, means, seen), 4);
            if (!any(gain_at(position) > best)) continue;
            gain = gain_at(position * power(product_of(2, width, width, means, seen), 2));
        } else {
            Floats all = Floats{} + 1;
            for (const FeatureGroup& f : feature_groups_) {
                all *= power(product_of(f.first, f.end, width_, means, seen), f.quarters);
                gain = gain_at(all);
                if (!any(gain > best)) break;
            }
        }
        const auto is_better = std::bit_cast<Integers>(gain > best);
        best = std::bit_cast<Floats>((is_better & std::bit_cast<Integers>(gain)) |
                                     (~is_better & std::bit_cast<Integers>(best)));
    }
    return best;
}

template <bool has_default_layout>
double ClassBounds::compute_as(std::size_t unit, const ObservedFloats& observed) const {
    Floats sum{};
    const Floats* means = values_.data() + (units_[unit].begin * 2 * width_);
    for (std::uint32_t g = units_[unit].begin; g < units_[unit].end; ++g, means += 2 * width_)
        sum += best_gains<has_default_layout>(groups_[g], means, observed);
    // In single precision the sum may come out too small, by much less than this.
    const double total = static_cast<double>(sum[0] + sum[1] + sum[2] + sum[3]);
    return units_[unit].all_absent + (total * (1 + 1e-4));
}

double ClassBounds::compute(std::size_t unit, const ObservedFloats& observed) const {
    return has_default_layout_ ? compute_as<true>(unit, observed) : compute_as<false>(unit, observed);
}

} // namespace sprig::constellation

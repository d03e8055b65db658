#include "constellation/screening.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "constellation/layout.h"

namespace sprig::constellation {

namespace {

/// The largest numbers for which the error bounds hold.
constexpr double largest_feature = 128;
constexpr double largest_gain = 1000;
constexpr double largest_factor = 1e30;

/// The first four numbers, rounded up.
Floats largest_of(std::span<const double> ranked) {
    Floats largest = broadcast(no_gain);
    for (std::size_t k = 0; k < std::min<std::size_t>(ranked.size(), float_lanes); ++k)
        largest[k] = static_cast<float>(ranked[k] + (std::abs(ranked[k]) * 0x1p-22));
    return largest;
}

/// Upper bounds of the gains of four nodes, as laid out in UnitLanes, on an observed node. Not inlined, and
/// with constants from memory, for the same reason as the gains of two nodes in UnitScorer.
template <typename Layout>
[[gnu::noinline]] Floats upper_gains(const Floats* group, const Floats* seen,
                                     const NearLogarithm& near_logarithm, Layout layout) {
    const Floats* const means = group + 2;
    const Floats all = weighted_product(
        Deviations<Floats>{means, means + layout.width, seen + 1, near_logarithm.one}, layout);
    return group[0] + seen[0] - (group[1] * near_logarithm(all));
}

} // namespace

UnitLanes::UnitLanes(const Predictive& unit, std::span<const double> ranked_gains, const FeatureSet& set) {
    const std::size_t stride = 2 * (set.size() + 1);
    for (std::uint32_t type = 0; type + 1 < unit.begin.size(); ++type) {
        const std::uint32_t end = unit.begin[type + 1];
        for (std::uint32_t first = unit.begin[type]; first < end; first += float_lanes)
            groups.push_back({type, first, std::min(float_lanes, end - first), first == unit.begin[type],
                              end - first <= float_lanes});
        if (end - unit.begin[type] > float_lanes) large_types.push_back(type);
        ranked.push_back(largest_of(ranked_gains.subspan(unit.begin[type], end - unit.begin[type])));
    }
    values.resize(groups.size() * stride);
    Floats* at = values.data();
    const Lanes* pair = unit.pairs.get();
    for (const NodeGroup& group : groups) {
        at[0] = broadcast(no_gain);
        for (std::uint32_t lane = 0; lane < group.count; ++lane) {
            add_node({unit, group.first_node + lane, pair, lane % 2}, set, at, lane);
            if (lane % 2 == 1 || lane + 1 == group.count) pair += Predictive::pair_size(set.size());
        }
        at += stride;
    }
}

/// The gain is increased by as much as a bound may come out too small because of single precision. A
/// deviation is off by up to four roundings of numbers up to the largest. This changes the logarithm of one
/// plus its square times a factor by at most the root of the factor times the error.
void UnitLanes::add_node(const NodeOfPair& source, const FeatureSet& set, Floats* group, std::uint32_t lane) {
    constexpr double of_deviation = 4 * largest_feature * 0x1p-24;
    constexpr double of_products = log_slack + 1e-5; // the logarithm, and the roundings of the products
    constexpr double of_gain = 8 * largest_gain * 0x1p-24;
    const std::size_t width = set.size();
    double roots = 0;
    double most = 0;
    double most_factor = 0;
    for (const FeatureGroup& features : set.groups) {
        for (std::size_t f = features.first; f < features.end; ++f) {
            const double mean = source.pair[2 + f][source.lane];
            const double factor = source.pair[2 + width + f][source.lane];
            group[2 + f][lane] = static_cast<float>(mean);
            group[2 + width + f][lane] = static_cast<float>(factor);
            roots += features.quarters * std::sqrt(factor);
            most = std::max(most, std::abs(mean));
            most_factor = std::max(most_factor, factor);
        }
    }
    const double slope = source.pair[1][source.lane];
    const double error = (slope * ((roots * of_deviation) + of_products)) + of_gain;
    const double gain = source.pair[0][source.lane] + error;
    group[0][lane] = static_cast<float>(gain);
    group[1][lane] = static_cast<float>(slope);
    is_usable = is_usable && most <= largest_feature && most_factor <= largest_factor &&
                std::abs(gain) <= largest_gain && slope <= largest_factor;
}

void ObservationLanes::assign(const ObservationFeatures& observed) {
    const std::size_t width = observed.set().size();
    const std::size_t count = observed.size();
    if (values.size() < count * (width + 1)) values.resize(count * (width + 1));
    const double* features = observed.features(0);
    const double* surprises = observed.surprises();
    Floats* row = values.data();
    double most_feature = 0;
    double most_surprise = 0;
    for (std::size_t node = 0; node < count; ++node) {
        most_surprise = std::max(most_surprise, std::abs(surprises[node]));
        *row++ = broadcast(static_cast<float>(surprises[node]));
        for (std::size_t f = 0; f < width; ++f, ++features) {
            most_feature = std::max(most_feature, std::abs(*features));
            *row++ = broadcast(static_cast<float>(*features));
        }
    }
    is_usable = most_feature <= largest_feature && most_surprise <= largest_gain;
    ranked.resize(observed.types());
    for (std::size_t type = 0; type < observed.types(); ++type)
        ranked[type] = largest_of(observed.ranked_surprises(type));
}

void ObservationLanes::assign_ranks(const ObservationLanes& unchanged, std::span<const std::uint32_t> types) {
    ranked.resize(types.size());
    for (std::size_t type = 0; type < types.size(); ++type) ranked[types[type]] = unchanged.ranked[type];
}

/// Pairs the k-th largest gain of each type with the k-th largest surprise.
double ranked_bound(const Predictive& unit, std::span<const double> ranked_gains,
                    const ObservationFeatures& observed, double enough) {
    const std::uint32_t* const begin = unit.begin.data();
    const std::uint32_t* const begin_seen = observed.begins().data();
    const std::size_t types = observed.types();
    double sum = unit.all_absent;
    for (std::size_t type = 0; type < types && sum < enough; ++type) {
        const std::uint32_t end =
            std::min(begin[type + 1] - begin[type], begin_seen[type + 1] - begin_seen[type]);
        for (std::uint32_t k = 0; k < end; ++k) {
            const double most =
                ranked_gains[begin[type] + k] + observed.ranked_surprise(begin_seen[type] + k);
            if (most <= 0) break;
            sum += most;
        }
    }
    return sum;
}

double ranked_bound(const ScreenedPair& pair) {
    const std::size_t types = pair.unit_lanes.ranked.size();
    Floats sum{};
    for (std::size_t type = 0; type < types; ++type)
        sum += larger(pair.unit_lanes.ranked[type] + pair.observation_lanes.ranked[type], Floats{});
    double rest = 0;
    for (const std::uint32_t type : pair.unit_lanes.large_types) {
        const std::uint32_t first = pair.unit.begin[type];
        const std::uint32_t first_seen = pair.observed.begin(type);
        const std::uint32_t count =
            std::min(pair.unit.begin[type + 1] - first, pair.observed.begin(type + 1) - first_seen);
        for (std::uint32_t k = float_lanes; k < count; ++k)
            rest +=
                std::max(0.0, pair.ranked_gains[first + k] + pair.observed.ranked_surprise(first_seen + k));
    }
    return pair.unit.all_absent + ((sum_of(sum) + rest) * sum_safety) + rounding_margin;
}

namespace {

/// What up to four nodes of a type add to the ranked bound, at most.
inline double ranked_sum_of_few(const ScreenedPair& pair, std::uint32_t type) {
    return sum_of(larger(pair.unit_lanes.ranked[type] + pair.observation_lanes.ranked[type], Floats{}));
}

/// The same for any number of nodes.
double ranked_sum(const ScreenedPair& pair, std::uint32_t type) {
    double sum = ranked_sum_of_few(pair, type);
    const std::uint32_t first = pair.unit.begin[type];
    const std::uint32_t first_seen = pair.observed.begin(type);
    const std::uint32_t count =
        std::min(pair.unit.begin[type + 1] - first, pair.observed.begin(type + 1) - first_seen);
    for (std::uint32_t k = float_lanes; k < count; ++k)
        sum += std::max(0.0, pair.ranked_gains[first + k] + pair.observed.ranked_surprise(first_seen + k));
    return sum;
}

/// Types with more observed nodes are not screened if the unit has more than four nodes of them.
constexpr std::uint32_t most_columns = 64;

/// Computes the gains of a group of nodes on observed nodes of its type.
template <typename Layout>
struct GroupGains {
    const Floats* group;
    const Floats* seen;
    const NearLogarithm& near_logarithm;
    const Layout& layout;

    [[nodiscard, gnu::always_inline]] inline Floats on(std::uint32_t column) const {
        return upper_gains(group, seen + (column * (layout.width + 1)), near_logarithm, layout);
    }
};

/// An upper bound for a type of up to four nodes: the sum of the best gain of each.
template <typename Layout>
float best_of_few(const GroupGains<Layout>& gains, std::uint32_t columns) {
    Floats best{};
    for (std::uint32_t c = 0; c < columns; ++c) best = larger(gains.on(c), best);
    return columns == 1 ? max_of(best) : sum_of(best);
}

/// An upper bound for a type of more nodes, group by group: the sum of the best gain of each node of the
/// unit, or of each observed node, whichever is less.
class BestOfMany {
  public:
    template <typename Layout>
    void add(const GroupGains<Layout>& gains, std::uint32_t columns, bool is_first) {
        if (is_first) of_rows_ = 0;
        Floats best{};
        for (std::uint32_t c = 0; c < columns; ++c) {
            const Floats on_column = gains.on(c);
            best = larger(on_column, best);
            of_columns_[c] = larger(on_column, is_first ? Floats{} : of_columns_[c]);
        }
        of_rows_ += sum_of(best);
    }
    [[nodiscard]] float sum(std::uint32_t columns) const {
        float of_columns = 0;
        for (std::uint32_t c = 0; c < columns; ++c) of_columns += max_of(of_columns_[c]);
        return std::min(of_rows_, of_columns);
    }

  private:
    float of_rows_ = 0;
    std::array<Floats, most_columns> of_columns_; ///< set by the first group
};

/// Types that are not screened yet count with their ranked gains.
template <typename Layout>
double screen(const ScreenedPair& pair, double bound, double floor, const Layout& layout) {
    const Floats* const all_seen = pair.observation_lanes.values.data();
    const Floats* group = pair.unit_lanes.values.data();
    BestOfMany many; // NOLINT(*-member-init)
    for (const NodeGroup& nodes : pair.unit_lanes.groups) {
        const std::uint32_t first = pair.observed.begin(nodes.type);
        const std::uint32_t columns = pair.observed.begin(nodes.type + 1) - first;
        const GroupGains<Layout> gains{group, all_seen + (first * (layout.width + 1)),
                                       pair.observation_lanes.near_logarithm, layout};
        group += 2 * (layout.width + 1);
        if (columns == 0) continue;
        double sum = 0;
        double ranked = 0;
        if (nodes.is_first && nodes.is_last) {
            sum = best_of_few(gains, columns);
            ranked = ranked_sum_of_few(pair, nodes.type);
        } else if (columns <= most_columns) {
            many.add(gains, columns, nodes.is_first);
            if (!nodes.is_last) continue;
            sum = many.sum(columns);
            ranked = ranked_sum(pair, nodes.type);
        } else {
            continue;
        }
        bound -= std::max(0.0, (ranked / sum_safety) - (sum * sum_safety));
        if (bound < floor) return minus_infinity;
    }
    return bound;
}

} // namespace

double screened_bound(const ScreenedPair& pair, double ranked, double floor) {
    if (ranked < floor) return minus_infinity;
    if (!pair.unit_lanes.is_usable || !pair.observation_lanes.is_usable) return ranked;
    return with_layout(pair.observed.set(),
                       [&](const auto& layout) { return screen(pair, ranked, floor, layout); });
}

} // namespace sprig::constellation

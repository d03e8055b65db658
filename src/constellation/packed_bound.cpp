#include "constellation/packed_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "constellation/layout.h"
#include "core/elementary.h"

namespace sprig::constellation {

namespace {

/// Where a lane has no node: so far away that nothing is placed on it.
constexpr float nowhere = 1e6F;
constexpr float more_than_any = 3e38F;
/// A product that is too large for a float has a logarithm times slope above this: its gain is negative.
constexpr double largest_packed_gain = 70;
constexpr double largest_packed_feature = 128; // see PackedUnit::is_near
constexpr double largest_packed_scale = 1e30;
constexpr float units_per_nat = 32; // of gains of places

Unit one_node(const FeatureSet& set) {
    Unit unit;
    unit.count = 1;
    unit.nodes = {{0, 1, 1}};
    unit.means.assign(set.size(), 0);
    unit.squares.assign(set.size(), 0);
    return unit;
}

std::uint32_t sum_of_places(const std::uint8_t* place, const std::uint8_t* end, const std::uint16_t* gains) {
    std::uint32_t sum = 0;
    for (; place != end; ++place) sum += gains[*place];
    return sum;
}

Floats smaller_of(Floats a, Floats b) {
    return a < b ? a : b;
}

float min_of(Floats values) {
    const Floats pairs = smaller_of(values, __builtin_shufflevector(values, values, 2, 3, 0, 1));
    return smaller_of(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2))[0];
}

} // namespace

PackedBound::PackedBound(const UnitContext& context)
    : context_(context), is_possible_(context.set.has_positions_first()), ranked_(context.types),
      by_type_(context.types), first_(context.types), order_(context.types) {
    std::iota(order_.begin(), order_.end(), 0U);
    if (!is_possible_) return;
    const Predictive node(one_node(context.set), context.params, context.set, 1);
    const double slope = node.pairs[1][0];
    use_features(node, 2, context.set.groups.front().quarters * slope, of_positions_);
    use_features(node, context.set.size(), slope, of_features_);
}

/// A gain is increased by as much as it may come out too small: see UnitLanes.
void PackedBound::use_features(const Predictive& node, std::size_t width, double slope,
                               Comparison& comparison) const {
    constexpr double of_deviation = 4 * largest_packed_feature * 0x1p-24;
    constexpr double of_products = log_slack + 1e-5;
    constexpr double of_gain = 8 * 1000 * 0x1p-24;
    const FeatureSet& set = context_.set;
    comparison.width = width;
    comparison.slope = static_cast<float>(slope);
    double roots = 0; // times their weights
    for (std::size_t f = 0; f < width; ++f) {
        const double factor = node.pairs[2 + set.size() + f][0];
        comparison.factors.push_back(broadcast(static_cast<float>(factor)));
        roots += 4 * set.weights[f] * std::sqrt(factor);
    }
    const double slope_of_roots = node.pairs[1][0];
    comparison.gain =
        node.gain[0] + (slope_of_roots * roots * of_deviation) + (slope * of_products) + of_gain;
}

void PackedBound::assign(const ObservationFeatures& observed, const ObservationSummary& summary) {
    observed_ = &observed;
    seen_ = &summary;
    assign_columns(observed, of_positions_);
    if (of_positions_.is_usable) make_gains_of_places();
    has_features_ = false;
    const auto count = [&](std::uint32_t type) { return observed.begin(type + 1) - observed.begin(type); };
    std::ranges::sort(order_, {}, count);
    std::uint32_t most = 0;
    for (const std::uint32_t type : order_) most = std::max(most, count(type));
    if (least_.size() < most) least_.resize(most);
}

void PackedBound::assign_columns(const ObservationFeatures& observed, Comparison& comparison) const {
    comparison.is_usable = true;
    comparison.columns.clear();
    comparison.most.assign(context_.types, 0);
    for (std::size_t type = 0; type < context_.types; ++type) {
        const std::uint32_t first = observed.begin(type);
        const std::uint32_t end = observed.begin(type + 1);
        if (first == end) continue;
        const double most = observed.ranked_surprise(first);
        comparison.most[type] = static_cast<float>(comparison.gain + most);
        comparison.is_usable = comparison.is_usable && comparison.gain + most < largest_packed_gain;
        for (std::uint32_t node = first; node < end; ++node) {
            const double scale = elementary::exp((most - observed.surprise(node)) / comparison.slope);
            comparison.is_usable = comparison.is_usable && scale < largest_packed_scale;
            comparison.columns.push_back(broadcast(static_cast<float>(scale)));
            for (std::size_t f = 0; f < comparison.width; ++f) {
                const double feature = observed.features(node)[f];
                comparison.is_usable = comparison.is_usable && std::abs(feature) <= largest_packed_feature;
                comparison.columns.push_back(broadcast(static_cast<float>(feature)));
            }
        }
    }
}

/// The sum of the best gain of each node of a type, or of each observed node, whichever is less. The best
/// gain is that of the least product of deviations: only that one needs a logarithm.
template <typename Product>
float PackedBound::best_of_type(std::uint32_t type, const Comparison& comparison, const Product& product_of) {
    const std::size_t width = comparison.width;
    const std::uint32_t first = observed_->begin(type);
    const std::uint32_t count = observed_->begin(type + 1) - first;
    const Floats* const columns = comparison.columns.data() + (first * (width + 1));
    const Floats most = broadcast(comparison.most[type]);
    const Floats slope = broadcast(comparison.slope);
    const auto gains_of = [&](Floats products) {
        return larger(most - (slope * near_logarithm_(products)), Floats{});
    };
    Floats of_rows{};
    for (std::size_t row = 0; row < rows_.size(); row += width) {
        Floats least = broadcast(more_than_any);
        const Floats* column = columns;
        for (std::uint32_t c = 0; c < count; ++c, column += width + 1) {
            const Floats product = product_of(rows_.data() + row, column + 1) * column[0];
            least = smaller_of(product, least);
            least_[c] = row == 0 ? product : smaller_of(product, least_[c]);
        }
        of_rows += gains_of(least);
    }
    Floats of_columns{};
    for (std::uint32_t c = 0; c < count; c += float_lanes) {
        Floats least = broadcast(more_than_any);
        for (std::uint32_t lane = 0; lane < std::min(float_lanes, count - c); ++lane)
            least[lane] = std::min(min_of(least_[c + lane]), more_than_any);
        of_columns += gains_of(least);
    }
    return std::min(sum_of(of_rows), sum_of(of_columns));
}

/// Lowers a bound type by type, to minus infinity as soon as it is below `floor`.
template <typename Product>
double PackedBound::lowered(double bound, double floor, const UnitSummary& summary,
                            const Comparison& comparison, const Product& product_of) {
    for (const std::uint32_t type : order_) {
        if (by_type_[type] == 0) continue;
        fill_rows(first_[type], summary.nodes(type), comparison.width);
        const double placed = sum_safety * best_of_type(type, comparison, product_of);
        if (placed >= by_type_[type]) continue;
        bound -= by_type_[type] - placed;
        by_type_[type] = placed;
        if (bound < floor) return minus_infinity;
    }
    return bound;
}

void PackedBound::fill_rows(std::size_t first, std::size_t count, std::size_t width) {
    rows_.resize(((count + float_lanes - 1) / float_lanes) * width);
    for (std::size_t f = 0; f < width; ++f) {
        const double* from = columns_[f].data() + first;
        Floats* to = rows_.data() + f;
        std::size_t row = 0;
        for (; row + float_lanes <= count; row += float_lanes, from += float_lanes, to += width)
            *to = Floats{static_cast<float>(from[0]), static_cast<float>(from[1]),
                         static_cast<float>(from[2]), static_cast<float>(from[3])};
        if (row == count) continue;
        *to = broadcast(nowhere);
        for (std::size_t lane = 0; row < count; ++row, ++lane) (*to)[lane] = static_cast<float>(from[lane]);
    }
}

/// By type and place: the gain of a node of the type at the place. Products of deviations are products of
/// what they are along each axis.
void PackedBound::make_gains_of_places() {
    constexpr std::size_t side = PlaceGrid::side;
    constexpr std::size_t places = side * side;
    const auto factor = static_cast<double>(of_positions_.factors[0][0]);
    const auto deviations = [&](double seen, std::array<float, side>& along) {
        for (std::size_t i = 0; i < side; ++i) {
            const double low = PlaceGrid::first + (PlaceGrid::step * static_cast<double>(i));
            double off = 0;
            if (i > 0 && seen < low) off = low - seen;
            if (i + 1 < side && seen > low + PlaceGrid::step) off = seen - low - PlaceGrid::step;
            along[i] = static_cast<float>(1 + (off * off * factor));
        }
    };
    gains_of_places_.resize(context_.types * places);
    std::array<Floats, places / float_lanes> least{};
    std::array<float, side> along_x{};
    std::array<float, side> along_y{};
    for (std::uint32_t type = 0; type < context_.types; ++type) {
        const std::uint32_t first = observed_->begin(type);
        const std::uint32_t end = observed_->begin(type + 1);
        if (first == end) continue; // its gains are not used
        least.fill(broadcast(more_than_any));
        for (std::uint32_t node = first; node < end; ++node) {
            deviations(observed_->features(node)[0], along_x);
            deviations(observed_->features(node)[1], along_y);
            const Floats scale = of_positions_.columns[std::size_t{3} * node];
            for (std::size_t i = 0; i < least.size(); ++i) {
                Floats across; // NOLINT(*-member-init)
                std::memcpy(&across, along_x.data() + ((i * float_lanes) % side), sizeof across);
                const Floats product = across * scale * broadcast(along_y[(i * float_lanes) / side]);
                least[i] = smaller_of(product, least[i]);
            }
        }
        const Floats most = broadcast(of_positions_.most[type]);
        const Floats slope = broadcast(of_positions_.slope);
        for (std::size_t i = 0; i < least.size(); ++i) {
            const Floats gains = larger(most - (slope * near_logarithm_(least[i])), Floats{});
            for (std::size_t lane = 0; lane < float_lanes; ++lane)
                gains_of_places_[(type * places) + (i * float_lanes) + lane] =
                    static_cast<std::uint16_t>((gains[lane] * units_per_nat) + 1);
        }
    }
}

double PackedBound::by_place(const PackedUnit& unit, const UnitSummary& summary, double floor) {
    constexpr std::size_t places = PlaceGrid::side * PlaceGrid::side;
    constexpr double nats = 1 / static_cast<double>(units_per_nat);
    seen_->gains_by_type(summary.values().data(), ranked_);
    std::int32_t sum = 0;
    for (const std::int16_t gain : ranked_) sum += gain;
    double bound = summary.all_absent() + rounding_margin + UnitSummary::nats(sum);
    const std::uint8_t* const place = unit.places();
    std::uint32_t node = 0;
    for (std::uint32_t type = 0; type < context_.types; ++type) {
        const std::uint32_t end = node + summary.nodes(type);
        const double ranked = UnitSummary::nats(ranked_[type]);
        by_type_[type] = ranked;
        if (ranked > 0 && of_positions_.is_usable) {
            const double placed =
                nats * sum_of_places(place + node, place + end, gains_of_places_.data() + (type * places));
            if (placed < ranked) {
                by_type_[type] = placed;
                bound -= ranked - placed;
                if (bound < floor) return minus_infinity;
            }
        }
        first_[type] = node;
        node = end;
    }
    return bound;
}

double PackedBound::by_features(const PackedUnit& unit, const UnitSummary& summary, double floor) {
    const double coarse = by_place(unit, summary, floor);
    if (coarse < floor) return minus_infinity;
    if (!of_positions_.is_usable) return coarse;
    unit.read_features(2, columns_);
    const auto deviations = [this](const Comparison& comparison, const Floats* row, const Floats* column) {
        return Deviations<Floats>{row, comparison.factors.data(), column, near_logarithm_.one};
    };
    const double by_position =
        lowered(coarse, floor, summary, of_positions_, [&](const Floats* row, const Floats* column) {
            return deviations(of_positions_, row, column).product_of({0, 2, 4});
        });
    if (by_position < floor) return minus_infinity;
    if (!has_features_) assign_columns(*observed_, of_features_);
    has_features_ = true;
    if (!of_features_.is_usable) return by_position;
    unit.read_features(of_features_.width, columns_);
    return with_layout(context_.set, [&](const auto& layout) {
        return lowered(by_position, floor, summary, of_features_,
                       [&](const Floats* row, const Floats* column) {
                           return weighted_product(deviations(of_features_, row, column), layout);
                       });
    });
}

} // namespace sprig::constellation

#include "constellation/unit.h"

#include <algorithm>
#include <type_traits>

namespace sprig::constellation {

namespace {

bool is_dropped(const UnitNode& node, std::uint32_t seen, const ConstellationParams& params) {
    if (params.strict) return seen == unassigned;
    return node.watched >= params.fading_age &&
           static_cast<double>(node.hits) < params.fading_rate * static_cast<double>(node.watched);
}

/// Updates the running means and sums of squares of a node by Welford's method.
void update_statistics(double* means, double* squares, double hits, const double* seen, std::size_t width) {
    for (std::size_t f = 0; f < width; ++f) {
        const double off = seen[f] - means[f];
        means[f] += off / hits;
        squares[f] += off * (seen[f] - means[f]);
    }
}

void drop(Unit& unit, std::size_t node, std::size_t width) {
    const auto erase = [node](auto& rows, std::size_t size) {
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(node * size);
        rows.erase(first, first + static_cast<std::ptrdiff_t>(size));
    };
    erase(unit.nodes, 1);
    erase(unit.means, width);
    erase(unit.squares, width);
}

/// Adds an observed node after all others of its type.
void add(Unit& unit, const UnitNode& node, const double* values, std::size_t width) {
    const auto at = std::ranges::upper_bound(unit.nodes, node.type, {}, &UnitNode::type);
    const auto row = (at - unit.nodes.begin()) * static_cast<std::ptrdiff_t>(width);
    unit.nodes.insert(at, node);
    unit.means.insert(unit.means.begin() + row, values, values + width);
    unit.squares.insert(unit.squares.begin() + row, width, 0.0);
}

/// Adds the observed nodes that are not placed.
void add_others(Unit& unit, const FeatureView& view, std::span<const std::uint32_t> placed,
                std::uint64_t watched) {
    std::vector<bool> is_placed(view.size(), false);
    for (const std::uint32_t seen : placed)
        if (seen != unassigned) is_placed[seen] = true;
    for (std::uint32_t type = 0; type < view.types(); ++type)
        for (std::uint32_t seen = view.begins[type]; seen < view.begins[type + 1]; ++seen)
            if (!is_placed[seen]) add(unit, {type, 1, watched}, view.row(seen), view.width);
}

} // namespace

double Unit::square_scale(std::size_t node, std::size_t feature, const ConstellationParams& params,
                          const FeatureSet& set) const {
    const auto hits = static_cast<double>(nodes[node].hits);
    const double estimate =
        (set.prior_sums[feature] + squares[(node * set.size()) + feature]) / (params.prior_weight + hits);
    return estimate * (1 + (1 / hits)); // includes the uncertainty of the mean
}

std::size_t stored_bytes(std::size_t nodes, const FeatureSet& set) {
    return sizeof(Unit::lineage) + sizeof(Unit::born) + sizeof(Unit::count) +
           (nodes * (sizeof(UnitNode) + (2 * set.size() * sizeof(double))));
}

Unit make_unit(const FeatureView& view) {
    Unit unit;
    unit.count = 1;
    for (std::uint32_t type = 0; type < view.types(); ++type)
        unit.nodes.resize(view.begins[type + 1], UnitNode{type, 1, 1});
    unit.means.assign(view.row(0), view.row(view.size()));
    unit.squares.assign(unit.means.size(), 0.0);
    return unit;
}

Unit updated_unit(const Unit& unit, const FeatureView& view, std::span<const std::uint32_t> placed,
                  const ConstellationParams& params) {
    const std::size_t width = view.width;
    const auto absent = static_cast<std::size_t>(std::ranges::count(placed, unassigned));
    const std::size_t added = params.strict ? 0 : view.size() - (placed.size() - absent);
    const auto copy_of = [added](const auto& rows, std::size_t size) {
        std::remove_cvref_t<decltype(rows)> copy;
        copy.reserve(rows.size() + (added * size));
        copy.assign(rows.begin(), rows.end());
        return copy;
    };
    Unit result{unit.lineage,
                unit.born,
                unit.count + 1,
                copy_of(unit.nodes, 1),
                copy_of(unit.means, width),
                copy_of(unit.squares, width)};
    bool any_dropped = false;
    for (std::size_t i = 0; i < unit.size(); ++i) {
        UnitNode& node = result.nodes[i];
        ++node.watched;
        if (placed[i] != unassigned) {
            ++node.hits;
            update_statistics(result.means.data() + (i * width), result.squares.data() + (i * width),
                              static_cast<double>(node.hits), view.row(placed[i]), width);
        }
        any_dropped = any_dropped || is_dropped(node, placed[i], params);
    }
    for (std::size_t i = any_dropped ? unit.size() : 0; i-- > 0;)
        if (is_dropped(result.nodes[i], placed[i], params)) drop(result, i, width);
    if (added > 0) add_others(result, view, placed, 1 + std::min(params.late_doubt, unit.count));
    return result;
}

} // namespace sprig::constellation

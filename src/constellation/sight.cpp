#include "constellation/sight.h"

#include <algorithm>
#include <functional>

#include "constellation/logarithm.h"
#include "sprig/front_end.h"

namespace sprig::constellation {

namespace {

constexpr auto persistence_index = static_cast<std::size_t>(NodeAttribute::persistence);
constexpr auto sharpness_index = static_cast<std::size_t>(NodeAttribute::sharpness);

/// What clutter looks like: a broad Gaussian for each feature but the position, which may be anywhere.
struct Broad {
    double mean = 0;
    double spread = 1;
};

Broad broad_of(Feature feature) {
    switch (feature) {
    case Feature::persistence:
        return {1.8, 0.8};
    case Feature::sharpness:
        return {0.6, 0.3};
    default:
        return {0, 6};
    }
}

double minus_log_density(double value, const Broad& broad) {
    constexpr double log_root_two_pi = 0.918938533204672742;
    const double z = (value - broad.mean) / broad.spread;
    return (z * z / 2) + log_root_two_pi + logarithm(broad.spread);
}

using Step = NodeId (Network::*)(NodeId) const;

/// The nearest node along the contour that coarsening removes later than this one; itself if there is none.
NodeId survivor(const Network& network, NodeId node, Step step) {
    const double own = network.attribute(node, persistence_index);
    NodeId at = (network.*step)(node);
    while (at != node && at != no_node && network.attribute(at, persistence_index) <= own)
        at = (network.*step)(at);
    return at == no_node ? node : at;
}

} // namespace

Sight::Sight(const ConstellationParams& params, std::size_t types)
    : set_(params),
      clutter_(-logarithm(params.clutter_rate / (params.position_weight > 0 ? params.clutter_area : 1))),
      begin_(types + 1) {}

void Sight::sort_by_type(const Network& network) {
    const auto count = static_cast<std::uint32_t>(network.node_count());
    std::fill(begin_.begin(), begin_.end(), 0U);
    for (NodeId n = 0; n < count; ++n) ++begin_[network.type(n)];
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begin_) begin = (sum += begin); // the end of each type, for now
    ids_.resize(count);
    for (NodeId n = 0; n < count; ++n) ids_[--begin_[network.type(n)]] = n;
    for (std::size_t t = 0; t < types(); ++t) {
        std::sort(ids_.begin() + begin_[t], ids_.begin() + begin_[t + 1],
                  [&](NodeId a, NodeId b) { return is_before(network, a, b); });
    }
}

/// Nodes of one type by what can be seen of them, not by their numbers.
bool Sight::is_before(const Network& network, NodeId a, NodeId b) const {
    const auto less = [](std::span<const double> p, std::span<const double> q) {
        return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
    };
    if (!std::ranges::equal(network.position(a), network.position(b)))
        return less(network.position(a), network.position(b));
    if (!std::ranges::equal(network.attributes(a), network.attributes(b)))
        return less(network.attributes(a), network.attributes(b));
    // Rare: they lie on one another, and only their neighbours tell.
    std::array<double, max_features> row_a = {};
    std::array<double, max_features> row_b = {};
    measure(network, a, row_a.data());
    measure(network, b, row_b.data());
    return less(row_a, row_b);
}

void Sight::measure(const Network& network, NodeId node, double* row) const {
    const auto offset = [&](NodeId to, std::size_t axis) {
        return to == no_node ? 0.0 : network.coordinate(to, axis) - network.coordinate(node, axis);
    };
    const auto value_of = [&](Feature feature) {
        switch (feature) {
        case Feature::x:
            return network.coordinate(node, 0);
        case Feature::y:
            return network.coordinate(node, 1);
        case Feature::next_x:
            return offset(network.next(node), 0);
        case Feature::next_y:
            return offset(network.next(node), 1);
        case Feature::previous_x:
            return offset(network.previous(node), 0);
        case Feature::previous_y:
            return offset(network.previous(node), 1);
        case Feature::later_x:
            return offset(survivor(network, node, &Network::next), 0);
        case Feature::later_y:
            return offset(survivor(network, node, &Network::next), 1);
        case Feature::earlier_x:
            return offset(survivor(network, node, &Network::previous), 0);
        case Feature::earlier_y:
            return offset(survivor(network, node, &Network::previous), 1);
        case Feature::persistence:
            return logarithm(1 + network.attribute(node, persistence_index));
        case Feature::sharpness:
            return network.attribute(node, sharpness_index);
        }
        return 0.0;
    };
    for (std::size_t f = 0; f < set_.size(); ++f) row[f] = value_of(set_.features[f]);
}

double Sight::surprise_of(const double* row) const {
    double sum = clutter_;
    for (std::size_t f = 0; f < set_.size(); ++f) {
        const Feature feature = set_.features[f];
        if (feature == Feature::x || feature == Feature::y) continue;
        sum += set_.weights[f] * minus_log_density(row[f], broad_of(feature));
    }
    return sum;
}

void Sight::assign(const Network& network) {
    sort_by_type(network);
    values_.resize(size() * set_.size());
    surprise_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
        double* row = values_.data() + (i * set_.size());
        measure(network, ids_[i], row);
        surprise_[i] = surprise_of(row);
    }
    ranked_ = surprise_;
    for (std::size_t t = 0; t < types(); ++t)
        std::sort(ranked_.begin() + begin_[t], ranked_.begin() + begin_[t + 1], std::greater<>());
}

} // namespace sprig::constellation

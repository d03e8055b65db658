#include "constellation/observation_features.h"

#include <algorithm>
#include <array>
#include <functional>

#include "constellation/layout.h"
#include "constellation/logarithm.h"
#include "sprig/front_end.h"

namespace sprig::constellation {

namespace {

constexpr auto persistence_index = static_cast<std::size_t>(NodeAttribute::persistence);
constexpr auto sharpness_index = static_cast<std::size_t>(NodeAttribute::sharpness);

using Step = NodeId (Network::*)(NodeId) const;

/// The nearest node along the contour that coarsening removes later than this one; itself if there is none.
NodeId survivor(const Network& network, NodeId node, Step step) {
    const double own = network.attribute(node, persistence_index);
    NodeId at = (network.*step)(node);
    while (at != node && at != no_node && network.attribute(at, persistence_index) <= own)
        at = (network.*step)(at);
    return at == no_node ? node : at;
}

/// The type in a mirrored shape: a direction at angle t becomes the direction at pi - t, and a maximum may
/// become a minimum.
std::uint32_t mirrored(std::uint32_t type, int directions, const Pose& pose) {
    ChangeKind kind = ChangeKind::from_index(type);
    const bool on_x = kind.direction == 0;
    if (pose.left_right != pose.top_bottom && !on_x) kind.direction = directions - kind.direction;
    if (on_x ? pose.left_right : pose.top_bottom) kind.maximum = !kind.maximum;
    return kind.index();
}

std::vector<std::uint32_t> types_in(const Pose& pose, std::size_t types) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t type = 0; type < types; ++type)
        result.push_back(mirrored(type, static_cast<int>(types / 4), pose));
    return result;
}

/// The feature with the same value if the contour is traversed in the opposite direction.
Feature reversed(Feature feature) {
    using enum Feature;
    switch (feature) {
    case next_x:
        return previous_x;
    case next_y:
        return previous_y;
    case previous_x:
        return next_x;
    case previous_y:
        return next_y;
    case later_x:
        return earlier_x;
    case later_y:
        return earlier_y;
    case earlier_x:
        return later_x;
    case earlier_y:
        return later_y;
    default:
        return feature;
    }
}

bool is_along_x(Feature feature) {
    using enum Feature;
    return feature == x || feature == next_x || feature == previous_x || feature == later_x ||
           feature == earlier_x;
}

bool is_along_y(Feature feature) {
    using enum Feature;
    return feature == y || feature == next_y || feature == previous_y || feature == later_y ||
           feature == earlier_y;
}

/// The value of a feature in the mirrored shape, from the features of the original.
double mirrored_value(std::span<const double> features, const FeatureSet& set, Feature feature,
                      const Pose& mirror) {
    const bool backwards = mirror.left_right != mirror.top_bottom;
    const Feature source = backwards ? reversed(feature) : feature;
    const auto index = std::find(set.features.begin(), set.features.end(), source) - set.features.begin();
    const bool flips =
        (mirror.left_right && is_along_x(feature)) || (mirror.top_bottom && is_along_y(feature));
    return features[static_cast<std::size_t>(index)] * (flips ? -1 : 1);
}

} // namespace

ClutterDensities::ClutterDensities(const FeatureSet& set) : pairs((set.size() + 1) / 2) {
    const auto is_position = [&](std::size_t f) {
        return set.features[f] == Feature::x || set.features[f] == Feature::y;
    };
    for (std::size_t f = 0; f < set.size(); ++f) {
        const Feature feature = set.features[f];
        Pair& pair = pairs[f / 2];
        const std::size_t lane = f % 2;
        pair.mean[lane] = feature == Feature::persistence ? 1.8 : feature == Feature::sharpness ? 0.6 : 0;
        pair.spread[lane] = feature == Feature::persistence ? 0.8 : feature == Feature::sharpness ? 0.3 : 6;
        pair.log_spread[lane] = logarithm(pair.spread[lane]);
        pair.weight[lane] = is_position(f) ? 0 : set.weights[f];
    }
    while (2 * first + 1 < set.size() && is_position(2 * first) && is_position((2 * first) + 1)) ++first;
}

std::span<const Pose> poses_of(const ConstellationParams& params) {
    static constexpr std::array<Pose, 4> all = {{{false, false}, {true, false}, {false, true}, {true, true}}};
    return std::span(all).first(params.poses == ConstellationParams::Poses::flips ? all.size() : 1);
}

ObservationFeatures::ObservationFeatures(const ConstellationParams& params, std::size_t types, Pose pose)
    : set_(params), pose_(pose), type_of_(types_in(pose, types)),
      clutter_(-logarithm(params.clutter_rate / (params.position_weight > 0 ? params.clutter_area : 1))),
      clutter_densities_(set_), has_survivors_(params.survivor_weight > 0), begin_(types + 1) {}

/// Calls `set` with all features that are in use, and maybe others.
template <typename Set>
[[gnu::always_inline]] inline void ObservationFeatures::each_value(const Network& network, NodeId node,
                                                                   Set set) const {
    const double x_sign = pose_.left_right ? -1 : 1;
    const double y_sign = pose_.top_bottom ? -1 : 1;
    const double at_x = network.coordinate(node, 0);
    const double at_y = network.coordinate(node, 1);
    const auto set_displacement = [&](Feature along_x, Feature along_y, NodeId to) {
        set(along_x, to == no_node ? 0.0 : x_sign * (network.coordinate(to, 0) - at_x));
        set(along_y, to == no_node ? 0.0 : y_sign * (network.coordinate(to, 1) - at_y));
    };
    // A mirrored contour is traversed in the opposite direction.
    const bool backwards = pose_.left_right != pose_.top_bottom;
    using enum Feature;
    set(x, x_sign * at_x);
    set(y, y_sign * at_y);
    set_displacement(next_x, next_y, backwards ? network.previous(node) : network.next(node));
    set_displacement(previous_x, previous_y, backwards ? network.next(node) : network.previous(node));
    if (has_survivors_) {
        const Step forward = backwards ? &Network::previous : &Network::next;
        const Step backward = backwards ? &Network::next : &Network::previous;
        set_displacement(later_x, later_y, survivor(network, node, forward));
        set_displacement(earlier_x, earlier_y, survivor(network, node, backward));
    }
    set(persistence, network.attribute(node, persistence_index));
    set(sharpness, network.attribute(node, sharpness_index));
}

/// The order of nodes of one type, independent of their numbers: by position, then by attributes, then by all
/// features, since coincident nodes may differ only in their neighbours.
bool ObservationFeatures::is_before(const Network& network, NodeId a, NodeId b) const {
    const std::array flips = {pose_.left_right, pose_.top_bottom};
    for (std::size_t axis = 0; axis < flips.size(); ++axis) {
        const double at_a = network.coordinate(a, axis);
        const double at_b = network.coordinate(b, axis);
        if (at_a != at_b) return flips[axis] ? at_a > at_b : at_a < at_b;
    }
    const std::span<const double> p = network.attributes(a);
    const std::span<const double> q = network.attributes(b);
    if (!std::ranges::equal(p, q))
        return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
    const auto values_of = [&](NodeId node) {
        std::array<double, feature_kinds> values{};
        each_value(network, node, [&values](Feature feature, double value) {
            values[static_cast<std::size_t>(feature)] = value;
        });
        return values;
    };
    const auto values_a = values_of(a);
    const auto values_b = values_of(b);
    for (const Feature f : set_.features) {
        const double at_a = values_a[static_cast<std::size_t>(f)];
        const double at_b = values_b[static_cast<std::size_t>(f)];
        if (at_a != at_b) return at_a < at_b;
    }
    return false;
}

void ObservationFeatures::sort_by_type(const Network& network) {
    const auto count = static_cast<std::uint32_t>(network.node_count());
    std::fill(begin_.begin(), begin_.end(), 0U);
    for (NodeId n = 0; n < count; ++n) ++begin_[type_of_[network.type(n)]];
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begin_) begin = (sum += begin); // now the end of each type
    ids_.resize(count);
    for (NodeId n = 0; n < count; ++n) ids_[--begin_[type_of_[network.type(n)]]] = n;
    for (std::size_t t = 0; t < types(); ++t) {
        if (begin_[t + 1] - begin_[t] < 2) continue;
        std::sort(ids_.begin() + begin_[t], ids_.begin() + begin_[t + 1],
                  [&](NodeId a, NodeId b) { return is_before(network, a, b); });
    }
}

void ObservationFeatures::fill_rows(const Network& network) {
    with_layout(set_, [&](const auto& layout) {
        double* row = values_.data();
        for (std::size_t i = 0; i < size(); ++i, row += layout.width) {
            each_value(network, ids_[i], [row, &layout](Feature feature, double value) {
                const std::size_t place = layout.places[static_cast<std::size_t>(feature)];
                if (place != no_place) row[place] = value;
            });
        }
    });
    const std::size_t place = set_.places[static_cast<std::size_t>(Feature::persistence)];
    if (place == no_place) return;
    for (std::size_t i = 0; i < size(); i += 2) {
        double& a = values_[(i * set_.size()) + place];
        double& b = i + 1 < size() ? values_[((i + 1) * set_.size()) + place] : a;
        const Lanes logarithms = logarithm(1 + Lanes{a, b});
        a = logarithms[0];
        b = logarithms[1];
    }
}

double ObservationFeatures::surprise_of(const double* row) const {
    constexpr double log_root_two_pi = 0.918938533204672742;
    const std::vector<ClutterDensities::Pair>& pairs = clutter_densities_.pairs;
    const auto weighted = [](Lanes values, const ClutterDensities::Pair& pair) {
        const Lanes z = (values - pair.mean) / pair.spread;
        return ((z * z / 2) + log_root_two_pi + pair.log_spread) * pair.weight;
    };
    double sum = clutter_;
    const std::size_t whole = set_.size() / 2;
    for (std::size_t i = clutter_densities_.first; i < whole; ++i) {
        const Lanes both = weighted(load_lanes(row + (2 * i)), pairs[i]);
        sum += both[0];
        sum += both[1];
    }
    if (whole < pairs.size()) sum += weighted(Lanes{row[2 * whole], 0}, pairs[whole])[0];
    return sum;
}

void ObservationFeatures::assign(const Network& network) {
    sort_by_type(network);
    values_.resize(size() * set_.size());
    surprise_.resize(size());
    fill_rows(network);
    for (std::size_t i = 0; i < size(); ++i) surprise_[i] = surprise_of(features(i));
    rank();
    pair_up();
}

void ObservationFeatures::pair_up() {
    const std::size_t needed = size() * (1 + set_.size());
    if (doubled_.size() < needed) {
        doubled_.resize(needed);
        pairs_.resize(needed);
    }
    with_layout(set_, [this](const auto& layout) {
        const std::size_t width = layout.width;
        const auto fill = [&](std::vector<Lanes>& rows, std::size_t i, std::size_t other) {
            Lanes* const row = rows.data() + (i * (1 + width));
            const double* const a = values_.data() + (i * width);
            const double* const b = values_.data() + (other * width);
            row[0] = Lanes{surprise_[i], surprise_[other]};
            for (std::size_t f = 0; f < width; ++f) row[1 + f] = Lanes{a[f], b[f]};
        };
        for (std::size_t i = 0; i < size(); ++i) fill(doubled_, i, i);
        for (std::size_t t = 0; t < types(); ++t) {
            if (begin_[t + 1] - begin_[t] < 2) continue;
            for (std::size_t i = begin_[t]; i < begin_[t + 1]; i += 2)
                fill(pairs_, i, i + 1 < begin_[t + 1] ? i + 1 : i);
        }
    });
}

void ObservationFeatures::rank() {
    ranked_ = surprise_;
    for (std::size_t t = 0; t < types(); ++t) {
        if (begin_[t + 1] - begin_[t] < 2) continue;
        std::sort(ranked_.begin() + begin_[t], ranked_.begin() + begin_[t + 1], std::greater<>());
    }
}

void ObservationFeatures::add(const AddedNode& node) {
    const Pose mirror{pose_.left_right != node.pose.left_right, pose_.top_bottom != node.pose.top_bottom};
    const std::uint32_t type = mirrored(node.type, static_cast<int>(types() / 4), mirror);
    const std::uint32_t at = begin_[type + 1];
    std::vector<double> row;
    for (const Feature feature : set_.features)
        row.push_back(mirrored_value(node.features, set_, feature, mirror));
    ids_.insert(ids_.begin() + at, no_node);
    surprise_.insert(surprise_.begin() + at, surprise_of(row.data()));
    values_.insert(values_.begin() + static_cast<std::ptrdiff_t>(at * set_.size()), row.begin(), row.end());
    for (std::size_t t = type + 1; t < begin_.size(); ++t) ++begin_[t];
    rank();
    pair_up();
}

std::vector<ObservationFeatures> make_observation_features(const ConstellationParams& params,
                                                           std::size_t types) {
    std::vector<ObservationFeatures> poses;
    for (const Pose pose : poses_of(params)) poses.emplace_back(params, types, pose);
    return poses;
}

} // namespace sprig::constellation

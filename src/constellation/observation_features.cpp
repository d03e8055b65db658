#include "constellation/observation_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "constellation/layout.h"
#include "constellation/logarithm.h"
#include "sprig/front_end.h"

namespace sprig::constellation {

namespace {

constexpr auto persistence_index = static_cast<std::size_t>(NodeAttribute::persistence);
constexpr double log_root_two_pi = 0.918938533204672742;
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

/// The pose that changes what is seen in the pose `from` to what is seen in the pose `to`.
Pose change_between(const Pose& from, const Pose& to, std::uint32_t directions) {
    // A shape that is mirrored top to bottom is one turned by a half and mirrored left to right.
    const auto turn_of = [&](const Pose& pose) { return pose.turn + (pose.top_bottom ? directions : 0); };
    const bool from_mirrored = from.left_right != from.top_bottom;
    const bool to_mirrored = to.left_right != to.top_bottom;
    const std::uint32_t around = 2 * directions;
    std::uint32_t turn = (turn_of(to) + around - turn_of(from)) % around;
    if (from_mirrored) turn = (around - turn) % around; // mirroring reverses the sense of a turn
    const bool half = turn >= directions;
    return {(from_mirrored != to_mirrored) != half, half, half ? turn - directions : turn};
}

std::vector<std::uint32_t> types_in(const PoseChange& change, std::size_t types) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t type = 0; type < types; ++type) result.push_back(change.type(type));
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

/// The value of a feature in another pose, from the features of the original.
double value_in(const PoseChange& change, std::span<const double> features, const FeatureSet& set,
                Feature feature) {
    const Feature source = change.is_backwards() ? reversed(feature) : feature;
    const auto value_of = [&](Feature wanted) {
        const auto index = std::find(set.features.begin(), set.features.end(), wanted) - set.features.begin();
        return features[static_cast<std::size_t>(index)];
    };
    const auto other = [&] { // the other coordinate of a place: each x is followed by its y
        const int step = is_along_x(source) ? 1 : -1;
        return static_cast<Feature>(static_cast<int>(source) + step);
    };
    if (is_along_x(feature)) return change.x(value_of(source), value_of(other()));
    if (is_along_y(feature)) return change.y(value_of(other()), value_of(source));
    return value_of(source);
}

} // namespace

ClutterDensities::ClutterDensities(const ConstellationParams& params, const FeatureSet& set)
    : position_surprise(
          -logarithm(params.clutter_rate / (params.position_weight > 0 ? params.clutter_area : 1))),
      pairs((set.size() + 1) / 2) {
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

double ClutterDensities::least_surprise() const {
    constexpr double rounding = 1e-9;
    double sum = position_surprise - rounding;
    for (const Pair& pair : pairs)
        for (const std::size_t lane : {0U, 1U})
            sum += (log_root_two_pi + pair.log_spread[lane]) * pair.weight[lane];
    return sum;
}

std::vector<Pose> poses_of(const ConstellationParams& params, std::uint32_t directions) {
    using Poses = ConstellationParams::Poses;
    if (params.poses == Poses::fixed) return {Pose{}};
    std::vector<Pose> all;
    for (std::uint32_t turn = 0; turn < (params.poses == Poses::any ? directions : 1); ++turn)
        for (const bool top_bottom : {false, true})
            for (const bool left_right : {false, true}) all.push_back({left_right, top_bottom, turn});
    return all;
}

PoseChange::PoseChange(const Pose& pose, std::uint32_t directions)
    : pose_(pose),
      directions_(directions), mirror_{pose.left_right ? -1.0 : 1.0, pose.top_bottom ? -1.0 : 1.0} {
    // Rounded, because the last bits of the C library differ between machines.
    constexpr double one = 1LL << 40;
    const double angle = directions == 0 ? 0 : std::numbers::pi * pose.turn / directions;
    cosine_ = static_cast<double>(std::llround(std::cos(angle) * one)) / one;
    sine_ = static_cast<double>(std::llround(std::sin(angle) * one)) / one;
}

/// A turn moves each direction to another one; beyond a half turn it points the opposite way, so that a
/// maximum becomes a minimum. Mirrored, a direction at angle t becomes the direction at pi - t.
std::uint32_t PoseChange::type(std::uint32_t observed) const {
    ChangeKind kind = ChangeKind::from_index(observed);
    const auto directions = static_cast<int>(directions_);
    kind.direction += static_cast<int>(pose_.turn);
    if (kind.direction >= directions) {
        kind.direction -= directions;
        kind.maximum = !kind.maximum;
    }
    const bool on_x = kind.direction == 0;
    if (is_backwards() && !on_x) kind.direction = directions - kind.direction;
    if (on_x ? pose_.left_right : pose_.top_bottom) kind.maximum = !kind.maximum;
    return kind.index();
}

ObservationFeatures::ObservationFeatures(const ConstellationParams& params, std::size_t types, Pose pose)
    : set_(params), pose_(pose), change_(pose, static_cast<std::uint32_t>(types / 4)),
      type_of_(types_in(change_, types)), clutter_densities_(params, set_),
      has_survivors_(params.survivor_weight > 0), begin_(types + 1) {}

/// Calls `set` with all features that are in use, and maybe others.
template <typename Change, typename Set>
[[gnu::always_inline]] inline void ObservationFeatures::each_value(const Network& network, NodeId node,
                                                                   const Change& change, Set set) const {
    const double at_x = network.coordinate(node, 0);
    const double at_y = network.coordinate(node, 1);
    const auto set_displacement = [&](Feature along_x, Feature along_y, NodeId to) {
        const double x = to == no_node ? 0.0 : network.coordinate(to, 0) - at_x;
        const double y = to == no_node ? 0.0 : network.coordinate(to, 1) - at_y;
        set(along_x, to == no_node ? 0.0 : change.x(x, y));
        set(along_y, to == no_node ? 0.0 : change.y(x, y));
    };
    const bool backwards = change.is_backwards();
    using enum Feature;
    set(x, change.x(at_x, at_y));
    set(y, change.y(at_x, at_y));
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
    const auto place_of = [&](NodeId node) {
        const double x = network.coordinate(node, 0);
        const double y = network.coordinate(node, 1);
        return std::array{change_.x(x, y), change_.y(x, y)};
    };
    const std::array at_place_a = place_of(a);
    const std::array at_place_b = place_of(b);
    if (at_place_a != at_place_b) return at_place_a < at_place_b;
    const std::span<const double> p = network.attributes(a);
    const std::span<const double> q = network.attributes(b);
    if (!std::ranges::equal(p, q))
        return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
    const auto values_of = [&](NodeId node) {
        std::array<double, feature_kinds> values{};
        each_value(network, node, change_, [&values](Feature feature, double value) {
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
    const auto fill = [&](const auto& layout, const auto& change) {
        double* row = values_.data();
        for (std::size_t i = 0; i < size(); ++i, row += layout.width) {
            each_value(network, ids_[i], change, [row, &layout](Feature feature, double value) {
                const std::size_t place = layout.places[static_cast<std::size_t>(feature)];
                if (place != no_place) row[place] = value;
            });
        }
    };
    with_layout(set_, [&](const auto& layout) {
        pose_.turn == 0 ? fill(layout, Mirror(change_.mirror())) : fill(layout, change_);
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
    const std::vector<ClutterDensities::Pair>& pairs = clutter_densities_.pairs;
    const auto weighted = [](Lanes values, const ClutterDensities::Pair& pair) {
        const Lanes z = (values - pair.mean) / pair.spread;
        return ((z * z / 2) + log_root_two_pi + pair.log_spread) * pair.weight;
    };
    double sum = clutter_densities_.position_surprise;
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

void ObservationFeatures::assign_ranks(const ObservationFeatures& unchanged) {
    std::fill(begin_.begin(), begin_.end(), 0U);
    for (std::size_t t = 0; t < types(); ++t)
        begin_[type_of_[t] + 1] = unchanged.begin_[t + 1] - unchanged.begin_[t];
    for (std::size_t t = 0; t < types(); ++t) begin_[t + 1] += begin_[t];
    ranked_.resize(unchanged.ranked_.size());
    for (std::size_t t = 0; t < types(); ++t)
        std::ranges::copy(unchanged.ranked_surprises(t), ranked_.begin() + begin_[type_of_[t]]);
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
    const auto directions = static_cast<std::uint32_t>(types() / 4);
    const PoseChange change(change_between(node.pose, pose_, directions), directions);
    const std::uint32_t type = change.type(node.type);
    const std::uint32_t at = begin_[type + 1];
    std::vector<double> row;
    for (const Feature feature : set_.features) row.push_back(value_in(change, node.features, set_, feature));
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
    for (const Pose& pose : poses_of(params, static_cast<std::uint32_t>(types / 4)))
        poses.emplace_back(params, types, pose);
    return poses;
}

} // namespace sprig::constellation

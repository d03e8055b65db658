#include "match/brute_force.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sprig::test {

namespace {

class Enumeration {
  public:
    explicit Enumeration(const Problem& problem) : problem_(problem) {
        candidates_.resize(problem.observation.node_count());
        std::iota(candidates_.begin(), candidates_.end(), NodeId{0});
        std::sort(candidates_.begin(), candidates_.end(), [&](NodeId a, NodeId b) {
            return place(a) < place(b); // so that the first of equal placements is found first
        });
        in_use_.assign(problem.observation.node_count(), 0);
        for (NodeId n = 0; n < problem.taken.size(); ++n) in_use_[n] = problem.taken[n];
    }

    BestPlacement run() {
        place_from(0);
        return best_;
    }

  private:
    using Place = std::tuple<std::vector<double>, std::uint32_t, NodeId>;
    [[nodiscard]] Place place(NodeId node) const {
        const auto at = problem_.observation.position(node);
        return {{at.begin(), at.end()}, problem_.observation.type(node), node};
    }

    void place_from(NodeId node) {
        if (node == problem_.own) return keep();
        for (const NodeId at : candidates_) {
            if (in_use_[at] != 0 || problem_.observation.type(at) != problem_.pattern.type(node)) continue;
            in_use_[at] = 1;
            placed_.push_back(at);
            if (edges_up_to(node)) place_from(node + 1);
            placed_.pop_back();
            in_use_[at] = 0;
        }
    }

    [[nodiscard]] NodeId image(NodeId end) const {
        return end < problem_.own ? placed_[end] : problem_.pins[end - problem_.own];
    }
    [[nodiscard]] bool is_known(NodeId end) const { return end < placed_.size() || end >= problem_.own; }
    [[nodiscard]] bool is_allowed(double squared) const {
        return squared <= problem_.max_error * problem_.max_error;
    }

    /// Whether all edges between a node and placed nodes hold. Without this the enumeration takes too long.
    [[nodiscard]] bool edges_up_to(NodeId node) const {
        for (EdgeId e = 0; e < problem_.pattern.edge_count(); ++e) {
            const Edge& edge = problem_.pattern.edge(e);
            if ((edge.from == node || edge.to == node) && is_known(edge.from) && is_known(edge.to) &&
                !holds(e)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool holds(EdgeId e) const {
        const Edge& edge = problem_.pattern.edge(e);
        const NodeId from = image(edge.from);
        const NodeId to = image(edge.to);
        return has_edge(problem_.observation, edge.layer, from, to) &&
               is_allowed(squared_error(problem_, e, from, to));
    }

    void keep() {
        double cost = 0;
        for (EdgeId e = 0; e < problem_.pattern.edge_count(); ++e) {
            if (!holds(e)) return; // an edge between two anchors
            const Edge& edge = problem_.pattern.edge(e);
            cost += squared_error(problem_, e, image(edge.from), image(edge.to));
        }
        for (NodeId n = 0; n < problem_.own; ++n) {
            if (!is_isolated(problem_.pattern, n)) continue;
            const double squared = squared_distance(problem_, n, placed_[n]);
            if (!is_allowed(squared)) return;
            cost += squared;
        }
        if (best_.equals > 0 && cost > best_.cost) return;
        if (best_.equals > 0 && cost == best_.cost) {
            ++best_.equals;
            return;
        }
        best_ = {placed_, cost, 1};
    }

    const Problem& problem_;
    std::vector<NodeId> candidates_;
    std::vector<std::uint8_t> in_use_;
    std::vector<NodeId> placed_;
    BestPlacement best_;
};

} // namespace

BestPlacement best_placement(const Problem& problem) {
    return Enumeration(problem).run();
}

bool has_edge(const Network& network, std::uint32_t layer, NodeId from, NodeId to) {
    return std::any_of(network.edges().begin(), network.edges().end(), [&](const Edge& edge) {
        return edge.layer == layer && edge.from == from && edge.to == to;
    });
}

double squared_error(const Problem& problem, EdgeId edge, NodeId from, NodeId to) {
    double squared = 0;
    for (std::size_t axis = 0; axis < problem.observation.position(from).size(); ++axis) {
        const double error = problem.observation.coordinate(to, axis) -
                             problem.observation.coordinate(from, axis) -
                             problem.pattern.displacement(edge)[axis];
        squared += error * error;
    }
    return squared;
}

bool is_isolated(const Network& network, NodeId node) {
    return std::none_of(network.edges().begin(), network.edges().end(),
                        [&](const Edge& edge) { return edge.from == node || edge.to == node; });
}

double squared_distance(const Problem& problem, NodeId node, NodeId at) {
    double squared = 0;
    for (std::size_t axis = 0; axis < problem.observation.position(at).size(); ++axis) {
        const double off = problem.observation.coordinate(at, axis) - problem.pattern.coordinate(node, axis);
        squared += off * off;
    }
    return squared;
}

} // namespace sprig::test

#include "match/problems.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace sprig::test {

namespace {

std::shared_ptr<const Schema> random_schema(Draws& draws) {
    Schema schema;
    schema.dimensions = draws.chance(0.9) ? 2 : 3;
    schema.node_types = {"a", "b", "c"};
    schema.node_types.resize(1 + draws.below(3));
    schema.layers = {"near", "far"};
    schema.layers.resize(1 + draws.below(2));
    return std::make_shared<const Schema>(schema);
}

/// Nodes on a grid, no two of one type at the same position.
Network random_network(Draws& draws, const std::shared_ptr<const Schema>& schema, std::size_t nodes) {
    Network network(schema);
    const double step = draws.chance(0.5) ? 1 : 0.5;
    const std::size_t side = draws.chance(0.5) ? 3 : 5; // fewer positions give more equal displacements
    std::set<std::pair<std::uint32_t, std::vector<double>>> seen;
    while (network.node_count() < nodes) {
        std::vector<double> at(static_cast<std::size_t>(schema->dimensions));
        for (double& coordinate : at) coordinate = step * draws.below(side);
        const std::uint32_t type = draws.below(schema->node_types.size());
        if (seen.emplace(type, at).second) network.add_node(type, at);
    }
    const double density = 0.1 + (0.2 * draws.below(5));
    for (std::uint32_t layer = 0; layer < schema->layers.size(); ++layer) {
        for (NodeId from = 0; from < nodes; ++from) {
            for (NodeId to = 0; to < nodes; ++to) {
                if (from != to && draws.chance(density)) network.add_edge({from, to, layer});
            }
        }
    }
    return network;
}

/// Noise of a pattern's coordinates: none, on the grid, or in tenths. Tenths are not exact, so that the order
/// of summation matters. Some patterns have all coordinates 0, for equal costs.
class Noise {
  public:
    explicit Noise(Draws& draws)
        : draws_(draws), unit_(std::array{0.0, 0.5, 0.1}[draws.below(3)]), scale_(draws.chance(0.3) ? 0 : 1) {
    }

    std::vector<double> operator()(std::span<const double> exact) {
        std::vector<double> noisy(exact.begin(), exact.end());
        for (double& number : noisy) {
            number = scale_ * (number + (unit_ * (static_cast<double>(draws_.below(5)) - 2)));
        }
        return noisy;
    }

  private:
    Draws& draws_;
    double unit_;
    double scale_;
};

/// Some nodes of a network with some of the edges between them, and rarely an additional edge.
Network cut(Draws& draws, const Network& from, const std::vector<NodeId>& chosen) {
    Network pattern(from.shared_schema());
    Noise noise(draws);
    std::vector<NodeId> name(from.node_count(), no_node);
    for (const NodeId node : chosen)
        name[node] = pattern.add_node(from.type(node), noise(from.position(node)));
    const double kept = std::array{0.3, 0.7, 1.0}[draws.below(3)];
    for (EdgeId e = 0; e < from.edge_count(); ++e) {
        const Edge& edge = from.edge(e);
        if (name[edge.from] == no_node || name[edge.to] == no_node || !draws.chance(kept)) continue;
        pattern.add_edge({name[edge.from], name[edge.to], edge.layer}, noise(from.displacement(e)));
    }
    if (chosen.size() > 1 && draws.chance(0.1)) {
        const NodeId a = draws.below(chosen.size());
        const NodeId b = draws.below(chosen.size());
        if (a != b && !has_edge(pattern, 0, a, b)) pattern.add_edge({a, b, 0});
    }
    return pattern;
}

/// Pins the nodes from `own` on to free nodes of their types. Nodes without one are removed from `chosen`.
std::vector<NodeId> random_pins(Draws& draws, const Network& observation, const Network& source,
                                std::vector<NodeId>& chosen, std::size_t own) {
    std::vector<NodeId> pins;
    std::vector<NodeId> free = draws.order(observation.node_count());
    for (std::size_t anchor = own; anchor < chosen.size();) {
        const auto pin = std::find_if(free.begin(), free.end(), [&](NodeId n) {
            return observation.type(n) == source.type(chosen[anchor]);
        });
        if (pin == free.end()) {
            chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(anchor));
            continue;
        }
        pins.push_back(*pin);
        free.erase(pin);
        ++anchor;
    }
    return pins;
}

} // namespace

std::vector<NodeId> Draws::order(std::size_t count) {
    std::vector<NodeId> numbers(count);
    std::iota(numbers.begin(), numbers.end(), NodeId{0});
    for (std::size_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[below(i)]);
    return numbers;
}

Problem random_problem(std::uint64_t key) {
    Draws draws(key);
    const auto schema = random_schema(draws);
    Problem problem{Network(schema), 0, random_network(draws, schema, 3 + draws.below(7))};
    const bool from_here = draws.chance(0.5);
    const Network source =
        from_here ? problem.observation : random_network(draws, schema, 1 + draws.below(9));
    std::vector<NodeId> chosen = draws.order(source.node_count());
    const std::size_t anchors = draws.chance(0.5) ? 0 : std::min<std::size_t>(draws.below(4), chosen.size());
    const std::size_t own = std::min<std::size_t>(draws.below(8), chosen.size() - anchors);
    chosen.resize(own + anchors);
    problem.own = own;
    if (from_here) {
        problem.pins.assign(chosen.begin() + static_cast<std::ptrdiff_t>(own), chosen.end());
    } else {
        problem.pins = random_pins(draws, problem.observation, source, chosen, own);
    }
    problem.pattern = cut(draws, source, chosen);
    problem.taken.assign(problem.observation.node_count(), 0);
    const double taken = draws.chance(0.5) ? 0 : 0.1;
    for (std::uint8_t& is_taken : problem.taken) is_taken = draws.chance(taken) ? 1 : 0;
    for (const NodeId pin : problem.pins) problem.taken[pin] = 1;
    return problem;
}

Network renumbered(const Network& network, const std::vector<NodeId>& names, Draws& draws) {
    std::vector<NodeId> old(names.size());
    for (NodeId n = 0; n < names.size(); ++n) old[names[n]] = n;
    Network result(network.shared_schema());
    for (const NodeId n : old) result.add_node(network.type(n), network.position(n), network.attributes(n));
    for (const EdgeId e : draws.order(network.edge_count())) {
        Edge edge = network.edge(e);
        edge.from = names[edge.from];
        edge.to = names[edge.to];
        result.add_edge(edge, network.displacement(e));
    }
    return result;
}

Network thinned(const Network& network, double node_loss, double edge_loss, Draws& draws) {
    Network result(network.shared_schema());
    std::vector<NodeId> name(network.node_count(), no_node);
    for (NodeId n = 0; n < network.node_count(); ++n) {
        if (draws.chance(node_loss)) continue;
        name[n] = result.add_node(network.type(n), network.position(n), network.attributes(n));
    }
    for (EdgeId e = 0; e < network.edge_count(); ++e) {
        Edge edge = network.edge(e);
        edge.from = name[edge.from];
        edge.to = name[edge.to];
        if (edge.from == no_node || edge.to == no_node || draws.chance(edge_loss)) continue;
        result.add_edge(edge, network.displacement(e));
    }
    return result;
}

match::Pattern pattern_of(const Network& network, std::size_t own) {
    const auto point = [](std::span<const double> numbers) {
        match::Point result;
        std::copy(numbers.begin(), numbers.end(), result.at.begin());
        return result;
    };
    std::vector<match::Pattern::Node> nodes;
    std::vector<std::uint32_t> anchors;
    for (NodeId n = 0; n < network.node_count(); ++n) {
        if (n < own) {
            nodes.push_back({network.type(n), point(network.position(n))});
        } else {
            anchors.push_back(network.type(n));
        }
    }
    std::vector<match::Pattern::Edge> edges;
    for (EdgeId e = 0; e < network.edge_count(); ++e) {
        const Edge& edge = network.edge(e);
        edges.push_back({edge.layer, edge.from, edge.to, point(network.displacement(e))});
    }
    return {nodes, anchors, edges, network.schema().node_types.size()};
}

PreparedProblem::PreparedProblem(const Problem& problem)
    : problem_(problem), pattern_(pattern_of(problem.pattern, problem.own)) {
    observation_.assign(problem.observation);
    std::vector<std::uint32_t> name(observation_.node_count());
    for (std::uint32_t n = 0; n < name.size(); ++n) name[observation_.original(n)] = n;
    for (const NodeId pin : problem.pins) pins_.push_back(name[pin]);
    used_.assign(observation_.words(), 0);
    for (NodeId n = 0; n < problem.taken.size(); ++n) {
        if (problem.taken[n] != 0) used_[name[n] / 64] |= std::uint64_t{1} << (name[n] % 64);
    }
}

std::vector<NodeId> PreparedProblem::originals(const std::vector<std::uint32_t>& placed) const {
    std::vector<NodeId> result;
    for (const std::uint32_t at : placed) {
        result.push_back(at == match::unassigned ? match::unassigned : observation_.original(at));
    }
    return result;
}

} // namespace sprig::test

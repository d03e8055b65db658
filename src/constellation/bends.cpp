#include "constellation/bends.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace sprig::constellation {

namespace {

// In px. The nodes of a bend are at most this far from each other: the end of a stroke is about that wide.
constexpr double max_extent = 5;
// Of two consecutive ones, each is where the other one expects it, up to this error.
constexpr double max_error = 3;

using Vector = std::array<double, 2>;

Vector place_of(const UnitView& unit, NodeId node) {
    return {unit.pattern.coordinate(node, 0), unit.pattern.coordinate(node, 1)};
}

double square_distance(const Vector& a, const Vector& b) {
    const double x = a[0] - b[0];
    const double y = a[1] - b[1];
    return (x * x) + (y * y);
}

Vector sum(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1]};
}

bool is_one_place(const UnitView& unit, std::span<const NodeId> a, std::span<const NodeId> b) {
    return std::ranges::all_of(a, [&](NodeId one) {
        return std::ranges::all_of(b, [&](NodeId other) {
            return square_distance(place_of(unit, one), place_of(unit, other)) <= max_extent * max_extent;
        });
    });
}

/// Two nodes of one bend, the second after the first on the contour.
struct Link {
    double error = 0; ///< sum of squared distances between expected and actual positions
    std::size_t from = 0;
    std::size_t to = 0;
};

/// All possible links between the nodes, the most consistent ones first.
std::vector<Link> links_between(const UnitView& unit, std::span<const NodeId> nodes) {
    std::vector<Link> links;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const Vector from = place_of(unit, nodes[i]);
            const Vector to = place_of(unit, nodes[k]);
            if (i == k || square_distance(from, to) > max_extent * max_extent) continue;
            const double error = square_distance(sum(from, unit.nodes[nodes[i]].to_next), to) +
                                 square_distance(sum(to, unit.nodes[nodes[k]].to_previous), from);
            if (error <= max_error * max_error) links.push_back({error, i, k});
        }
    std::ranges::sort(links, {}, [](const Link& link) { return std::tuple(link.error, link.from, link.to); });
    return links;
}

} // namespace

std::vector<std::vector<NodeId>> bends_of(const UnitView& unit, std::span<const NodeId> nodes) {
    // Chains grow link by link. A link joins the end of one chain to the beginning of another.
    std::vector<std::vector<NodeId>> chains(nodes.size());
    std::vector<std::size_t> chain_of(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        chains[i] = {nodes[i]};
        chain_of[i] = i;
    }
    for (const Link& link : links_between(unit, nodes)) {
        std::vector<NodeId>& first = chains[chain_of[link.from]];
        std::vector<NodeId>& second = chains[chain_of[link.to]];
        if (&first == &second || first.back() != nodes[link.from] || second.front() != nodes[link.to] ||
            !is_one_place(unit, first, second))
            continue;
        const std::size_t gone = chain_of[link.to];
        first.insert(first.end(), second.begin(), second.end());
        second.clear();
        std::replace(chain_of.begin(), chain_of.end(), gone, chain_of[link.from]);
    }
    std::erase_if(chains, [](const auto& chain) { return chain.empty(); });
    return chains;
}

} // namespace sprig::constellation

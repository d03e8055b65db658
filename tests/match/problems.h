#pragma once

#include <cstdint>
#include <vector>

#include "core/keyed.h"
#include "match/brute_force.h"
#include "match/pattern.h"

namespace sprig::test {

/// A sequence of random numbers that depends only on a key.
class Draws {
  public:
    explicit Draws(std::uint64_t key) : key_(key) {}

    /// 0 to `count` - 1; 0 if `count` is 0.
    std::uint32_t below(std::size_t count) {
        const std::uint64_t drawn = random::mix({key_, next_++});
        return count == 0 ? 0 : static_cast<std::uint32_t>(drawn % count);
    }
    bool chance(double probability) { return random::uniform(random::mix({key_, next_++})) < probability; }
    /// 0 to `count` - 1 in random order.
    std::vector<NodeId> order(std::size_t count);

  private:
    std::uint64_t key_;
    std::uint64_t next_ = 0;
};

/// A small problem: up to 7 own nodes, 9 observed nodes and 3 anchors. Half of the patterns are part of the
/// observation, with noise. All nodes are on a coarse grid, so that equal costs are common. Pins are taken,
/// as they always are in a chain.
[[nodiscard]] Problem random_problem(std::uint64_t key);

/// The same nodes and edges with other numbers: node n becomes node `names[n]`.
[[nodiscard]] Network renumbered(const Network& network, const std::vector<NodeId>& names, Draws& draws);

/// A copy without some randomly chosen nodes and edges.
[[nodiscard]] Network thinned(const Network& network, double node_loss, double edge_loss, Draws& draws);

/// A problem converted to the types of the matcher.
class PreparedProblem {
  public:
    explicit PreparedProblem(const Problem& problem);

    [[nodiscard]] match::Query query() const {
        return {pattern_, observation_, pins_, used_, problem_.max_error};
    }
    [[nodiscard]] const match::Pattern& pattern() const { return pattern_; }
    [[nodiscard]] const match::Observation& observation() const { return observation_; }
    /// A placement in node numbers of the network; `match::unassigned` is kept.
    [[nodiscard]] std::vector<NodeId> originals(const std::vector<std::uint32_t>& placed) const;

  private:
    const Problem& problem_;
    match::Pattern pattern_;
    match::Observation observation_;
    std::vector<std::uint32_t> pins_;
    std::vector<std::uint64_t> used_;
};

/// A network as a pattern: its first `own` nodes are own nodes, the others are anchors.
[[nodiscard]] match::Pattern pattern_of(const Network& network, std::size_t own);

} // namespace sprig::test

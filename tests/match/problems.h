#pragma once

#include <cstdint>
#include <vector>

#include "match/brute_force.h"
#include "match/pattern.h"
#include "core/keyed.h"

namespace sprig::test {

/// Numbers that depend on a key alone, one after the other.
class Draws {
  public:
    explicit Draws(std::uint64_t key) : key_(key) {}

    /// 0 to `count` - 1; 0 if there is nothing to choose from.
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

/// A small problem: up to 7 own nodes, up to 9 observed ones, up to 3 anchors, half of them cut out of the
/// observation, with noise. Everything lies on a coarse grid, so that equal costs are common; pins are taken,
/// as they always are in a chain.
[[nodiscard]] Problem random_problem(std::uint64_t key);

/// The same nodes and edges under other numbers; node n is called `names[n]`.
[[nodiscard]] Network renumbered(const Network& network, const std::vector<NodeId>& names, Draws& draws);

/// The pattern of which only some nodes and edges are left; all of them are its own.
[[nodiscard]] Network thinned(const Network& network, double node_loss, double edge_loss, Draws& draws);

/// A problem in the matcher's own terms.
class Posed {
  public:
    explicit Posed(const Problem& problem);

    [[nodiscard]] match::Query query() const {
        return {pattern_, observation_, pins_, used_, problem_.max_error};
    }
    [[nodiscard]] const match::Pattern& pattern() const { return pattern_; }
    [[nodiscard]] const match::Observation& observation() const { return observation_; }
    /// Where the nodes were placed, in the numbers of the network; `match::nowhere` stays.
    [[nodiscard]] std::vector<NodeId> originals(const std::vector<std::uint32_t>& placed) const;

  private:
    const Problem& problem_;
    match::Pattern pattern_;
    match::Observation observation_;
    std::vector<std::uint32_t> pins_;
    std::vector<std::uint64_t> used_;
};

/// A network as the matcher's pattern, with its first `own` nodes to be placed and the others pinned.
[[nodiscard]] match::Pattern pattern_of(const Network& network, std::size_t own);

} // namespace sprig::test

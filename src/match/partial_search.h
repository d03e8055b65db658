#pragma once

#include <cstdint>
#include <vector>

#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

/// A placement of part of a pattern.
struct PartialMatch {
    std::vector<std::uint32_t> placed; ///< one per own node; `nowhere` if it was left out
    std::size_t nodes = 0;             ///< how many own nodes are placed
    std::size_t edges = 0;             ///< how many edges are there between the images of their ends
    double degree = 0;                 ///< the smaller of the two as fractions; a fraction of nothing is 1
};

/// Whether both ends of an edge are placed, and the observation has it where it may be.
[[nodiscard]] bool edge_is_placed(const Query& query, std::span<const std::uint32_t> placed,
                                  const Pattern::Edge& edge);

/// Counts what a placement covers.
void count_coverage(const Query& query, PartialMatch& match);

/// Grows a placement from a seed, always by the node that agrees best with what is placed, and seeds again
/// where nothing can be reached. Several seeds are tried and the placement that covers most is kept. It is
/// greedy: for an answer to whether the *whole* pattern is there ask `FullSearch` first.
class PartialSearch {
  public:
    explicit PartialSearch(std::size_t seeds = 8) : seeds_(seeds) {}

    const PartialMatch& operator()(const Query& query, WorkCounts& work);

  private:
    /// A pattern node and an observed node that it may lie on.
    struct Pair {
        std::uint32_t node = 0;
        std::uint32_t at = 0;
        double distance = 0; ///< between its expected position and the observed one
        double error = 0;    ///< sum of the displacement errors to placed neighbours
        std::uint32_t neighbours = 0;
    };

    void list_pairs(const Query& query);
    void list_seeds();
    void restart(const Query& query);
    void grow(const Query& query);
    void place(const Query& query, std::uint32_t node, std::uint32_t at);
    void tell_neighbours(const Query& query, const Pattern::Edge& edge, std::uint32_t node, bool outgoing);
    [[nodiscard]] const Pair* best_reachable(double max_error) const;
    [[nodiscard]] const Pair* nearest(double max_error) const;
    [[nodiscard]] bool is_open(const Pair& pair) const;

    std::size_t seeds_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_pair_; ///< where each node's pairs begin
    std::vector<std::size_t> seed_order_;
    std::vector<std::uint8_t> taken_; ///< observed nodes in use
    PartialMatch match_;
    PartialMatch best_;
};

} // namespace sprig::match

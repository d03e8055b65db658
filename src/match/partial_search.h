#pragma once

#include <cstdint>
#include <vector>

#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

/// A placement of part of a pattern.
struct PartialMatch {
    std::vector<std::uint32_t> placed; ///< by own node: its observed node, or `unassigned`
    std::size_t nodes = 0;             ///< number of own nodes placed
    std::size_t edges = 0;             ///< number of edges present between their placed ends
    double degree = 0;                 ///< the smaller of the two as fractions; 1 if the pattern has none
};

/// Whether both ends of an edge are placed and the observation has the edge within `max_error`.
[[nodiscard]] bool edge_is_placed(const Query& query, std::span<const std::uint32_t> placed,
                                  const Pattern::Edge& edge);

/// Sets `nodes`, `edges` and `degree` from `placed`.
void count_coverage(const Query& query, PartialMatch& match);

/// Greedy search for part of a pattern. Grows a placement from a seed, always by the node with the smallest
/// error relative to its placed neighbours. If no further node can be reached, it adds another seed. Several
/// first seeds are tried; the placement with the largest coverage is returned. Only `FullSearch` decides
/// whether the *complete* pattern is present.
class PartialSearch {
  public:
    explicit PartialSearch(std::size_t seeds = 8) : seeds_(seeds) {}

    const PartialMatch& operator()(const Query& query, WorkCounts& work);

  private:
    /// A pattern node and an observed node that it may be placed on.
    struct Pair {
        std::uint32_t node = 0;
        std::uint32_t at = 0;
        double distance = 0;          ///< between the expected and the observed position
        double error = 0;             ///< sum of the displacement errors to placed neighbours
        std::uint32_t neighbours = 0; ///< number of placed neighbours
    };

    void list_pairs(const Query& query);
    void list_seeds();
    void restart(const Query& query);
    void grow(const Query& query);
    void place(const Query& query, std::uint32_t node, std::uint32_t at);
    void update_pairs(const Query& query, const Pattern::Edge& edge, std::uint32_t node, bool outgoing);
    [[nodiscard]] const Pair* best_reachable(double max_error) const;
    [[nodiscard]] const Pair* nearest(double max_error) const;
    [[nodiscard]] bool is_open(const Pair& pair) const;

    std::size_t seeds_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_pair_; ///< by node: its first pair
    std::vector<std::size_t> seed_order_;
    std::vector<std::uint8_t> taken_; ///< observed nodes in use
    PartialMatch match_;
    PartialMatch best_;
};

} // namespace sprig::match

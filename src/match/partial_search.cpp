#include "match/partial_search.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sprig::match {

bool edge_is_placed(const Query& query, std::span<const std::uint32_t> placed, const Pattern::Edge& edge) {
    const std::uint32_t from = image_of(query, placed, edge.from);
    const std::uint32_t to = image_of(query, placed, edge.to);
    return from != unassigned && to != unassigned &&
           query.observation.bits().has_edge(edge.layer, from, to) &&
           squared_error(query.observation, edge, from, to) <= query.max_error * query.max_error;
}

void count_coverage(const Query& query, PartialMatch& match) {
    const Pattern& pattern = query.pattern;
    match.nodes = pattern.node_count() -
                  static_cast<std::size_t>(std::count(match.placed.begin(), match.placed.end(), unassigned));
    match.edges = static_cast<std::size_t>(
        std::count_if(pattern.edges().begin(), pattern.edges().end(),
                      [&](const Pattern::Edge& edge) { return edge_is_placed(query, match.placed, edge); }));
    const auto fraction = [](std::size_t part, std::size_t whole) {
        return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    match.degree =
        std::min(fraction(match.nodes, pattern.node_count()), fraction(match.edges, pattern.edges().size()));
}

const PartialMatch& PartialSearch::operator()(const Query& query, WorkCounts& work) {
    ++work.partial;
    list_pairs(query);
    list_seeds();
    const bool pinned = query.pattern.anchor_count() > 0;
    const std::size_t attempts = pinned ? 1 : std::min(seeds_, seed_order_.size());
    best_ = {};
    best_.placed.assign(query.pattern.node_count(), unassigned);
    count_coverage(query, best_);
    for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
        restart(query);
        if (!pinned) {
            const Pair& seed = pairs_[seed_order_[attempt]];
            place(query, seed.node, seed.at);
        }
        grow(query);
        count_coverage(query, match_);
        if (std::tie(match_.degree, match_.edges, match_.nodes) >
            std::tie(best_.degree, best_.edges, best_.nodes)) {
            std::swap(best_, match_);
        }
    }
    return best_;
}

void PartialSearch::list_pairs(const Query& query) {
    pairs_.clear();
    first_pair_.clear();
    const Observation& observation = query.observation;
    for (std::uint32_t i = 0; i < query.pattern.node_count(); ++i) {
        first_pair_.push_back(static_cast<std::uint32_t>(pairs_.size()));
        const Pattern::Node& node = query.pattern.node(i);
        for (std::uint32_t j = 0; j < observation.node_count(); ++j) {
            if (observation.type(j) != node.type) continue;
            if (!query.used.empty() && BitNetwork::test(query.used, j)) continue;
            const double squared = (observation.position(j) - node.position).squared_length();
            // A node without edges has only its position. Compare squares, as in the exact search: a square
            // root may be rounded across the bound.
            if (query.pattern.links(i).empty() && squared > query.max_error * query.max_error) continue;
            pairs_.push_back({i, j, std::sqrt(squared), 0, 0});
        }
    }
    first_pair_.push_back(static_cast<std::uint32_t>(pairs_.size()));
}

void PartialSearch::list_seeds() {
    seed_order_.resize(pairs_.size());
    for (std::size_t p = 0; p < pairs_.size(); ++p) seed_order_[p] = p;
    const std::size_t wanted = std::min(seeds_, pairs_.size());
    std::partial_sort(seed_order_.begin(), seed_order_.begin() + static_cast<std::ptrdiff_t>(wanted),
                      seed_order_.end(), [&](std::size_t a, std::size_t b) {
                          return std::tie(pairs_[a].distance, a) < std::tie(pairs_[b].distance, b);
                      });
}

void PartialSearch::restart(const Query& query) {
    match_.placed.assign(query.pattern.node_count(), unassigned);
    taken_.assign(query.observation.node_count(), 0);
    for (Pair& pair : pairs_) {
        pair.error = 0;
        pair.neighbours = 0;
    }
    const std::size_t own = query.pattern.node_count();
    for (const Pattern::Edge& edge : query.pattern.edges()) {
        if (edge.from >= own && edge.to < own) update_pairs(query, edge, edge.to, true);
        if (edge.to >= own && edge.from < own) update_pairs(query, edge, edge.from, false);
    }
}

/// Updates the errors of the pairs of `node` after the other end of `edge` has been placed. `outgoing`: the
/// edge leads to `node`.
void PartialSearch::update_pairs(const Query& query, const Pattern::Edge& edge, std::uint32_t node,
                                 bool outgoing) {
    const std::uint32_t other = image_of(query, match_.placed, outgoing ? edge.from : edge.to);
    for (std::uint32_t p = first_pair_[node]; p < first_pair_[node + 1]; ++p) {
        const std::uint32_t at = pairs_[p].at;
        const double squared = outgoing ? squared_error(query.observation, edge, other, at)
                                        : squared_error(query.observation, edge, at, other);
        pairs_[p].error += std::sqrt(squared);
        ++pairs_[p].neighbours;
    }
}

void PartialSearch::place(const Query& query, std::uint32_t node, std::uint32_t at) {
    match_.placed[node] = at;
    taken_[at] = 1;
    const std::size_t own = query.pattern.node_count();
    for (const Pattern::Link& link : query.pattern.links(node)) {
        if (link.other >= own || match_.placed[link.other] != unassigned) continue;
        update_pairs(query, query.pattern.edges()[link.edge], link.other, link.outgoing);
    }
}

bool PartialSearch::is_open(const Pair& pair) const {
    return match_.placed[pair.node] == unassigned && taken_[pair.at] == 0;
}

const PartialSearch::Pair* PartialSearch::best_reachable(double max_error) const {
    const Pair* best = nullptr;
    double least = max_error;
    for (const Pair& pair : pairs_) {
        if (pair.neighbours == 0 || !is_open(pair)) continue;
        const double mean = pair.error / pair.neighbours;
        if (mean < least || (best == nullptr && mean <= least)) {
            best = &pair;
            least = mean;
        }
    }
    return best;
}

const PartialSearch::Pair* PartialSearch::nearest(double max_error) const {
    const Pair* best = nullptr;
    for (const Pair& pair : pairs_) {
        if (!is_open(pair) || pair.distance > max_error) continue;
        // With placed neighbours the error was too large.
        if (pair.neighbours > 0) continue;
        if (best == nullptr || pair.distance < best->distance) best = &pair;
    }
    return best;
}

void PartialSearch::grow(const Query& query) {
    while (true) {
        const Pair* next = best_reachable(query.max_error);
        if (next == nullptr) next = nearest(query.max_error);
        if (next == nullptr) return;
        place(query, next->node, next->at);
    }
}

} // namespace sprig::match

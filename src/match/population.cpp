#include "match/population.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/elementary.h"
#include "core/keyed.h"
#include "core/quantise.h"

namespace sprig::match {

namespace {

bool contains(std::span<const std::uint32_t> placed, std::uint32_t at) {
    return std::find(placed.begin(), placed.end(), at) != placed.end();
}

/// Whether a node of the pattern may be placed on an observed node.
bool is_free(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node,
             std::uint32_t at) {
    if (query.observation.type(at) != query.pattern.node(node).type) return false;
    if (!query.used.empty() && BitNetwork::test(query.used, at)) return false;
    return !contains(placed, at);
}

/// Whether a node has a placed neighbour.
bool is_reached(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node) {
    const auto links = query.pattern.links(node);
    return std::any_of(links.begin(), links.end(), [&](const Pattern::Link& link) {
        return image_of(query, placed, link.other) != unassigned;
    });
}

/// The mean error of the displacements between `at` and the placed neighbours of `node`. There must be one.
double mean_error(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node,
                  std::uint32_t at) {
    double sum = 0;
    int count = 0;
    for (const Pattern::Link& link : query.pattern.links(node)) {
        const std::uint32_t other = image_of(query, placed, link.other);
        if (other == unassigned) continue;
        const Pattern::Edge& edge = query.pattern.edges()[link.edge];
        sum += std::sqrt(link.outgoing ? squared_error(query.observation, edge, at, other)
                                       : squared_error(query.observation, edge, other, at));
        ++count;
    }
    return sum / count;
}

struct Seed {
    double squared = 0; ///< distance
    std::uint32_t node = 0;
    std::uint32_t at = 0;

    friend bool operator<(const Seed& a, const Seed& b) {
        return std::tie(a.squared, a.node, a.at) < std::tie(b.squared, b.node, b.at);
    }
};

/// Possible placements of nodes without placed neighbours, nearest first.
std::vector<Seed> list_seeds(const Query& query, std::span<const std::uint32_t> placed) {
    std::vector<Seed> seeds;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        if (placed[i] != unassigned || is_reached(query, placed, i)) continue;
        for (std::uint32_t j = 0; j < query.observation.node_count(); ++j) {
            if (!is_free(query, placed, i, j)) continue;
            const double squared =
                (query.observation.position(j) - query.pattern.node(i).position).squared_length();
            // A node without edges has only its position.
            const bool isolated = query.pattern.links(i).empty();
            if (!isolated || squared <= query.max_error * query.max_error) seeds.push_back({squared, i, j});
        }
    }
    std::sort(seeds.begin(), seeds.end());
    return seeds;
}

} // namespace

PopulationSearch::PopulationSearch(PopulationOptions options) : options_(std::move(options)) {}

const PartialMatch& PopulationSearch::operator()(const Query& query, WorkCounts& work, std::uint64_t key) {
    ++work.partial;
    seed(query, key);
    do {
        sweep(query);
    } while (options_.seed_again && seed_again(query));
    return members_.front().match;
}

/// Starts from the pins or, if there are none, from the nearest seeds.
void PopulationSearch::seed(const Query& query, std::uint64_t key) {
    Member empty;
    empty.lineage = key;
    empty.match.placed.assign(query.pattern.node_count(), unassigned);
    count_coverage(query, empty.match);
    grown_.assign(1, empty);
    members_.clear();
    if (query.pattern.anchor_count() == 0) {
        std::vector<Seed> seeds = list_seeds(query, empty.match.placed);
        seeds.resize(std::min(seeds.size(), options_.size));
        for (const Seed& seed : seeds) {
            const Extension first = {seed.node, seed.at, 0};
            admitted_.clear();
            add_grown(query, empty, &first);
        }
    }
    if (grown_.size() > 1) grown_.erase(grown_.begin());
    select_best();
}

/// Grows all members at each tolerance, from strict to lenient.
void PopulationSearch::sweep(const Query& query) {
    for (std::size_t tolerance = 0; tolerance < options_.tolerances.size(); ++tolerance) {
        while (grow_all(query, tolerance)) {
        }
    }
}

/// Grows each member once. Each round adds nodes to a member, or the member cannot grow at this tolerance,
/// since the draws do not change. So the number of rounds is at most the number of nodes.
bool PopulationSearch::grow_all(const Query& query, std::size_t tolerance) {
    grown_.clear();
    bool any = false;
    for (const Member& member : members_) any = grow(query, member, tolerance) || any;
    if (any) select_best();
    return any;
}

bool PopulationSearch::grow(const Query& query, const Member& member, std::size_t tolerance) {
    list_admitted(query, member, tolerance);
    if (admitted_.empty()) {
        grown_.push_back(member);
        return false;
    }
    const std::vector<std::uint32_t> placed = add_grown(query, member, nullptr).match.placed;
    for (const Extension& extension : admitted_) {
        const bool lost = placed[extension.node] != extension.at && contains(placed, extension.at);
        if (lost) add_grown(query, member, &extension);
    }
    return true;
}

/// Lists the extensions that a member admits, best first.
void PopulationSearch::list_admitted(const Query& query, const Member& member, std::size_t tolerance) {
    admitted_.clear();
    const std::vector<std::uint32_t>& placed = member.match.placed;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        if (placed[i] != unassigned || !is_reached(query, placed, i)) continue;
        for (std::uint32_t j = 0; j < query.observation.node_count(); ++j) {
            if (!is_free(query, placed, i, j)) continue;
            const Extension extension = {i, j, mean_error(query, placed, i, j)};
            if (extension.error > query.max_error || !is_admitted(member, extension, tolerance)) continue;
            admitted_.push_back(extension);
        }
    }
    std::sort(admitted_.begin(), admitted_.end(), [](const Extension& a, const Extension& b) {
        return std::tie(a.error, a.node, a.at) < std::tie(b.error, b.node, b.at);
    });
}

/// No error is too large, but larger errors are less likely to be admitted. The probability is rounded
/// because that of earlier versions was: otherwise this one might find other matches.
bool PopulationSearch::is_admitted(const Member& member, const Extension& extension,
                                   std::size_t tolerance) const {
    const double probability = quantise(elementary::exp(-extension.error / options_.tolerances[tolerance]));
    return random::uniform(random::mix({member.lineage, tolerance, extension.node, extension.at})) <
           probability;
}

/// Adds a copy of `parent` with its admitted extensions, as far as they are compatible. `first` has priority.
PopulationSearch::Member& PopulationSearch::add_grown(const Query& query, const Member& parent,
                                                      const Extension* first) {
    Member child = parent;
    std::vector<std::uint32_t>& placed = child.match.placed;
    if (first != nullptr) {
        child.lineage = random::mix({parent.lineage, first->node, first->at});
        placed[first->node] = first->at;
    }
    for (const Extension& extension : admitted_) {
        if (placed[extension.node] == unassigned && !contains(placed, extension.at)) {
            placed[extension.node] = extension.at;
        }
    }
    count_coverage(query, child.match);
    return grown_.emplace_back(std::move(child));
}

/// Adds the nearest seed to each member. False if no member has one.
bool PopulationSearch::seed_again(const Query& query) {
    bool any = false;
    for (Member& member : members_) {
        const std::vector<Seed> seeds = list_seeds(query, member.match.placed);
        if (seeds.empty()) continue;
        member.match.placed[seeds.front().node] = seeds.front().at;
        count_coverage(query, member.match);
        any = true;
    }
    grown_ = members_;
    select_best();
    return any;
}

/// The next population: the distinct candidates with the largest coverage.
void PopulationSearch::select_best() {
    std::stable_sort(grown_.begin(), grown_.end(), [](const Member& a, const Member& b) {
        return std::tie(a.match.degree, a.match.edges, a.match.nodes) >
               std::tie(b.match.degree, b.match.edges, b.match.nodes);
    });
    members_.clear();
    for (Member& member : grown_) {
        if (members_.size() == std::max<std::size_t>(options_.size, 1)) break;
        const bool is_new = std::none_of(members_.begin(), members_.end(), [&](const Member& kept) {
            return kept.match.placed == member.match.placed;
        });
        if (is_new) members_.push_back(std::move(member));
    }
}

} // namespace sprig::match

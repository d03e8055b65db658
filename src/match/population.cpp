#include "match/population.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/exact.h"
#include "core/keyed.h"

namespace sprig::match {

namespace {

bool holds(std::span<const std::uint32_t> placed, std::uint32_t at) {
    return std::find(placed.begin(), placed.end(), at) != placed.end();
}

/// Whether an observed node is there for a node of the pattern.
bool is_free(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node,
             std::uint32_t at) {
    if (query.observation.type(at) != query.pattern.node(node).type) return false;
    if (!query.used.empty() && BitNetwork::test(query.used, at)) return false;
    return !holds(placed, at);
}

/// Whether an edge leads from a node to one that has its place.
bool is_reached(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node) {
    const auto links = query.pattern.links(node);
    return std::any_of(links.begin(), links.end(), [&](const Pattern::Link& link) {
        return image_of(query, placed, link.other) != nowhere;
    });
}

/// How far the displacements between `at` and the placed neighbours of `node`, of which there must be one,
/// are off on average.
double mean_error(const Query& query, std::span<const std::uint32_t> placed, std::uint32_t node,
                  std::uint32_t at) {
    double sum = 0;
    int count = 0;
    for (const Pattern::Link& link : query.pattern.links(node)) {
        const std::uint32_t other = image_of(query, placed, link.other);
        if (other == nowhere) continue;
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

/// Where nodes that no edge leads to may lie, the nearest first.
std::vector<Seed> list_seeds(const Query& query, std::span<const std::uint32_t> placed) {
    std::vector<Seed> seeds;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        if (placed[i] != nowhere || is_reached(query, placed, i)) continue;
        for (std::uint32_t j = 0; j < query.observation.node_count(); ++j) {
            if (!is_free(query, placed, i, j)) continue;
            const double squared =
                (query.observation.position(j) - query.pattern.node(i).position).squared_length();
            // Nothing but its position says where a node without edges belongs.
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

/// Pins are the only seed; without them there are those that lie nearest.
void PopulationSearch::seed(const Query& query, std::uint64_t key) {
    Member empty;
    empty.lineage = key;
    empty.match.placed.assign(query.pattern.node_count(), nowhere);
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
    keep_the_best();
}

/// Lets everybody reconsider, from the strict tolerance to the lenient, what was declined before.
void PopulationSearch::sweep(const Query& query) {
    for (std::size_t tolerance = 0; tolerance < options_.tolerances.size(); ++tolerance) {
        while (grow_all(query, tolerance)) {
        }
    }
}

/// One round. Whoever grows has more nodes than before, and whoever does not will not at this tolerance,
/// since draws do not change: there are at most as many rounds as nodes.
bool PopulationSearch::grow_all(const Query& query, std::size_t tolerance) {
    grown_.clear();
    bool any = false;
    for (const Member& member : members_) any = grow(query, member, tolerance) || any;
    if (any) keep_the_best();
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
        const bool lost = placed[extension.node] != extension.at && holds(placed, extension.at);
        if (lost) add_grown(query, member, &extension);
    }
    return true;
}

/// What a member admits, the best first.
void PopulationSearch::list_admitted(const Query& query, const Member& member, std::size_t tolerance) {
    admitted_.clear();
    const std::vector<std::uint32_t>& placed = member.match.placed;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        if (placed[i] != nowhere || !is_reached(query, placed, i)) continue;
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

/// Nothing is refused for its distance, it is only less likely. The rounding is for machines whose `exp`
/// differs in the last bits.
bool PopulationSearch::is_admitted(const Member& member, const Extension& extension,
                                   std::size_t tolerance) const {
    const double likelihood = random::exact(std::exp(-extension.error / options_.tolerances[tolerance]));
    return random::uniform(random::mix({member.lineage, tolerance, extension.node, extension.at})) <
           likelihood;
}

/// The member with all that it admitted, as far as there is room, `first` before all others.
PopulationSearch::Member& PopulationSearch::add_grown(const Query& query, const Member& parent,
                                                      const Extension* first) {
    Member child = parent;
    std::vector<std::uint32_t>& placed = child.match.placed;
    if (first != nullptr) {
        child.lineage = random::mix({parent.lineage, first->node, first->at});
        placed[first->node] = first->at;
    }
    for (const Extension& extension : admitted_) {
        if (placed[extension.node] == nowhere && !holds(placed, extension.at)) {
            placed[extension.node] = extension.at;
        }
    }
    count_coverage(query, child.match);
    return grown_.emplace_back(std::move(child));
}

/// Places the nearest of the nodes that nobody leads to. False if no member has one.
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
    keep_the_best();
    return any;
}

/// The next population: of what has grown, those that cover most, each once.
void PopulationSearch::keep_the_best() {
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

#include "match/full_search.h"

#include <algorithm>
#include <tuple>

#include "match/bits.h"

namespace sprig::match {

namespace {

/// Partial costs are summed in the order of the search, complete costs in canonical order. The slack keeps
/// the bound from pruning a placement of equal cost because of rounding.
constexpr double bound_slack = 1e-9;

/// A search in an observation of at most W words.
template <std::size_t W>
class Search {
  public:
    struct Value {
        double cost = 0;
        std::uint32_t node = 0;
    };
    /// The state at one depth: the nodes placed so far and the domains of the others.
    struct State {
        std::vector<Bits<W>> domains;
        std::vector<std::uint32_t> placed;
        double cost = 0;
        std::vector<Value> values; ///< candidates for the node that this depth branches on
    };

    bool run(const Query& query, const SearchOptions& options, std::vector<std::uint32_t>& best,
             WorkCounts& work) {
        query_ = &query;
        options_ = &options;
        best_ = &best;
        best_cost_ = std::numeric_limits<double>::infinity();
        max_squared_ = query.max_error * query.max_error;
        found_ = false;
        visited_ = 0;
        ++work.searches;
        if (pinned_edges_hold() && init_domains()) descend(0);
        work.visited += visited_;
        if (visited_ > options.budget) ++work.gave_up;
        return found_;
    }

  private:
    [[nodiscard]] const Pattern& pattern() const { return query_->pattern; }
    [[nodiscard]] const BitNetwork& bits() const { return query_->observation.bits(); }
    /// The possible far ends of a link whose near end is placed at `at`.
    [[nodiscard]] Bits<W> neighbours(const Pattern::Link& link, std::uint32_t at) const {
        return Bits<W>::from(link.outgoing ? bits().successors(link.layer, at)
                                           : bits().predecessors(link.layer, at));
    }
    [[nodiscard]] bool exhausted() const { return visited_ > options_->budget; }

    [[nodiscard]] bool pinned_edges_hold() const {
        for (const std::uint32_t e : pattern().pinned_edges()) {
            const Pattern::Edge& edge = pattern().edges()[e];
            const std::uint32_t from = image_of(*query_, {}, edge.from);
            const std::uint32_t to = image_of(*query_, {}, edge.to);
            if (!bits().has_edge(edge.layer, from, to)) return false;
            if (squared_error(query_->observation, edge, from, to) > max_squared_) return false;
        }
        return true;
    }

    /// Initialises the domain of each node from its type, its anchors and the used nodes. False if one is
    /// empty.
    bool init_domains() {
        const std::size_t n = pattern().node_count();
        if (n > query_->observation.node_count()) return false;
        if (states_.empty()) states_.emplace_back();
        State& state = states_[0];
        state.domains.resize(n);
        state.placed.assign(n, unassigned);
        state.cost = 0;
        const Bits<W> used = Bits<W>::from(query_->used);
        for (std::uint32_t i = 0; i < n; ++i) {
            Bits<W> domain = Bits<W>::from(bits().of_type(pattern().node(i).type)).without(used);
            for (const Pattern::Link& link : pattern().links(i)) {
                // Seen from the anchor, the link has the opposite direction.
                if (link.other < n) continue;
                const std::uint32_t pin = query_->pins[link.other - n];
                domain &= neighbours({link.edge, i, link.layer, !link.outgoing}, pin);
            }
            if (options_->signatures) domain = with_signature(domain, pattern().signature(i));
            if (!domain.any()) return false;
            state.domains[i] = domain;
        }
        return true;
    }

    [[nodiscard]] Bits<W> with_signature(const Bits<W>& domain, Signature wanted) const {
        Bits<W> kept = domain;
        domain.each([&](std::uint32_t j) {
            if ((wanted & ~query_->observation.signature(j)) != 0) kept.erase(j);
        });
        return kept;
    }

    /// The cost of placing node i at j; infinity if an edge to a placed node is missing or its error exceeds
    /// `max_error`.
    [[nodiscard]] double added_cost(const State& state, std::uint32_t i, std::uint32_t j) const {
        const auto links = pattern().links(i);
        const Observation& observation = query_->observation;
        if (links.empty()) {
            return within((observation.position(j) - pattern().node(i).position).squared_length());
        }
        double cost = 0;
        for (const Pattern::Link& link : links) {
            const std::uint32_t other = image_of(*query_, state.placed, link.other);
            if (other == unassigned) continue;
            const std::uint32_t from = link.outgoing ? j : other;
            const std::uint32_t to = link.outgoing ? other : j;
            if (!bits().has_edge(link.layer, from, to)) return std::numeric_limits<double>::infinity();
            cost += within(squared_error(observation, pattern().edges()[link.edge], from, to));
        }
        return cost;
    }
    [[nodiscard]] double within(double squared) const {
        return squared > max_squared_ ? std::numeric_limits<double>::infinity() : squared;
    }

    /// Places node i at j. False if the domain of another node becomes empty.
    bool place(State& state, std::uint32_t i, std::uint32_t j, double cost) {
        ++visited_;
        state.placed[i] = j;
        state.cost += cost;
        if (!options_->look_ahead) return true;
        const std::size_t n = pattern().node_count();
        for (const Pattern::Link& link : pattern().links(i)) {
            if (link.other < n && state.placed[link.other] == unassigned) {
                state.domains[link.other] &= neighbours(link, j);
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            if (state.placed[k] != unassigned) continue;
            state.domains[k].erase(j);
            if (!state.domains[k].any()) return false;
        }
        return true;
    }

    /// The node to branch on, or `unassigned` if all are placed.
    [[nodiscard]] std::uint32_t choose(const State& state) const {
        std::uint32_t chosen = unassigned;
        int fewest = std::numeric_limits<int>::max();
        for (std::uint32_t i = 0; i < state.placed.size(); ++i) {
            if (state.placed[i] != unassigned) continue;
            if (!options_->smallest_first) return i;
            const int count = state.domains[i].count();
            if (count < fewest) {
                chosen = i;
                fewest = count;
                if (count <= 1) break;
            }
        }
        return chosen;
    }

    [[nodiscard]] bool exceeds_bound(double cost) const {
        return options_->bound && found_ && cost > best_cost_ + (bound_slack * (1 + best_cost_));
    }

    void list_values(State& state, std::uint32_t node) const {
        state.values.clear();
        state.domains[node].each([&](std::uint32_t j) {
            if (!options_->look_ahead && is_taken(state, j)) return;
            const double cost = added_cost(state, node, j);
            if (cost < std::numeric_limits<double>::infinity()) state.values.push_back({cost, j});
        });
        std::sort(state.values.begin(), state.values.end(), [](const Value& a, const Value& b) {
            return std::tie(a.cost, a.node) < std::tie(b.cost, b.node);
        });
    }
    [[nodiscard]] static bool is_taken(const State& state, std::uint32_t j) {
        return std::find(state.placed.begin(), state.placed.end(), j) != state.placed.end();
    }

    void descend(std::size_t depth) {
        std::uint32_t node = choose(states_[depth]);
        while (node != unassigned) {
            list_values(states_[depth], node);
            const std::size_t count = states_[depth].values.size();
            if (count == 0 || exhausted()) return;
            if (count > 1) return branch(depth, node);
            // A single candidate needs no copy of the state.
            State& state = states_[depth];
            const Value only = state.values[0];
            if (exceeds_bound(state.cost + only.cost) || !place(state, node, only.node, only.cost)) return;
            node = choose(state);
        }
        update_best(states_[depth]);
    }

    void branch(std::size_t depth, std::uint32_t node) {
        if (states_.size() <= depth + 1) states_.emplace_back();
        for (std::size_t v = 0; v < states_[depth].values.size() && !exhausted(); ++v) {
            const State& here = states_[depth];
            const Value value = here.values[v];
            if (exceeds_bound(here.cost + value.cost)) return; // the remaining values cost more
            State& next = states_[depth + 1];
            next.domains = here.domains;
            next.placed = here.placed;
            next.cost = here.cost;
            if (place(next, node, value.node, value.cost)) descend(depth + 1);
        }
    }

    void update_best(const State& state) {
        const double cost = placement_cost(*query_, state.placed);
        if (found_ && (cost > best_cost_ || (cost == best_cost_ && !(state.placed < *best_)))) return;
        found_ = true;
        best_cost_ = cost;
        *best_ = state.placed;
    }

    const Query* query_ = nullptr;
    const SearchOptions* options_ = nullptr;
    std::vector<std::uint32_t>* best_ = nullptr;
    double best_cost_ = 0;
    double max_squared_ = 0;
    bool found_ = false;
    std::uint64_t visited_ = 0;
    std::vector<State> states_;
};

} // namespace

struct FullSearch::Workspace {
    Search<1> small;
    Search<4> medium;
    Search<max_nodes / 64> large;
};

FullSearch::FullSearch(const SearchOptions& options)
    : options_(options), workspace_(std::make_unique<Workspace>()) {}
FullSearch::~FullSearch() = default;
FullSearch::FullSearch(FullSearch&&) noexcept = default;
FullSearch& FullSearch::operator=(FullSearch&&) noexcept = default;

bool FullSearch::operator()(const Query& query, std::vector<std::uint32_t>& placed, WorkCounts& work) {
    const std::size_t words = query.observation.words();
    if (words <= 1) return workspace_->small.run(query, options_, placed, work);
    if (words <= 4) return workspace_->medium.run(query, options_, placed, work);
    return workspace_->large.run(query, options_, placed, work);
}

double placement_cost(const Query& query, std::span<const std::uint32_t> placed) {
    double cost = 0;
    for (const Pattern::Edge& edge : query.pattern.edges()) {
        cost += squared_error(query.observation, edge, image_of(query, placed, edge.from),
                              image_of(query, placed, edge.to));
    }
    for (std::size_t i = 0; i < query.pattern.node_count(); ++i) {
        if (!query.pattern.links(i).empty()) continue;
        cost += (query.observation.position(placed[i]) - query.pattern.node(i).position).squared_length();
    }
    return cost;
}

} // namespace sprig::match

#include "explain/smallest_change.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace sprig::explain {

namespace {

/// By how much a class leads: above 0 only if it is the answer. Among equals the first class wins, as in a
/// prediction.
double lead_of(const std::vector<double>& scores, std::size_t label) {
    double next = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (k != label) next = std::max(next, scores[k]);
    return scores[label] - next;
}

bool is_answer(const std::vector<double>& scores, std::size_t label) {
    return std::ranges::max_element(scores) - scores.begin() == static_cast<std::ptrdiff_t>(label);
}

/// How many sets of k things there are among n, or `most` + 1 if more than that.
std::size_t sets_of(std::size_t k, std::size_t n, std::size_t most) {
    if (k > n) return 0;
    std::size_t count = 1;
    for (std::size_t i = 0; i < k; ++i) {
        count = count * (n - i) / (i + 1);
        if (count > most) return most + 1;
    }
    return count;
}

/// The next set of the same size in order; false after the last one.
bool advance(std::vector<std::size_t>& chosen, std::size_t n) {
    const std::size_t k = chosen.size();
    for (std::size_t i = k; i-- > 0;) {
        if (chosen[i] == n - k + i) continue;
        ++chosen[i];
        for (std::size_t next = i + 1; next < k; ++next) chosen[next] = chosen[next - 1] + 1;
        return true;
    }
    return false;
}

class Search {
  public:
    Search(Reader& reader, const Network& network, std::size_t best, std::size_t other,
           const LocalOptions& options)
        : reader_(reader), network_(network), best_(best), other_(other), options_(options),
          candidates_(reader.suppositions(network, other, best)) {
        result_.scores = reader.scores_if(network, {});
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            for_best_.push_back(evaluate({i}).scores[best] - result_.scores[best]);
        result_.at_least = std::max<std::size_t>(least_possible(), 1);
    }

    Change go() {
        if (!try_all_sets()) {
            try_each_unit();
            if (!result_.is_smallest()) try_step_by_step();
            while (result_.found() && !result_.is_smallest() && try_one_fewer()) continue;
        }
        return std::move(result_);
    }

  private:
    using Chosen = std::vector<std::size_t>; ///< indices of candidates

    struct Tried {
        std::vector<double> scores;
        double lead = 0;
        bool answers = false;
    };

    Tried evaluate(const Chosen& chosen) {
        added_.clear();
        for (const std::size_t i : chosen) added_.push_back(candidates_[i]);
        Tried tried{reader_.scores_if(network_, added_)};
        tried.lead = lead_of(tried.scores, other_);
        tried.answers = is_answer(tried.scores, other_);
        return tried;
    }

    [[nodiscard]] std::size_t largest_wanted() const {
        return result_.found() ? result_.added.size() - 1 : options_.most_added;
    }

    void keep(const Chosen& chosen, Tried tried) {
        result_.added.clear();
        for (const std::size_t i : chosen) result_.added.push_back(candidates_[i]);
        result_.scores = std::move(tried.scores);
    }

    /// How many it takes at least. More of them never lower a score, so that a set has to lift the other
    /// class to what the best one has with that member of the set alone from which it gains most. Sets are
    /// bounded together whose such members are worth about the same to it.
    std::size_t least_possible() {
        constexpr std::size_t steps = 8;
        const std::size_t count = candidates_.size();
        Chosen order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return for_best_[i]; });
        std::vector<Supposition> cheaper;
        std::size_t least = count + 1;
        for (std::size_t step = 0; step < steps; ++step) {
            const std::size_t first = step * count / steps;
            const std::size_t end = (step + 1) * count / steps;
            if (first == end) continue;
            for (std::size_t i = first; i < end; ++i) cheaper.push_back(candidates_[order[i]]);
            const double needed = result_.scores[best_] + for_best_[order[first]];
            const std::size_t takes = reader_.least_needed(network_, other_, cheaper, needed);
            if (takes <= cheaper.size()) least = std::min(least, takes);
        }
        return least;
    }

    /// All sets of one, then of two, then of three, as long as there are not too many. Of the first size that
    /// has one which does it, the one that does it most clearly is kept: none can be smaller.
    bool try_all_sets() {
        constexpr std::size_t largest = 3;
        for (std::size_t size = 1; size <= std::min(largest, options_.most_added); ++size) {
            if (size < result_.at_least) continue; // known not to do
            if (sets_of(size, candidates_.size(), options_.most_tried) > options_.most_tried) return false;
            if (try_sets_of(size)) return true;
            result_.at_least = size + 1;
        }
        return false;
    }

    bool try_sets_of(std::size_t size) {
        if (size > candidates_.size()) return false;
        Chosen chosen(size);
        std::iota(chosen.begin(), chosen.end(), std::size_t{0});
        double most = 0;
        bool any = false;
        do {
            Tried tried = evaluate(chosen);
            if (!tried.answers || (any && tried.lead <= most)) continue;
            any = true;
            most = tried.lead;
            keep(chosen, std::move(tried));
        } while (advance(chosen, candidates_.size()));
        return any;
    }

    /// What one unit misses, what gains most first, until it is enough: units compete for the answer, so that
    /// helping one of them helps more than helping several a little.
    void try_each_unit() {
        for (std::size_t first = 0; first < candidates_.size();) {
            std::size_t end = first;
            while (end < candidates_.size() && candidates_[end].unit == candidates_[first].unit) ++end;
            Chosen chosen;
            for (std::size_t i = first; i < end && chosen.size() < largest_wanted(); ++i) {
                chosen.push_back(i);
                if (chosen.size() < result_.at_least) continue; // known not to do
                if (!evaluate(chosen).answers) continue;
                keep_irreducible(std::move(chosen));
                break;
            }
            first = end;
        }
    }

    /// At each step what helps most, whatever unit it belongs to.
    void try_step_by_step() {
        Chosen chosen;
        while (chosen.size() < largest_wanted() && chosen.size() < candidates_.size()) {
            std::size_t best = candidates_.size();
            double most = -std::numeric_limits<double>::infinity();
            bool answers = false;
            chosen.push_back(0);
            for (std::size_t i = 0; i < candidates_.size(); ++i) {
                if (std::find(chosen.begin(), chosen.end() - 1, i) != chosen.end() - 1) continue;
                chosen.back() = i;
                const Tried tried = evaluate(chosen);
                if (tried.lead <= most) continue;
                most = tried.lead;
                best = i;
                answers = tried.answers;
            }
            chosen.back() = best;
            if (answers) return keep_irreducible(std::move(chosen));
        }
    }

    /// One fewer than was found, of the same unit's candidates, as many of them as there is time for.
    bool try_one_fewer() {
        const std::size_t size = result_.added.size() - 1;
        Chosen chosen;
        Chosen group;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if (candidates_[i].unit == result_.added.front().unit &&
                sets_of(size, group.size() + 1, options_.most_tried / 4) <= options_.most_tried / 4)
                group.push_back(i);
        if (group.size() < size || size == 0) return false;
        Chosen picked(size);
        std::iota(picked.begin(), picked.end(), std::size_t{0});
        do {
            chosen.clear();
            for (const std::size_t i : picked) chosen.push_back(group[i]);
            if (!evaluate(chosen).answers) continue;
            keep_irreducible(std::move(chosen));
            return true;
        } while (advance(picked, group.size()));
        return false;
    }

    /// Leaves out what is not needed after all.
    void keep_irreducible(Chosen chosen) {
        for (std::size_t i = chosen.size(); i-- > 0 && chosen.size() > 1;) {
            Chosen fewer = chosen;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (!evaluate(fewer).answers) continue;
            chosen = std::move(fewer);
            i = chosen.size(); // what was needed before may not be now
        }
        keep(chosen, evaluate(chosen));
    }

    Reader& reader_;
    const Network& network_;
    std::size_t best_;
    std::size_t other_;
    const LocalOptions& options_;
    std::vector<Supposition> candidates_;
    std::vector<double> for_best_; ///< by candidate: what it alone is worth to the best class
    std::vector<Supposition> added_;
    Change result_;
};

} // namespace

Change smallest_change(Reader& reader, const Network& network, std::size_t best, std::size_t other,
                       const LocalOptions& options) {
    return Search(reader, network, best, other, options).go();
}

} // namespace sprig::explain

#include "explain/smallest_change.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace sprig::explain {

namespace {

/// The lead of a class over the best other class. Above 0 only if the class is the answer.
double lead_of(const std::vector<double>& scores, std::size_t label) {
    double next = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (k != label) next = std::max(next, scores[k]);
    return scores[label] - next;
}

/// Ties are won by the first class, as in a prediction.
bool is_answer(const std::vector<double>& scores, std::size_t label) {
    return std::ranges::max_element(scores) - scores.begin() == static_cast<std::ptrdiff_t>(label);
}

/// n over k, or `most` + 1 if it is larger than `most`.
std::size_t binomial(std::size_t k, std::size_t n, std::size_t most) {
    if (k > n) return 0;
    std::size_t count = 1;
    for (std::size_t i = 0; i < k; ++i) {
        count = count * (n - i) / (i + 1);
        if (count > most) return most + 1;
    }
    return count;
}

/// Replaces k of n indices by the lexicographically next ones; false after the last combination.
bool next_combination(std::vector<std::size_t>& chosen, std::size_t n) {
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
          candidates_(reader.possible_additions(network, other, best)) {
        result_.scores = reader.scores_with(network, {});
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            for_best_.push_back(evaluate({i}).scores[best] - result_.scores[best]);
        result_.size_lower_bound = std::max<std::size_t>(lower_bound(), 1);
    }

    Change run() {
        if (!try_all_sets()) {
            try_each_unit();
            if (!result_.is_proven_smallest()) try_greedily();
            while (result_.found() && !result_.is_proven_smallest() && try_one_fewer()) continue;
        }
        return std::move(result_);
    }

  private:
    using Chosen = std::vector<std::size_t>; ///< indices of candidates

    struct Outcome {
        std::vector<double> scores;
        double lead = 0;
        bool answers = false;
    };

    Outcome evaluate(const Chosen& chosen) {
        added_.clear();
        for (const std::size_t i : chosen) added_.push_back(candidates_[i]);
        Outcome outcome{reader_.scores_with(network_, added_)};
        outcome.lead = lead_of(outcome.scores, other_);
        outcome.answers = is_answer(outcome.scores, other_);
        return outcome;
    }

    [[nodiscard]] std::size_t max_useful_size() const {
        return result_.found() ? result_.added.size() - 1 : options_.max_additions;
    }

    void keep(const Chosen& chosen, Outcome outcome) {
        result_.added.clear();
        for (const std::size_t i : chosen) result_.added.push_back(candidates_[i]);
        result_.scores = std::move(outcome.scores);
    }

    /// A lower bound of the number of additions. Additions never lower a score, so a set must lift the other
    /// class to the score that the best class has with the one member of the set that raises it most. Sets
    /// are bounded in groups by how much that member raises the best class.
    std::size_t lower_bound() {
        constexpr std::size_t groups = 8;
        const std::size_t count = candidates_.size();
        Chosen order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return for_best_[i]; });
        std::vector<Addition> cheaper;
        std::size_t least = count + 1;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = group * count / groups;
            const std::size_t end = (group + 1) * count / groups;
            if (first == end) continue;
            for (std::size_t i = first; i < end; ++i) cheaper.push_back(candidates_[order[i]]);
            const double needed = result_.scores[best_] + for_best_[order[first]];
            const std::size_t takes = reader_.fewest_needed(network_, other_, cheaper, needed);
            if (takes <= cheaper.size()) least = std::min(least, takes);
        }
        return least;
    }

    /// Tries all sets of one, two and three additions, as long as there are not too many. At the first size
    /// with a solution, the one with the largest lead is kept.
    bool try_all_sets() {
        constexpr std::size_t largest = 3;
        for (std::size_t size = 1; size <= std::min(largest, options_.max_additions); ++size) {
            if (size < result_.size_lower_bound) continue; // ruled out by the bound
            if (binomial(size, candidates_.size(), options_.max_sets_tried) > options_.max_sets_tried)
                return false;
            if (try_sets_of(size)) return true;
            result_.size_lower_bound = size + 1;
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
            Outcome outcome = evaluate(chosen);
            if (!outcome.answers || (any && outcome.lead <= most)) continue;
            any = true;
            most = outcome.lead;
            keep(chosen, std::move(outcome));
        } while (next_combination(chosen, candidates_.size()));
        return any;
    }

    /// Greedy, unit by unit: adds what one unit lacks, largest gain first. Units compete, so that improving
    /// one of them helps more than improving several a little.
    void try_each_unit() {
        for (std::size_t first = 0; first < candidates_.size();) {
            std::size_t end = first;
            while (end < candidates_.size() && candidates_[end].unit == candidates_[first].unit) ++end;
            Chosen chosen;
            for (std::size_t i = first; i < end && chosen.size() < max_useful_size(); ++i) {
                chosen.push_back(i);
                if (chosen.size() < result_.size_lower_bound) continue; // ruled out by the bound
                if (!evaluate(chosen).answers) continue;
                keep_irreducible(std::move(chosen));
                break;
            }
            first = end;
        }
    }

    /// Greedy over all units: each step adds the candidate that gives the largest lead.
    void try_greedily() {
        Chosen chosen;
        while (chosen.size() < max_useful_size() && chosen.size() < candidates_.size()) {
            std::size_t best = candidates_.size();
            double most = -std::numeric_limits<double>::infinity();
            bool answers = false;
            chosen.push_back(0);
            for (std::size_t i = 0; i < candidates_.size(); ++i) {
                if (std::find(chosen.begin(), chosen.end() - 1, i) != chosen.end() - 1) continue;
                chosen.back() = i;
                const Outcome outcome = evaluate(chosen);
                if (outcome.lead <= most) continue;
                most = outcome.lead;
                best = i;
                answers = outcome.answers;
            }
            chosen.back() = best;
            if (answers) return keep_irreducible(std::move(chosen));
        }
    }

    /// Tries sets with one addition fewer among the candidates of the same unit, up to a limit.
    bool try_one_fewer() {
        const std::size_t size = result_.added.size() - 1;
        Chosen chosen;
        Chosen group;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if (candidates_[i].unit == result_.added.front().unit &&
                binomial(size, group.size() + 1, options_.max_sets_tried / 4) <= options_.max_sets_tried / 4)
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
        } while (next_combination(picked, group.size()));
        return false;
    }

    /// Keeps the set without the additions that are not needed.
    void keep_irreducible(Chosen chosen) {
        for (std::size_t i = chosen.size(); i-- > 0 && chosen.size() > 1;) {
            Chosen fewer = chosen;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (!evaluate(fewer).answers) continue;
            chosen = std::move(fewer);
            i = chosen.size(); // an addition that was needed before may not be needed now
        }
        keep(chosen, evaluate(chosen));
    }

    Reader& reader_;
    const Network& network_;
    std::size_t best_;
    std::size_t other_;
    const LocalOptions& options_;
    std::vector<Addition> candidates_;
    std::vector<double> for_best_; ///< by candidate: gain of the best class by it alone
    std::vector<Addition> added_;
    Change result_;
};

} // namespace

Change smallest_change(Reader& reader, const Network& network, std::size_t best, std::size_t other,
                       const LocalOptions& options) {
    return Search(reader, network, best, other, options).run();
}

} // namespace sprig::explain

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/elementary.h"
#include "explain/smallest_change.h"
#include "sprig/error.h"
#include "sprig/explain.h"

namespace sprig {

namespace {

std::optional<std::size_t> second_best(const std::vector<double>& scores, std::size_t best) {
    std::optional<std::size_t> next;
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (k != best && (!next || scores[k] > scores[*next])) next = k;
    return next;
}

/// The class to compare with: the rival if given, else the second best.
std::optional<std::size_t> other_class(const std::vector<std::string>& classes, const Prediction& prediction,
                                       const LocalOptions& options) {
    std::optional<std::size_t> named;
    if (options.rival) {
        const auto found = std::ranges::find(classes, *options.rival);
        if (found == classes.end())
            throw usage_error(fmt::format("cannot compare with class '{}': the model has no such class; "
                                          "'sprig class MODEL list' lists its classes",
                                          *options.rival));
        named = static_cast<std::size_t>(found - classes.begin());
    }
    if (!prediction.best) return std::nullopt;
    return named && *named != *prediction.best ? named : second_best(prediction.scores, *prediction.best);
}

/// The unit's share of the likelihood in a mixture. Units that were left out of the mixture have share 0.
double share_of(const Contribution& contribution, double score) {
    constexpr double left_out = 1e-10;
    if (!contribution.log_likelihood) return 0;
    const double share = elementary::exp(*contribution.log_likelihood + contribution.log_weight - score);
    return share < left_out ? 0 : share;
}

class LocalExplainer {
  public:
    LocalExplainer(const Learner& learner, const Network& network, const LocalOptions& options)
        : learner_(learner), options_(options),
          reader_(learner.reader()), result_{.learner = std::string(learner.name()),
                                             .network = network,
                                             .front_end_view = {},
                                             .classes = reader_->classes(),
                                             .prediction = {},
                                             .best = {},
                                             .other = {},
                                             .elements = {},
                                             .change = {}} {}

    LocalExplanation run() {
        Explanation explanation = reader_->explain(result_.network);
        result_.prediction = explanation.prediction;
        const std::optional<std::size_t> best = explanation.prediction.best;
        const std::optional<std::size_t> other =
            other_class(result_.classes, explanation.prediction, options_);
        if (best) result_.best = scored_class(*best);
        if (other) result_.other = scored_class(*other);
        add_units(std::move(explanation.contributions));
        if (best) add_elements();
        if (other) find_decisive();
        if (other && options_.max_additions > 0)
            result_.change = explain::smallest_change(*reader_, result_.network, *best, *other, options_);
        return std::move(result_);
    }

  private:
    [[nodiscard]] ScoredClass scored_class(std::size_t label) const {
        return {label,
                result_.classes[label],
                result_.prediction.scores[label],
                result_.prediction.probabilities[label],
                {}};
    }

    void add_units(std::vector<Contribution> contributions) {
        std::map<Lineage, UnitView> views;
        for (UnitView& view : learner_.units()) views.emplace(view.lineage, std::move(view));
        for (Contribution& contribution : contributions)
            for (std::optional<ScoredClass>* part : {&result_.best, &result_.other}) {
                if (!*part || (*part)->index != contribution.label) continue;
                const double share = share_of(contribution, (*part)->score);
                (*part)->units.push_back({views.at(contribution.unit), std::move(contribution), share});
                break;
            }
        for (std::optional<ScoredClass>* part : {&result_.best, &result_.other})
            if (*part) std::ranges::stable_sort((*part)->units, contributes_more);
    }

    /// In a mixture, by share; in a sum, by absolute value.
    static bool contributes_more(const ScoredUnit& a, const ScoredUnit& b) {
        if (a.contribution.log_likelihood && b.contribution.log_likelihood)
            return *a.contribution.log_likelihood + a.contribution.log_weight >
                   *b.contribution.log_likelihood + b.contribution.log_weight;
        return std::abs(a.contribution.value) > std::abs(b.contribution.value);
    }

    /// The scores of both classes if some nodes are removed.
    std::pair<double, double> scores_without(std::span<const NodeId> nodes) {
        const std::vector<double>& scores = reader_->predict(remove_nodes(result_.network, nodes)).scores;
        return {scores[result_.best->index], result_.other ? scores[result_.other->index] : 0};
    }

    void add_elements() {
        for (NodeId node = 0; node < result_.network.node_count(); ++node) {
            const auto [best, other] = scores_without(std::span(&node, 1));
            Element element{node, result_.best->score - best, 0};
            if (result_.other) element.for_other = result_.other->score - other;
            result_.elements.push_back(element);
        }
        std::ranges::stable_sort(result_.elements, std::ranges::greater(), &Element::margin_effect);
    }

    void find_decisive() {
        const double lead = result_.best->score - result_.other->score;
        result_.best_score_without = result_.best->score;
        result_.other_score_without = result_.other->score;
        std::vector<NodeId> removed;
        for (const Element& element : result_.elements) {
            if (element.margin_effect() <= 0 || removed.size() == options_.max_decisive) break;
            removed.push_back(element.node);
            std::tie(result_.best_score_without, result_.other_score_without) = scores_without(removed);
            if (result_.best_score_without - result_.other_score_without <= lead / 2) break;
        }
        result_.decisive_count = removed.size();
    }

    const Learner& learner_;
    const LocalOptions& options_;
    std::unique_ptr<Reader> reader_;
    LocalExplanation result_;
};

} // namespace

LocalExplanation explain_local(const Learner& learner, const Network& network, const LocalOptions& options) {
    return LocalExplainer(learner, network, options).run();
}

LocalExplanation explain_local(const Learner& learner, ImageView image, const LocalOptions& options) {
    FrontEnd front_end(learner.front_end());
    LocalExplanation explanation = explain_local(learner, front_end(image), options);
    explanation.front_end_view =
        FrontEndView{Image(image),          front_end.binarized(), front_end.contours(),
                     front_end.transform(), front_end.params(),    front_end.slant()};
    return explanation;
}

} // namespace sprig

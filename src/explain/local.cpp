#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "explain/smallest_change.h"
#include "sprig/error.h"
#include "sprig/explain.h"

namespace sprig {

namespace {

std::optional<std::size_t> next_best(const std::vector<double>& scores, std::size_t best) {
    std::optional<std::size_t> next;
    for (std::size_t k = 0; k < scores.size(); ++k)
        if (k != best && (!next || scores[k] > scores[*next])) next = k;
    return next;
}

/// The class to compare with: the one that was named, or else the next best.
std::optional<std::size_t> other_class(const std::vector<std::string>& classes, const Prediction& prediction,
                                       const LocalOptions& options) {
    std::optional<std::size_t> named;
    if (options.rival) {
        const auto found = std::ranges::find(classes, *options.rival);
        if (found == classes.end())
            throw usage_error(fmt::format("there is nothing to compare with: the model knows no class '{}'",
                                          *options.rival));
        named = static_cast<std::size_t>(found - classes.begin());
    }
    if (!prediction.best) return std::nullopt;
    return named && *named != *prediction.best ? named : next_best(prediction.scores, *prediction.best);
}

/// Of a mixture, the unit's part of the likelihood; units that were left out of it have none.
double share_of(const Contribution& said, double score) {
    constexpr double left_out = 1e-10;
    if (!said.explained) return 0;
    const double share = std::exp(*said.explained + said.log_weight - score);
    return share < left_out ? 0 : share;
}

class Explaining {
  public:
    Explaining(const Learner& learner, const Network& network, const LocalOptions& options)
        : learner_(learner), options_(options),
          reader_(learner.reader()), result_{.learner = std::string(learner.name()),
                                             .network = network,
                                             .seen = {},
                                             .classes = reader_->classes(),
                                             .prediction = {},
                                             .best = {},
                                             .other = {},
                                             .elements = {},
                                             .change = {}} {}

    LocalExplanation go() {
        Explanation said = reader_->explain(result_.network);
        result_.prediction = said.prediction;
        const std::optional<std::size_t> best = said.prediction.best;
        const std::optional<std::size_t> other = other_class(result_.classes, said.prediction, options_);
        if (best) result_.best = part_of(*best);
        if (other) result_.other = part_of(*other);
        add_units(std::move(said.contributions));
        if (best) weigh_elements();
        if (other) find_decisive();
        if (other && options_.most_added > 0)
            result_.change = explain::smallest_change(*reader_, result_.network, *best, *other, options_);
        return std::move(result_);
    }

  private:
    [[nodiscard]] ClassPart part_of(std::size_t label) const {
        return {label,
                result_.classes[label],
                result_.prediction.scores[label],
                result_.prediction.probabilities[label],
                {}};
    }

    void add_units(std::vector<Contribution> contributions) {
        std::map<Lineage, UnitView> views;
        for (UnitView& view : learner_.units()) views.emplace(view.lineage, std::move(view));
        for (Contribution& said : contributions)
            for (std::optional<ClassPart>* part : {&result_.best, &result_.other}) {
                if (!*part || (*part)->index != said.label) continue;
                const double share = share_of(said, (*part)->score);
                (*part)->units.push_back({views.at(said.unit), std::move(said), share});
                break;
            }
        for (std::optional<ClassPart>* part : {&result_.best, &result_.other})
            if (*part) std::ranges::stable_sort((*part)->units, says_more);
    }

    /// Of a mixture, what has the greater share; of a sum, what is farther from 0.
    static bool says_more(const UnitPart& a, const UnitPart& b) {
        if (a.said.explained && b.said.explained)
            return *a.said.explained + a.said.log_weight > *b.said.explained + b.said.log_weight;
        return std::abs(a.said.value) > std::abs(b.said.value);
    }

    /// The scores of both classes without some nodes.
    std::pair<double, double> scores_without(std::span<const NodeId> nodes) {
        const std::vector<double>& scores = reader_->predict(without(result_.network, nodes)).scores;
        return {scores[result_.best->index], result_.other ? scores[result_.other->index] : 0};
    }

    void weigh_elements() {
        for (NodeId node = 0; node < result_.network.node_count(); ++node) {
            const auto [best, other] = scores_without(std::span(&node, 1));
            Element element{node, result_.best->score - best, 0};
            if (result_.other) element.for_other = result_.other->score - other;
            result_.elements.push_back(element);
        }
        std::ranges::stable_sort(result_.elements, std::ranges::greater(), &Element::decides);
    }

    void find_decisive() {
        const double lead = result_.best->score - result_.other->score;
        result_.best_without = result_.best->score;
        result_.other_without = result_.other->score;
        std::vector<NodeId> taken;
        for (const Element& element : result_.elements) {
            if (element.decides() <= 0 || taken.size() == options_.most_decisive) break;
            taken.push_back(element.node);
            std::tie(result_.best_without, result_.other_without) = scores_without(taken);
            if (result_.best_without - result_.other_without <= lead / 2) break;
        }
        result_.decisive = taken.size();
    }

    const Learner& learner_;
    const LocalOptions& options_;
    std::unique_ptr<Reader> reader_;
    LocalExplanation result_;
};

} // namespace

LocalExplanation explain_local(const Learner& learner, const Network& network, const LocalOptions& options) {
    return Explaining(learner, network, options).go();
}

LocalExplanation explain_local(const Learner& learner, ImageView image, const LocalOptions& options) {
    FrontEnd front_end(learner.front_end());
    LocalExplanation explanation = explain_local(learner, front_end(image), options);
    explanation.seen = Seen{Image(image), front_end.binarized(), front_end.contours(), front_end.placement(),
                            front_end.params()};
    return explanation;
}

} // namespace sprig

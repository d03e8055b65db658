#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "constellation/bends.h"
#include "constellation/mixture.h"
#include "constellation/model_reader.h"
#include "constellation/unit_view.h"
#include "core/elementary.h"
#include "sprig/error.h"

// Scores with additional nodes. An added node is one more row of the observation, with the mean features of
// its unit. Units of all classes may use it. The missing nodes of a bend are added together.

namespace sprig::constellation {

namespace {

ObservationFeatures with(const ObservationFeatures& observed, std::span<const AddedNode> added) {
    ObservationFeatures result = observed;
    for (const AddedNode& node : added) result.add(node);
    return result;
}

struct GainfulAddition {
    double gain;
    Addition addition;
};

} // namespace

AddedNode ModelReader::added_node(const ReadyUnit& known, NodeId node) {
    const std::size_t width = feature_set().size();
    const double* const row = known.unit.means.data() + (node * width);
    return {known.unit.nodes[node].type, {row, row + width}, best_pose(known).pose()};
}

std::vector<AddedNode> ModelReader::added_nodes(const ReadyUnit& known, std::span<const NodeId> nodes) {
    std::vector<AddedNode> added;
    for (const NodeId node : nodes) added.push_back(added_node(known, node));
    return added;
}

std::vector<AddedNode> ModelReader::added_nodes(const Addition& addition) {
    const LearnedUnit* found = nullptr;
    for (std::size_t label = 0; label < snapshot_->size(); ++label)
        for (const auto& unit : (*snapshot_)[label].units)
            if (unit->lineage() == addition.unit) found = unit.get();
    const auto is_missing = [&](NodeId node) { return node >= found->size(); };
    if (found == nullptr || addition.nodes.empty() || std::ranges::any_of(addition.nodes, is_missing))
        throw usage_error(
            fmt::format("the model has no unit {:016x} with the nodes to be added", addition.unit));
    return added_nodes(unpacker_(*found), addition.nodes);
}

/// The nodes that the unit lacks and that would raise its score.
std::vector<NodeId> ModelReader::missing_nodes(const ReadyUnit& known, const ObservationFeatures& observed,
                                               double score) {
    (void)scorer_.place(known.predictive, observed);
    const std::vector<std::uint32_t> placed(scorer_.placed().begin(), scorer_.placed().end());
    std::vector<NodeId> missing;
    for (NodeId node = 0; node < placed.size(); ++node) {
        if (placed[node] != unassigned) continue;
        const AddedNode added = added_node(known, node);
        const double after = scorer_.score(known.predictive, with(observed, std::span(&added, 1)));
        if (after - score > rounding_margin) missing.push_back(node);
    }
    return missing;
}

std::vector<Addition> ModelReader::possible_additions(const Network& network, std::size_t in_favour,
                                                      std::size_t /*against*/) {
    set_observation(network);
    std::vector<Addition> all;
    for (const auto& learned : snapshot_->at(in_favour).units) {
        const ReadyUnit& known = unpacker_(*learned);
        const ObservationFeatures& observed = best_pose(known);
        const double before = scorer_.score(known.predictive, observed);
        const std::vector<NodeId> missing = missing_nodes(known, observed, before);
        const UnitView unit = view_of(known.unit, {}, context(), snapshot_->schema);
        std::vector<GainfulAddition> by_gain;
        for (std::vector<NodeId>& bend : bends_of(unit, missing)) {
            const double after = scorer_.score(known.predictive, with(observed, added_nodes(known, bend)));
            by_gain.push_back({after - before, {known.unit.lineage, std::move(bend)}});
        }
        std::ranges::stable_sort(by_gain, std::greater<>(), &GainfulAddition::gain);
        for (GainfulAddition& one : by_gain) all.push_back(std::move(one.addition));
    }
    return all;
}

std::vector<double> ModelReader::scores_with(const Network& network, std::span<const Addition> added) {
    set_observation(network);
    std::vector<AddedNode> nodes; // all of them before the first is added: adding changes which pose is best
    for (const Addition& addition : added)
        std::ranges::copy(added_nodes(addition), std::back_inserter(nodes));
    for (const AddedNode& node : nodes) observed_.add(node);
    std::vector<double> scores;
    for (std::size_t label = 0; label < classes().size(); ++label) scores.push_back(score_class(label));
    return scores;
}

std::vector<ModelReader::UnitGains> ModelReader::unit_gains(std::size_t label,
                                                            std::span<const Addition> additions) {
    std::vector<std::vector<AddedNode>> added;
    for (const Addition& addition : additions) added.push_back(added_nodes(addition));
    const SnapshotClass& known = snapshot_->at(label);
    std::vector<UnitGains> all;
    for (std::size_t pose = 0; pose < observed_.poses(); ++pose) {
        const ObservationFeatures& observed = observed_.features(pose);
        const std::size_t first = all.size();
        for (const auto& unit : known.units)
            all.push_back({scorer_.score(unpacker_(*unit).predictive, observed), {}});
        for (const std::vector<AddedNode>& nodes : added) {
            const ObservationFeatures extended = with(observed, nodes);
            for (std::size_t u = 0; u < known.units.size(); ++u) {
                UnitGains& unit = all[first + u];
                unit.gains.push_back(scorer_.score(unpacker_(*known.units[u]).predictive, extended) -
                                     unit.log_likelihood);
            }
        }
        for (std::size_t u = 0; u < known.units.size(); ++u)
            all[first + u].log_likelihood +=
                known.log_shares[u] - elementary::log(static_cast<double>(observed_.poses()));
    }
    for (UnitGains& unit : all) std::ranges::sort(unit.gains, std::greater<>());
    return all;
}

/// With the optimal assignment, several additions gain a unit in one pose at most the sum of what each of
/// them gains it alone, since their nodes compete with each other. So k additions gain at most its k largest
/// gains.
std::size_t ModelReader::fewest_needed(const Network& network, std::size_t label,
                                       std::span<const Addition> of, double score) {
    set_observation(network);
    if (snapshot_->at(label).units.empty() ||
        context().params.assignment != ConstellationParams::Assignment::optimal)
        return 0;
    std::vector<UnitGains> all = unit_gains(label, of);
    std::vector<double> bounds(all.size());
    for (std::size_t k = 0; k <= of.size(); ++k) {
        for (std::size_t i = 0; i < all.size(); ++i) bounds[i] = all[i].log_likelihood;
        if (log_sum_exp(bounds) + rounding_margin >= score) return k;
        for (UnitGains& unit : all)
            if (k < of.size()) unit.log_likelihood += unit.gains[k];
    }
    return of.size() + 1;
}

} // namespace sprig::constellation

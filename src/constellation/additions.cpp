#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "constellation/mixture.h"
#include "constellation/model_reader.h"
#include "core/elementary.h"
#include "sprig/error.h"

// Scores with additional nodes. An added node is one more row of the observation, with the mean features of
// its unit. Units of all classes may use it.

namespace sprig::constellation {

namespace {

ObservationFeatures with(const ObservationFeatures& observed, const AddedNode& node) {
    ObservationFeatures result = observed;
    result.add(node);
    return result;
}

} // namespace

AddedNode ModelReader::added_node(const LearnedUnit& known, NodeId node) {
    const std::size_t width = feature_set().size();
    return {known.unit.nodes[node].type, std::span(known.unit.means).subspan(node * width, width),
            best_pose(known).pose()};
}

std::vector<AddedNode> ModelReader::added_nodes(std::span<const Addition> added) {
    std::vector<AddedNode> nodes;
    for (const Addition& addition : added) {
        const LearnedUnit* found = nullptr;
        for (const Snapshot::Class& known : snapshot_->classes)
            for (const auto& unit : known.units)
                if (unit->unit.lineage == addition.unit) found = unit.get();
        if (found == nullptr || !addition.node || *addition.node >= found->unit.size())
            throw usage_error(
                fmt::format("the model has no unit {:016x} with the node to be added", addition.unit));
        nodes.push_back(added_node(*found, *addition.node));
    }
    return nodes;
}

std::vector<Addition> ModelReader::possible_additions(const Network& network, std::size_t in_favour,
                                                      std::size_t /*against*/) {
    set_observation(network);
    std::vector<Addition> all;
    for (const auto& known : snapshot_->classes.at(in_favour).units) {
        const ObservationFeatures& observed = best_pose(*known);
        const double before = scorer_.place(known->predictive, observed);
        const std::vector<std::uint32_t> placed(scorer_.placed().begin(), scorer_.placed().end());
        std::vector<std::pair<double, Addition>> by_gain;
        for (NodeId node = 0; node < placed.size(); ++node) {
            if (placed[node] != unassigned) continue;
            const ObservationFeatures extended = with(observed, added_node(*known, node));
            const double gain = scorer_.score(known->predictive, extended) - before;
            if (gain > rounding_margin) by_gain.push_back({gain, {known->unit.lineage, node}});
        }
        std::ranges::stable_sort(by_gain, std::greater<>(), [](const auto& entry) { return entry.first; });
        for (const auto& [gain, addition] : by_gain) all.push_back(addition);
    }
    return all;
}

std::vector<double> ModelReader::scores_with(const Network& network, std::span<const Addition> added) {
    set_observation(network);
    for (const AddedNode& node : added_nodes(added)) observed_.add(node);
    std::vector<double> scores;
    for (std::size_t label = 0; label < classes().size(); ++label) scores.push_back(score_class(label));
    return scores;
}

std::vector<ModelReader::UnitGains> ModelReader::unit_gains(std::size_t label,
                                                            std::span<const AddedNode> nodes) {
    const Snapshot::Class& known = snapshot_->classes.at(label);
    std::vector<UnitGains> all;
    for (std::size_t pose = 0; pose < observed_.poses(); ++pose) {
        const ObservationFeatures& observed = observed_.features(pose);
        const std::size_t first = all.size();
        for (const auto& unit : known.units) all.push_back({scorer_.score(unit->predictive, observed), {}});
        for (const AddedNode& node : nodes) {
            const ObservationFeatures extended = with(observed, node);
            for (std::size_t u = 0; u < known.units.size(); ++u) {
                UnitGains& unit = all[first + u];
                unit.gains.push_back(scorer_.score(known.units[u]->predictive, extended) -
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

/// With the optimal assignment, several additional nodes gain a unit in one pose at most the sum of what each
/// of them gains it alone, since they compete with each other. So k nodes gain at most its k largest gains.
std::size_t ModelReader::fewest_needed(const Network& network, std::size_t label,
                                       std::span<const Addition> of, double score) {
    set_observation(network);
    if (snapshot_->classes.at(label).units.empty() ||
        snapshot_->params.assignment != ConstellationParams::Assignment::optimal)
        return 0;
    std::vector<UnitGains> all = unit_gains(label, added_nodes(of));
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

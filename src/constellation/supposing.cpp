#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "constellation/mixture.h"
#include "constellation/model_reader.h"
#include "sprig/error.h"

// What if more had been seen. A node that is supposed is one more row of the observation, with the features
// that its unit expects; units of all classes may make use of it.

namespace sprig::constellation {

namespace {

/// More than what rounding can add up to: nothing is ruled out that might just do.
constexpr double caution = 1e-6;

Sight with(const Sight& sight, std::uint32_t type, std::span<const double> features, const Pose& pose) {
    Sight more = sight;
    more.suppose(type, features, pose);
    return more;
}

} // namespace

ModelReader::Supposed ModelReader::supposed(const LearnedUnit& known, NodeId node) {
    const std::size_t width = sights_.front().set().size();
    return {known.unit.nodes[node].type, std::span(known.unit.means).subspan(node * width, width),
            best_pose(known.predictive).pose()};
}

std::vector<ModelReader::Supposed> ModelReader::supposed(std::span<const Supposition> added) {
    std::vector<Supposed> nodes;
    for (const Supposition& one : added) {
        const LearnedUnit* found = nullptr;
        for (const Snapshot::Class& known : snapshot_->classes)
            for (const auto& unit : known.units)
                if (unit->unit.lineage == one.unit) found = unit.get();
        if (found == nullptr || !one.node || *one.node >= found->unit.size())
            throw usage_error(
                fmt::format("no unit {:016x} of the model has the node that is supposed", one.unit));
        nodes.push_back(supposed(*found, *one.node));
    }
    return nodes;
}

std::vector<Supposition> ModelReader::suppositions(const Network& network, std::size_t in_favour,
                                                   std::size_t /*against*/) {
    look_at(network);
    std::vector<Supposition> all;
    for (const auto& known : snapshot_->classes.at(in_favour).units) {
        const Sight& sight = best_pose(known->predictive);
        const double before = explainer_.place(known->predictive, sight);
        const std::vector<std::uint32_t> placed(explainer_.placed().begin(), explainer_.placed().end());
        std::vector<std::pair<double, Supposition>> by_gain;
        for (NodeId node = 0; node < placed.size(); ++node) {
            if (placed[node] != nowhere) continue;
            const Supposed seen = supposed(*known, node);
            const Sight more = with(sight, seen.type, seen.features, seen.pose);
            const double gain = explainer_.explain(known->predictive, more) - before;
            if (gain > caution) by_gain.push_back({gain, {known->unit.lineage, node}});
        }
        std::ranges::stable_sort(by_gain, std::greater<>(), [](const auto& entry) { return entry.first; });
        for (const auto& [gain, supposition] : by_gain) all.push_back(supposition);
    }
    return all;
}

std::vector<double> ModelReader::scores_if(const Network& network, std::span<const Supposition> added) {
    look_at(network);
    for (const Supposed& node : supposed(added))
        for (Sight& sight : sights_) sight.suppose(node.type, node.features, node.pose);
    std::vector<double> scores;
    for (std::size_t label = 0; label < classes().size(); ++label) scores.push_back(score_class(label));
    return scores;
}

std::vector<ModelReader::Prospect> ModelReader::prospects(std::size_t label,
                                                          std::span<const Supposed> nodes) {
    const Snapshot::Class& known = snapshot_->classes.at(label);
    std::vector<Prospect> all;
    for (const Sight& sight : sights_) {
        const std::size_t first = all.size();
        for (const auto& unit : known.units) all.push_back({explainer_.explain(unit->predictive, sight), {}});
        for (const Supposed& node : nodes) {
            const Sight more = with(sight, node.type, node.features, node.pose);
            for (std::size_t u = 0; u < known.units.size(); ++u) {
                Prospect& prospect = all[first + u];
                prospect.gains.push_back(explainer_.explain(known.units[u]->predictive, more) -
                                         prospect.explained);
            }
        }
        for (std::size_t u = 0; u < known.units.size(); ++u)
            all[first + u].explained += known.log_shares[u] - std::log(static_cast<double>(sights_.size()));
    }
    for (Prospect& prospect : all) std::ranges::sort(prospect.gains, std::greater<>());
    return all;
}

/// With the best assignment, what several nodes gain for one unit in one pose is at most the sum of what each
/// gains alone: they can only get in each other's way. So with k of them a unit gains no more than its k
/// greatest gains.
std::size_t ModelReader::least_needed(const Network& network, std::size_t label,
                                      std::span<const Supposition> of, double score) {
    look_at(network);
    if (snapshot_->classes.at(label).units.empty() ||
        snapshot_->params.assignment != ConstellationParams::Assignment::optimal)
        return 0;
    std::vector<Prospect> all = prospects(label, supposed(of));
    std::vector<double> most(all.size());
    for (std::size_t k = 0; k <= of.size(); ++k) {
        for (std::size_t i = 0; i < all.size(); ++i) most[i] = all[i].explained;
        if (log_sum(most) + caution >= score) return k;
        for (Prospect& prospect : all)
            if (k < of.size()) prospect.explained += prospect.gains[k];
    }
    return of.size() + 1;
}

} // namespace sprig::constellation

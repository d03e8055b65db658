#include "constellation/class_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/elementary.h"
#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig::constellation {

std::uint64_t digest_of(const Unit& unit) {
    std::uint64_t sum = random::mix({unit.lineage, unit.born, unit.count});
    for (const UnitNode& node : unit.nodes) sum = random::mix({sum, node.type, node.hits, node.watched});
    for (const double mean : unit.means) sum = random::mix(sum, std::bit_cast<std::uint64_t>(mean));
    for (const double square : unit.squares) sum = random::mix(sum, std::bit_cast<std::uint64_t>(square));
    return sum;
}

double join_threshold(const ConstellationParams& params, std::uint64_t samples) {
    constexpr std::uint64_t few = 10;
    if (params.join_growth == 0 || samples <= few) return params.join_threshold;
    const double decades =
        elementary::log(static_cast<double>(samples) / static_cast<double>(few)) / std::numbers::ln10;
    return params.join_threshold + (params.join_growth * decades);
}

void check_unit(const Unit& unit, const FeatureSet& set, std::size_t types, std::uint64_t samples,
                const std::string& label) {
    const auto require = [&](bool holds, const char* what) {
        if (!holds)
            throw failed(fmt::format("the model of class '{}' is inconsistent: unit {:016x} {}", label,
                                     unit.lineage, what));
    };
    require(unit.count >= 1, "has no samples");
    require(unit.born >= 1 && unit.born <= samples && unit.count - 1 <= samples - unit.born,
            "has more samples than its class");
    require(unit.means.size() == unit.size() * set.size() && unit.squares.size() == unit.means.size(),
            "has the wrong number of features for its nodes");
    for (std::size_t i = 0; i < unit.size(); ++i) {
        require(unit.nodes[i].type < types, "has a node of an unknown type");
        require(i == 0 || unit.nodes[i - 1].type <= unit.nodes[i].type, "has nodes out of order");
        require(unit.nodes[i].hits >= 1 && unit.nodes[i].hits <= unit.nodes[i].watched,
                "has a node with more hits than samples watched");
        require(unit.nodes[i].hits <= unit.count, "has a node with more hits than the unit has samples");
    }
    require(std::ranges::all_of(unit.means, [](double m) { return std::isfinite(m); }),
            "has a mean that is not finite");
    require(std::ranges::all_of(unit.squares, [](double s) { return std::isfinite(s) && s >= 0; }),
            "has a sum of squares that is negative or not finite");
}

Lineage lineage_of(std::string_view label, std::uint64_t sample) {
    return random::mix(random::mix(label), sample);
}

ClassModel::ClassModel(std::string label) : label_(std::move(label)), key_(random::mix(label_)) {}

ClassModel::ClassModel(std::string label, std::uint64_t samples,
                       std::vector<std::shared_ptr<const LearnedUnit>> units)
    : label_(std::move(label)), key_(random::mix(label_)), samples_(samples), units_(std::move(units)) {}

ClassModel::Best ClassModel::best_unit(PosedObservation& sample, UnitScorer& scorer) const {
    if (sample.poses() > 1) return best_unit_in_any_pose(sample, scorer);
    const ObservationFeatures& observed = sample.first();
    Best best{units_.size(), 0, minus_infinity, {}};
    for (std::size_t i = 0; i < units_.size(); ++i) {
        const Predictive& unit = ready(i).predictive;
        const bool is_first = best.unit == units_.size();
        const double enough = best.log_likelihood - rounding_margin;
        if (!is_first && ranked_bound(unit, ready(i).ranked_gains(), observed, enough) < enough) continue;
        const double log_likelihood = scorer.place(unit, observed);
        // Ties go to the oldest unit.
        if (!is_first && log_likelihood <= best.log_likelihood) continue;
        best = {i, 0, log_likelihood, {scorer.placed().begin(), scorer.placed().end()}};
    }
    return best;
}

/// The units in each pose are visited in the order of their bounds, so that most of them need no placement.
/// Ties go to the oldest unit, and then to the first pose.
ClassModel::Best ClassModel::best_unit_in_any_pose(PosedObservation& sample, UnitScorer& scorer) const {
    struct Candidate {
        double bound;
        std::size_t unit;
        std::size_t pose;
    };
    const FeatureSet& set = sample.first().set();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        const ReadyUnit& known = ready(i);
        for (std::size_t pose = 0; pose < sample.poses(); ++pose) {
            const ScreenedPair pair =
                ranked_pair(known.predictive, known.ranked_gains(), known.lanes(set), sample, pose);
            candidates.push_back({ranked_bound(pair), i, pose});
        }
    }
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::bound);
    Best best{units_.size(), 0, minus_infinity, {}};
    for (const Candidate& candidate : candidates) {
        const auto [ranked, unit, pose] = candidate;
        const double floor = best.log_likelihood - rounding_margin;
        if (ranked < floor) break;
        const ReadyUnit& known = ready(unit);
        const ScreenedPair pair =
            screened_pair(known.predictive, known.ranked_gains(), known.lanes(set), sample, pose);
        if (screened_bound(pair, ranked, floor) < floor) continue;
        const double log_likelihood = scorer.place(known.predictive, sample.features(pose));
        const bool wins_tie = std::pair(unit, pose) < std::pair(best.unit, best.pose);
        if (log_likelihood > best.log_likelihood || (log_likelihood == best.log_likelihood && wins_tie))
            best = {unit, pose, log_likelihood, {scorer.placed().begin(), scorer.placed().end()}};
    }
    return best;
}

void ClassModel::learn(PosedObservation& sample, UnitScorer& scorer, const UnitContext& context,
                       LearnReport& report) {
    const ConstellationParams& params = context.params;
    ++samples_;
    unpack(context);
    report.work.reached += units_.size();
    Best best = best_unit(sample, scorer);
    const ObservationFeatures& observed = sample.features(best.pose);
    const double fit = best.log_likelihood / static_cast<double>(std::max<std::size_t>(1, observed.size()));
    const bool is_first = best.unit == units_.size();
    // An empty observation has no nodes to gain from: it matches an empty unit.
    const bool is_blank = observed.size() == 0 && best.log_likelihood == 0;
    const bool joins = !is_first && (fit >= join_threshold(params, samples_) || is_blank);
    Unit unit = joins ? updated_unit(ready(best.unit).unit, observed.view(), best.placed, params)
                      : make_unit(observed.view());
    if (!joins) {
        unit.lineage = lineage_of(label_, samples_);
        unit.born = samples_;
        best.unit = units_.size();
        units_.emplace_back();
    }
    report.events.push_back({joins ? UnitEvent::Kind::refined : UnitEvent::Kind::created, unit.lineage});
    units_[best.unit] = std::make_shared<LearnedUnit>(std::move(unit), context);
    remove_excess_units(params, report);
}

void ClassModel::remove_excess_units(const ConstellationParams& params, LearnReport& report) {
    for (std::size_t i = 0; i < units_.size() && units_.size() > 1; ++i) {
        const LearnedUnit& unit = *units_[i];
        if (unit.count() == 1 && samples_ - unit.born() >= params.patience) {
            remove(i, report);
            return; // a sample creates at most one unit, so removing one is enough
        }
    }
    if (units_.size() <= params.max_units) return;
    // The unit with the fewest samples for its age, except the newest.
    const auto sample_rate = [&](const std::shared_ptr<const LearnedUnit>& unit) {
        return static_cast<double>(unit->count()) / static_cast<double>(samples_ - unit->born() + 1);
    };
    const auto least = std::min_element(units_.begin(), units_.end() - 1, [&](const auto& a, const auto& b) {
        return sample_rate(a) < sample_rate(b);
    });
    remove(static_cast<std::size_t>(least - units_.begin()), report);
}

void ClassModel::remove(std::size_t unit, LearnReport& report) {
    report.events.push_back({UnitEvent::Kind::removed, units_[unit]->lineage()});
    units_.erase(units_.begin() + static_cast<std::ptrdiff_t>(unit));
}

void ClassModel::unpack(const UnitContext& context) {
    for (auto& learned : units_)
        if (learned->is_packed()) learned = constellation::unpacked(*learned, context);
}

void ClassModel::pack(const UnitContext& context) {
    for (auto& learned : units_)
        if (!learned->is_packed() && learned->count() == 1)
            learned = constellation::packed(*learned, context);
}

std::size_t ClassModel::unpacked_nodes() const {
    std::size_t nodes = 0;
    for (const auto& learned : units_)
        nodes += learned->is_packed() || learned->count() > 1 ? 0 : learned->size();
    return nodes;
}

void ClassModel::check(const UnitContext& context) const {
    std::uint64_t unit_samples = 0;
    for (const auto& learned : units_) {
        check_unit(learned->unit(context.set), context.set, context.types, samples_, label_);
        unit_samples += learned->count();
    }
    if (unit_samples > samples_ || units_.empty() != (samples_ == 0))
        throw failed(fmt::format("the model of class '{}' is inconsistent: its units have {} samples, "
                                 "but it has learned {}",
                                 label_, unit_samples, samples_));
}

std::uint64_t ClassModel::digest(const FeatureSet& set) const {
    std::uint64_t sum = random::mix(key_, samples_);
    for (const auto& learned : units_) sum += learned->digest(set);
    return sum;
}

} // namespace sprig::constellation

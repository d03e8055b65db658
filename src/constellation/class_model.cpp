#include "constellation/class_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig::constellation {

namespace {

std::uint64_t digest_of(const Unit& unit) {
    std::uint64_t sum = random::mix({unit.lineage, unit.born, unit.count});
    for (const UnitNode& node : unit.nodes) sum = random::mix({sum, node.type, node.hits, node.watched});
    for (const double mean : unit.means) sum = random::mix(sum, std::bit_cast<std::uint64_t>(mean));
    for (const double square : unit.squares) sum = random::mix(sum, std::bit_cast<std::uint64_t>(square));
    return sum;
}

} // namespace

void check_unit(const Unit& unit, const FeatureSet& set, std::size_t types, std::uint64_t samples,
                const std::string& label) {
    const auto require = [&](bool holds, const char* what) {
        if (!holds)
            throw failed(fmt::format("the model of class '{}' contradicts itself: unit {:016x} {}", label,
                                     unit.lineage, what));
    };
    require(unit.count >= 1, "has no sample");
    require(unit.born >= 1 && unit.born <= samples && unit.count - 1 <= samples - unit.born,
            "has more samples than there were");
    require(unit.means.size() == unit.size() * set.size() && unit.squares.size() == unit.means.size(),
            "has another number of features than nodes ask for");
    for (std::size_t i = 0; i < unit.size(); ++i) {
        require(unit.nodes[i].type < types, "has a node of a type that does not exist");
        require(i == 0 || unit.nodes[i - 1].type <= unit.nodes[i].type, "has nodes out of order");
        require(unit.nodes[i].hits >= 1 && unit.nodes[i].hits <= unit.nodes[i].watched,
                "has a node that was seen more often than looked for");
        require(unit.nodes[i].hits <= unit.count, "has a node that was seen more often than the unit");
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

ClassModel::Best ClassModel::best_unit(std::span<const Sight> sights, Explainer& explainer) const {
    Best best{units_.size(), 0, -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < units_.size(); ++i) {
        const Predictive& unit = units_[i]->predictive;
        for (std::size_t pose = 0; pose < sights.size(); ++pose) {
            const double bound = Explainer::bound(unit, sights[pose]);
            const double explained = explainer.explain(unit, sights[pose], bound, best.explained);
            if (best.unit < units_.size() && explained <= best.explained) continue; // the oldest of equals
            best.unit = i;
            best.pose = pose;
            best.explained = explained;
        }
    }
    return best;
}

void ClassModel::learn(std::span<const Sight> sights, Explainer& explainer, const ConstellationParams& params,
                       LearnReport& report) {
    ++samples_;
    report.work.reached += units_.size();
    Best best = best_unit(sights, explainer);
    const Sight& sight = sights[best.pose];
    const double fit = best.explained / static_cast<double>(std::max<std::size_t>(1, sight.size()));
    const bool is_first = best.unit == units_.size();
    // There is nothing to gain where nothing is seen: a unit that asks for nothing explains it as a whole.
    const bool is_blank = sight.size() == 0 && best.explained == 0;
    const bool joins = !is_first && (fit >= params.join_threshold || is_blank);
    if (joins) (void)explainer.place(units_[best.unit]->predictive, sight);
    Unit unit = joins ? joined(units_[best.unit]->unit, sight.shown(), explainer.placed(), params)
                      : found(sight.shown());
    if (!joins) {
        unit.lineage = lineage_of(label_, samples_);
        unit.born = samples_;
        best.unit = units_.size();
        units_.emplace_back();
    }
    report.events.push_back({joins ? UnitEvent::Kind::refined : UnitEvent::Kind::created, unit.lineage});
    units_[best.unit] = std::make_shared<LearnedUnit>(std::move(unit), params, sight.set(), sight.types());
    retire(params, report);
}

void ClassModel::retire(const ConstellationParams& params, LearnReport& report) {
    for (std::size_t i = 0; i < units_.size() && units_.size() > 1; ++i) {
        const Unit& unit = units_[i]->unit;
        if (unit.count == 1 && samples_ - unit.born >= params.patience) {
            remove(i, report);
            return; // one for each sample is enough: one at most was founded
        }
    }
    if (units_.size() <= params.max_units) return;
    // The one that the fewest samples joined for its age; the newest has had no time yet.
    const auto service = [&](const std::shared_ptr<const LearnedUnit>& unit) {
        return static_cast<double>(unit->unit.count) / static_cast<double>(samples_ - unit->unit.born + 1);
    };
    const auto least = std::min_element(units_.begin(), units_.end() - 1, [&](const auto& a, const auto& b) {
        return service(a) < service(b);
    });
    remove(static_cast<std::size_t>(least - units_.begin()), report);
}

void ClassModel::remove(std::size_t unit, LearnReport& report) {
    report.events.push_back({UnitEvent::Kind::removed, units_[unit]->unit.lineage});
    units_.erase(units_.begin() + static_cast<std::ptrdiff_t>(unit));
}

void ClassModel::check(const FeatureSet& set, std::size_t types) const {
    std::uint64_t joined = 0;
    for (const auto& learned : units_) {
        check_unit(learned->unit, set, types, samples_, label_);
        joined += learned->unit.count;
    }
    if (joined > samples_ || units_.empty() != (samples_ == 0))
        throw failed(fmt::format("the model of class '{}' contradicts itself: {} samples joined its units, "
                                 "but it has seen {}",
                                 label_, joined, samples_));
}

std::uint64_t ClassModel::digest() const {
    std::uint64_t sum = random::mix(key_, samples_);
    for (const auto& learned : units_) sum += digest_of(learned->unit);
    return sum;
}

} // namespace sprig::constellation

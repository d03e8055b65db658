#include "lab/measures/audit.h"

#include <algorithm>
#include <utility>

namespace sprig::lab {

namespace {

std::vector<Lineage> satisfied_by(const Network& network, Reader& reader) {
    std::vector<Lineage> units;
    for (const Contribution& part : reader.explain(network).contributions) {
        if (part.present) units.push_back(part.unit);
    }
    std::sort(units.begin(), units.end());
    return units;
}

} // namespace

Audit::Audit(MakeReader make_reader) : make_reader_(std::move(make_reader)) {
    if (!make_reader_) make_reader_ = [](const Learner& learner) { return learner.reader(); };
}

void Audit::after(const Network& network, const LearnReport& report, const Learner& learner) {
    update_units(report, learner);
    const std::unique_ptr<Reader> reader = make_reader_(learner);
    for (Observation& observation : observations_) {
        std::vector<Lineage> now = satisfied_by(observation.network, *reader);
        compare(observation, now);
        observation.satisfied = std::move(now);
    }
    observations_.push_back({network, satisfied_by(network, *reader)});
    ++counts_.steps;
}

void Audit::update_units(const LearnReport& report, const Learner& learner) {
    std::unordered_set<Lineage> grew;
    std::unordered_set<Lineage> shrank;
    for (const UnitEvent& event : report.events) {
        if (event.kind == UnitEvent::Kind::reintegrated && event.target) grew.insert(*event.target);
        if (event.kind == UnitEvent::Kind::refined) shrank.insert(event.unit);
    }
    units_.clear();
    // Units are listed after their targets.
    for (const UnitView& unit : learner.units()) {
        Known known{unit.target, grew.contains(unit.lineage), shrank.contains(unit.lineage)};
        if (unit.target) {
            const Known& target = units_.at(*unit.target);
            known.grew = known.grew || target.grew;
            known.shrank = known.shrank || target.shrank;
        }
        units_.emplace(unit.lineage, known);
    }
}

void Audit::compare(const Observation& before, const std::vector<Lineage>& now) {
    for (const Lineage unit : before.satisfied) {
        const auto known = units_.find(unit);
        if (known == units_.end()) continue;
        ++(known->second.target ? counts_.checked_chains : counts_.checked_top_level);
        if (!std::binary_search(now.begin(), now.end(), unit)) count_broken(unit);
    }
}

void Audit::count_broken(Lineage unit) {
    const Known& known = units_.at(unit);
    BrokenCounts& counts = known.target ? counts_.chains : counts_.top_level;
    // A unit that did both requires more than before, so refinement cannot be the reason.
    if (known.grew) {
        ++counts.by_reintegration;
    } else if (known.shrank) {
        ++counts.by_refinement;
    } else {
        ++counts.by_movement;
    }
}

} // namespace sprig::lab

#pragma once

#include <vector>

#include <gmock/gmock.h>

#include "modeller/step.h"

namespace sprig::modeller {

/// A class on which a test runs single learning steps.
class OneClass : public testing::Test {
  protected:
    LearnReport learn(const Network& network, bool is_own) {
        StepWorkspace workspace(params);
        match::Observation observation;
        observation.assign(network);
        LearnReport report = Step(model, observation, is_own, ++steps, seed, params, workspace).run();
        model.check();
        return report;
    }
    [[nodiscard]] UnitId only_unit() const {
        const std::vector<UnitId> all = model.in_order();
        EXPECT_EQ(all.size(), 1U);
        return all.front();
    }
    [[nodiscard]] std::vector<std::uint32_t> types(UnitId id) const {
        std::vector<std::uint32_t> list;
        for (const NodeRecord& node : model.unit(id).nodes) list.push_back(node.type);
        return list;
    }
    /// Learns a network for the class and for another class, which makes its unit unreliable.
    UnitId unreliable(const Network& network) {
        learn(network, true);
        const UnitId id = only_unit();
        learn(network, false);
        return id;
    }
    /// The upstreams of a unit with this polarity.
    [[nodiscard]] std::vector<UnitId> upstreams(UnitId id, Polarity polarity) const {
        std::vector<UnitId> found;
        for (const UnitId up : model.unit(id).upstreams) {
            if (model.unit(up).polarity == polarity) found.push_back(up);
        }
        return found;
    }

    ClassModel model{"a", 8};
    ModellerParams params;
    std::uint64_t steps = 0;
    std::uint64_t seed = 0;
};

inline std::vector<UnitEvent::Kind> kinds(const LearnReport& report) {
    std::vector<UnitEvent::Kind> list;
    for (const UnitEvent& event : report.events) list.push_back(event.kind);
    return list;
}

} // namespace sprig::modeller

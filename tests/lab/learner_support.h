#pragma once

#include <memory>

#include "lab/report/study.h"
#include "sprig/constellation.h"
#include "sprig/modeller.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

template <class Params>
void apply_settings(const LearnerSetting& setting, Params& params, FrontEndParams& front_end) {
    for (const auto& [key, value] : setting.settings) {
        if (!sprig::set_parameter(front_end, key, value)) set_parameter(params, key, value);
    }
}

/// Our learners by name, as the program makes them.
inline std::unique_ptr<Learner> make_learner(const LearnerSetting& setting, std::uint64_t seed) {
    if (setting.learner == "modeller") {
        ModellerParams params = modeller_preset(setting.preset.empty() ? "best" : setting.preset);
        FrontEndParams front_end;
        apply_settings(setting, params, front_end);
        return std::make_unique<Modeller>(params, seed, front_end);
    }
    ConstellationPreset preset = constellation_preset(setting.preset);
    apply_settings(setting, preset.params, preset.front_end);
    return std::make_unique<Constellation>(preset);
}

} // namespace sprig::lab

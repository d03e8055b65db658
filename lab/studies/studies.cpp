#include "lab/studies/studies.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

// Each is defined in its own file.
Study study_headline();
Study study_growth();
Study study_learning_variants();
Study study_read_outs();
Study study_scales();
Study study_thresholds();
Study study_class_count();
Study study_samples();
Study study_streams();
Study study_presets();
Study study_drawings();
Study study_one_pass();
Study study_open_set();
Study study_probabilities();
Study study_glyphs();
Study study_poses();
Study study_ablation();
Study study_shift();
Study study_interference();

const std::vector<Study>& all_studies() {
    static const std::vector<Study> studies = {
        study_headline(),    study_growth(),        study_learning_variants(),
        study_read_outs(),   study_scales(),        study_thresholds(),
        study_class_count(), study_samples(),       study_streams(),
        study_presets(),     study_drawings(),      study_one_pass(),
        study_open_set(),    study_probabilities(), study_glyphs(),
        study_poses(),       study_ablation(),      study_shift(),
        study_interference()};
    return studies;
}

const Study& study_called(std::string_view name, const std::vector<Study>& studies) {
    const auto found = std::ranges::find_if(studies, [&](const Study& s) { return s.name == name; });
    if (found != studies.end()) return *found;
    std::string names;
    for (const Study& study : studies) {
        if (!names.empty()) names += &study == &studies.back() ? " and " : ", ";
        names += study.name;
    }
    throw usage_error(fmt::format("there is no study called '{}': there are {}", name, names));
}

} // namespace sprig::lab

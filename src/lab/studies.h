#pragma once

#include "lab/study.h"

namespace sprig::lab {

// Each study has a file of its own; `all_studies` names them.
[[nodiscard]] StudyResult study_headline(const StudyContext& context);
[[nodiscard]] StudyResult study_growth(const StudyContext& context);
[[nodiscard]] StudyResult study_learning_variants(const StudyContext& context);
[[nodiscard]] StudyResult study_read_outs(const StudyContext& context);
[[nodiscard]] StudyResult study_scales(const StudyContext& context);
[[nodiscard]] StudyResult study_thresholds(const StudyContext& context);
[[nodiscard]] StudyResult study_class_count(const StudyContext& context);
[[nodiscard]] StudyResult study_samples(const StudyContext& context);
[[nodiscard]] StudyResult study_streams(const StudyContext& context);
[[nodiscard]] StudyResult study_presets(const StudyContext& context);
[[nodiscard]] StudyResult study_drawings(const StudyContext& context);
[[nodiscard]] StudyResult study_one_pass(const StudyContext& context);
[[nodiscard]] StudyResult study_open_set(const StudyContext& context);
[[nodiscard]] StudyResult study_probabilities(const StudyContext& context);
[[nodiscard]] StudyResult study_glyphs(const StudyContext& context);
[[nodiscard]] StudyResult study_poses(const StudyContext& context);
[[nodiscard]] StudyResult study_ablation(const StudyContext& context);
[[nodiscard]] StudyResult study_shift(const StudyContext& context);
[[nodiscard]] StudyResult study_interference(const StudyContext& context);

} // namespace sprig::lab

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/study.h"

namespace sprig::lab {

/// All that a study found, so that it can be kept and come back as it was.
[[nodiscard]] nlohmann::ordered_json json_of(const StudyResult& result);
/// Throws Error(bad_input) if it is not that.
[[nodiscard]] StudyResult result_of(const nlohmann::ordered_json& json);

/// Runs a study whose work is no pieces that could be kept one by one as a single piece: if it was finished
/// before with the same learner, seeds and images, that is what it found.
[[nodiscard]] StudyResult run_as_one_piece(const Study& study, const StudyContext& context);

} // namespace sprig::lab

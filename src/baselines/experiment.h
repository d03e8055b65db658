#pragma once

#include "baselines/method.h"
#include "lab/experiment.h"

namespace sprig::baselines {

/// A method on the stream that its protocol says.
[[nodiscard]] lab::Experiment experiment(const Method& method, const lab::Material& material,
                                         const lab::StudyContext& context);

} // namespace sprig::baselines

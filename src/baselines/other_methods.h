#pragma once

#include "baselines/method.h"

namespace sprig::baselines {

/// Learners of pixels that take one image after the other and need no network: nobody of them can forget.
[[nodiscard]] std::vector<Method> online_methods();

/// What has all images at hand: the measure of what there is to learn in them.
[[nodiscard]] std::vector<Method> batch_methods();

} // namespace sprig::baselines

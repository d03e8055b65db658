#pragma once

#include <cstddef>
#include <memory>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

// The class of the nearest of all stored samples, for any number of classes. A number takes one byte, and a
// label takes four. Classes are ranked by their nearest sample.

/// On grey levels.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_pixels(const Task& task);

/// On histograms of oriented gradients (`hog`), which are stored in place of the images: the values, from 0
/// to 1, in 255 steps. Throws Error(usage) for a side that `hog` cannot divide.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_hog(const Task& task);

} // namespace sprig::baselines

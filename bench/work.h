#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sprig/data.h"

namespace sprig::bench {

/// Processes `count` images of the work's data set, from `first` on.
using Run = std::function<void(std::size_t first, std::size_t count)>;

/// Something that is measured. Time and instructions are measured on the same definition.
struct Work {
    std::string name;  ///< on the command line and in files
    std::string title; ///< in the table
    const Dataset& (*images)() = nullptr;
    std::size_t first = 1'000;     ///< the first measured image; those before it are learned, if anything is
    std::size_t count = 200;       ///< number of measured images
    std::size_t slice = 200;       ///< number of images that are processed between two measurements of F
    std::size_t counted_every = 1; ///< instructions are counted in the first of this number of slices
    bool changes = false; ///< a measurement changes the state, so that the next one needs a new state
    std::function<Run()> prepare;
};

/// The work of Sprig itself, and cv::findContours, which is called `contours`.
[[nodiscard]] std::vector<Work> own_work();

/// What a user could use instead, as the lab's baselines have it.
[[nodiscard]] std::vector<Work> other_work();

/// The first 2,000 images of mnist:train.
[[nodiscard]] const Dataset& digits();

} // namespace sprig::bench

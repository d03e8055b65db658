#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sprig/data.h"
#include "sprig/front_end.h"

namespace sprig::lab {

/// Told how many of how many are done; may throw to stop.
using Progress = std::function<void(std::size_t done, std::size_t of)>;

/// How many images of a class there are, and how many the filter keeps.
struct FilterCount {
    std::string label;
    std::size_t images = 0;
    std::size_t kept = 0;
};

struct FilterResult {
    std::vector<std::size_t> kept; ///< indices into the data set, ascending
    std::vector<FilterCount> classes;
    std::size_t images = 0;
};

/// Keeps the images whose components and holes, as the front end sees them, are those of their label.
[[nodiscard]] FilterResult filter(const Dataset& data, const TopologyRule& rule, FrontEnd& front_end,
                                  const Progress& progress = {});

/// The label of an image in words; "?" without one.
[[nodiscard]] std::string label_of(const Dataset& data, std::size_t index);

} // namespace sprig::lab

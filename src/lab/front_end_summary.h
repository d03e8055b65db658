#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/filter.h"

namespace sprig::lab {

/// What the networks of one class are like. Sums are whole numbers, so that the order of summation does
/// not matter.
struct NetworkCounts {
    std::string label;
    std::size_t images = 0;
    std::uint64_t nodes = 0;
    std::uint64_t most_nodes = 0;
    std::uint64_t edges = 0;        ///< of all levels
    std::uint64_t finest_edges = 0; ///< of level 0
    std::uint64_t levels = 0;       ///< with at least one edge

    void add(const Network& network);
    void add(const NetworkCounts& other);
    [[nodiscard]] double mean(std::uint64_t sum) const {
        return images == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(images);
    }
};

struct FrontEndSummary {
    std::vector<NetworkCounts> classes; ///< without those that have no image
    NetworkCounts all;
};

/// Counts the networks of the given images of a data set.
[[nodiscard]] FrontEndSummary summarise(const Dataset& data, std::span<const std::size_t> images,
                                        FrontEnd& front_end, const Progress& progress = {});

} // namespace sprig::lab

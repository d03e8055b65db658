#pragma once

#include <cstdint>

#include "lab/baselines/strategy.h"
#include "core/keyed.h"

namespace sprig::baselines {

/// Small images that a network can tell apart: of each class a bright bar at a place of its own, and noise.
inline Samples bars(std::size_t label, std::size_t count, std::uint64_t seed = 0) {
    constexpr std::size_t width = 64;
    Samples images(width);
    std::vector<float> row(width);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t p = 0; p < width; ++p) {
            const double noise = random::uniform(random::mix({seed, label, i, p}));
            row[p] = static_cast<float>((p / 8 == label ? 0.6 : 0) + (0.4 * noise));
        }
        images.add(row);
    }
    return images;
}

inline Task bar_task(std::uint64_t seed = 0) {
    return {64, 8, 4, seed};
}

} // namespace sprig::baselines

#pragma once

#include <cstdint>

#include "core/keyed.h"
#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Small images that a network can distinguish: each class has a bright bar in a different place, and noise.
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

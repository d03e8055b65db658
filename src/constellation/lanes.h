#pragma once

#include <cstring>

namespace sprig::constellation {

/// Two numbers that are calculated with at once. What each lane gives is what it would give alone, so that
/// results are the same everywhere.
using Lanes = double __attribute__((vector_size(16)));

inline Lanes load_lanes(const double* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
}

} // namespace sprig::constellation

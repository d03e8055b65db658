#pragma once

#include <cstring>

namespace sprig::constellation {

/// A SIMD pair of doubles. Each lane gives the same bits as scalar code.
using Lanes = double __attribute__((vector_size(16)));

inline Lanes load_lanes(const double* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
}

inline void store_lanes(double* to, Lanes lanes) {
    std::memcpy(to, &lanes, sizeof(lanes));
}

} // namespace sprig::constellation

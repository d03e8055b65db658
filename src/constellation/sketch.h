#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "constellation/observation_features.h"
#include "constellation/unit.h"

namespace sprig::constellation {

/// A SIMD vector of sixteen small numbers.
using Bytes = std::uint8_t __attribute__((vector_size(16)));

/// How many nodes of each type lie in each of nine parts of the shape, roughly. A node counts for up to four
/// parts that it is near, with 16 in all. The best unit for an observation nearly always has one of the most
/// similar sketches.
class Sketch {
  public:
    Sketch() = default;
    Sketch(const Unit& unit, const FeatureSet& set, std::size_t types);

    void assign(const ObservationFeatures& observed);

    [[nodiscard]] const std::vector<Bytes>& values() const { return values_; }
    /// The number of vectors.
    [[nodiscard]] static std::size_t length(std::size_t types) {
        return ((parts * types) + sizeof(Bytes) - 1) / sizeof(Bytes);
    }
    /// The sum of the differences from another sketch of the same length.
    [[nodiscard]] std::uint32_t distance(const Bytes* other) const;

  private:
    static constexpr std::size_t side = 3;
    static constexpr std::size_t parts = side * side;

    void clear(std::size_t types) { values_.assign(length(types), Bytes{}); }
    void add(std::size_t type, double x, double y);

    std::vector<Bytes> values_;
};

} // namespace sprig::constellation

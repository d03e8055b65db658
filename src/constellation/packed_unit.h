#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "constellation/unit.h"

namespace sprig::constellation {

/// A grid of places, for coarse positions. The outer places extend to infinity.
struct PlaceGrid {
    static constexpr std::size_t side = 16;
    static constexpr double first = -13; ///< where the second place begins, along each axis, less `step`
    static constexpr double step = 1.625;

    [[nodiscard]] static std::uint8_t place_of(double x, double y) {
        return static_cast<std::uint8_t>((side * along(y)) + along(x));
    }

  private:
    [[nodiscard]] static std::size_t along(double v) {
        return static_cast<std::size_t>(std::clamp((v - first) / step, 0.0, double{side - 1}));
    }
};

/// By feature, then node.
using FeatureColumns = std::vector<std::vector<double>>;

/// A unit in a compact form, from which it is restored bit for bit. A unit of one sample takes about an
/// eighth of the memory of a `Unit`: it has no spreads and equal counts, neighbours on the contour are nodes
/// of the same unit, and other values often repeat.
class PackedUnit {
  public:
    PackedUnit(const Unit& unit, const FeatureSet& set);

    [[nodiscard]] Unit unpacked(const FeatureSet& set) const;
    // If positions are the first features:
    /// The places of the nodes in the grid.
    [[nodiscard]] const std::uint8_t* places() const { return bytes_.get(); }
    /// The first features of the nodes. Reuses the memory of the result.
    void read_features(std::size_t count, FeatureColumns& to) const;

    [[nodiscard]] Lineage lineage() const { return lineage_; }
    [[nodiscard]] std::uint64_t born() const { return born_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Whether no feature is above 128, so that bounds of rounding errors hold.
    [[nodiscard]] bool is_near() const { return is_near_; }
    /// Size of the compact form.
    [[nodiscard]] std::size_t bytes() const { return sizeof(*this) + length_; }

  private:
    Lineage lineage_;
    std::uint64_t born_;
    std::uint64_t count_;
    std::uint32_t size_;
    std::uint32_t length_ = 0;
    std::uint32_t means_at_ = 0;
    bool is_near_;
    std::unique_ptr<std::uint8_t[]> bytes_;
};

} // namespace sprig::constellation

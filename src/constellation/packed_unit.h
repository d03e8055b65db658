#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "constellation/unit.h"

namespace sprig::constellation {

/// A unit in a compact form, from which it is restored bit for bit. A unit of one sample takes about an
/// eighth of the memory of a `Unit`: it has no spreads and equal counts, neighbours on the contour are nodes
/// of the same unit, and other values often repeat.
class PackedUnit {
  public:
    PackedUnit(const Unit& unit, const FeatureSet& set);

    [[nodiscard]] Unit unpacked(const FeatureSet& set) const;

    [[nodiscard]] Lineage lineage() const { return lineage_; }
    [[nodiscard]] std::uint64_t born() const { return born_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Size of the compact form.
    [[nodiscard]] std::size_t bytes() const { return sizeof(*this) + length_; }

  private:
    Lineage lineage_;
    std::uint64_t born_;
    std::uint64_t count_;
    std::uint32_t size_;
    std::uint32_t length_;
    std::unique_ptr<std::uint8_t[]> bytes_;
};

} // namespace sprig::constellation

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "constellation/unit.h"
#include "store/content.h"

namespace sprig::store {

/// A lesson of Constellation, told by what was seen: the observation's nodes, and which of them each node of
/// the unit that it joined lay on. The unit follows by the arithmetic that the learner itself uses.
struct ConstellationTrace {
    Lineage unit = 0;
    /// In which class it founded the unit, and as which of its samples; 0: it joined one.
    struct Founded {
        ClassId in = 0;
        std::uint64_t born = 0;
    };
    Founded founded;
    std::vector<std::uint32_t> begins; ///< as in `constellation::Shown`
    std::vector<double> features;
    std::size_t width = 0;
    std::vector<std::uint32_t> placed; ///< nothing if the unit was founded
    std::uint64_t sum = 0;             ///< of what the unit is after it, packed

    [[nodiscard]] constellation::Shown shown() const { return {begins, features.data(), width}; }
};

[[nodiscard]] std::string pack_trace(Lineage unit, const ConstellationTrace::Founded& founded,
                                     const constellation::Shown& shown, std::span<const std::uint32_t> placed,
                                     std::string_view packed);
/// Throws Error(bad_input) if it is none; `width`: features of a node.
[[nodiscard]] ConstellationTrace unpack_trace(std::string_view bytes, std::size_t width);

} // namespace sprig::store

#pragma once

#include <span>
#include <vector>

#include "modeller/unit.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// Whether matches are refused by where they lie.
[[nodiscard]] bool is_gated(const ModellerParams& params);

/// Where a unit's nodes usually lie: with their class if that is known, otherwise at all.
[[nodiscard]] std::vector<Moments> usual_places(const Unit& unit);

/// Whether a full placement lies where the unit usually lies: its centroid, or with `every_node` each node.
/// Where too little is known, it does.
[[nodiscard]] bool lies_in_place(std::span<const Moments> usual, const match::Observation& observation,
                                 std::span<const std::uint32_t> placed, bool every_node);

} // namespace sprig::modeller

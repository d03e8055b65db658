#pragma once

#include <span>
#include <vector>

#include "modeller/unit.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// Whether matches are rejected by position.
[[nodiscard]] bool is_gated(const ModellerParams& params);

/// The positions of a unit's nodes in samples of the class, or in all samples if there are too few of those.
[[nodiscard]] std::vector<Moments> typical_positions(const Unit& unit);

/// Whether a full match is near the typical positions: its centroid or, with `every_node`, each node. True if
/// there are too few observations to tell.
[[nodiscard]] bool is_at_typical_position(std::span<const Moments> typical,
                                          const match::Observation& observation,
                                          std::span<const std::uint32_t> placed, bool every_node);

} // namespace sprig::modeller

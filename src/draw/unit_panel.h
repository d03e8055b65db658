#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "draw/legend.h"
#include "draw/network_marks.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A unit with everything it stands on, as one network that can be drawn: its own nodes and anchors come
/// first and in their order, then those nodes of the units below that are not among its anchors.
struct Configuration {
    const UnitView* unit = nullptr;
    Network network;
    std::vector<NodeRole> roles; ///< by node
    /// How many samples its class has: what a unit that weighs its nodes is a share of.
    std::uint64_t class_samples = 0;
    bool labelled = true; ///< or nothing tells its class
};

/// Whether a unit says how likely each of its nodes is; such a unit is drawn by its outline.
[[nodiscard]] bool weighs_nodes(const UnitView& unit);

using UnitsByLineage = std::map<Lineage, const UnitView*>;

/// The unit's target, that one's target and so on, as far as they are known.
[[nodiscard]] std::vector<const UnitView*> chain_below(const UnitView& unit,
                                                       const UnitsByLineage& by_lineage);

/// `below` is the unit's target, that one's target and so on.
[[nodiscard]] Configuration configuration_of(const UnitView& unit, std::span<const UnitView* const> below);

/// The space under a unit's frame; one that weighs its nodes has two lines to say.
inline constexpr double unit_caption_height = 24;
inline constexpr double weighed_caption_height = 37;

/// A framed configuration with the unit's record under it. `levels` is what edges are coloured among.
void draw_unit(Svg& svg, const Frame& frame, const Configuration& configuration, const Reading& reading,
               std::uint32_t levels);

/// The frame around a unit: one that speaks against its class or target is told apart.
void draw_unit_frame(Svg& svg, Point corner, double width, double height, bool negative);
/// Whether a unit speaks against its class or target.
[[nodiscard]] bool is_negative(const UnitView& unit);
/// The frames of units that speak for and against.
[[nodiscard]] std::vector<LegendEntry> frame_entries();

/// How full the bar under a unit is.
[[nodiscard]] LegendEntry share_entry(std::string meaning);
/// What a unit's panel has and a network's has not.
[[nodiscard]] LegendBlock unit_legend(const Reading& reading);

} // namespace sprig::draw

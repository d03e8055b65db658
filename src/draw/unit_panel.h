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

/// A unit and its chain of targets as one network: first the unit's own nodes and anchors, in their order,
/// then the nodes of the targets that are not anchors.
struct UnitWithChain {
    const UnitView* unit = nullptr;
    Network network;
    std::vector<NodeRole> roles; ///< by node
    /// Number of samples of the class.
    std::uint64_t class_samples = 0;
    bool labelled = true; ///< false: the drawing does not reveal the class
};

/// Whether a unit has a probability for each of its nodes. Such a unit is drawn as an outline.
[[nodiscard]] bool has_weighted_nodes(const UnitView& unit);

using UnitsByLineage = std::map<Lineage, const UnitView*>;

/// The target of a unit, the target of that unit and so on, as far as they are known.
[[nodiscard]] std::vector<const UnitView*> target_chain(const UnitView& unit,
                                                        const UnitsByLineage& by_lineage);

/// `below` is the chain of targets.
[[nodiscard]] UnitWithChain unit_with_chain(const UnitView& unit, std::span<const UnitView* const> below);

/// The space under the frame of a unit, for one line, or for two lines of a weighted unit.
inline constexpr double unit_caption_height = 24;
inline constexpr double weighted_caption_height = 37;

/// A unit in a frame with its counts below. `levels` is the number of levels of the colour scale.
void draw_unit(Svg& svg, const Frame& frame, const UnitWithChain& unit_chain, const SchemaStyle& style,
               std::uint32_t levels);

/// Only what the unit expects, without a frame and text.
void draw_unit_pattern(Svg& svg, const Frame& frame, const UnitWithChain& unit_chain,
                       const SchemaStyle& style, std::uint32_t levels);

/// The frame of a unit; negative units are marked.
void draw_unit_frame(Svg& svg, Point corner, double width, double height, bool negative);
/// Whether a unit is evidence against its class or target.
[[nodiscard]] bool is_negative(const UnitView& unit);
/// Legend entries for the frames of positive and negative units.
[[nodiscard]] std::vector<LegendEntry> frame_entries();

/// Legend entry for the bar under a unit.
[[nodiscard]] LegendEntry share_entry(std::string meaning);
/// Legend of what a unit's panel has in addition to a network.
[[nodiscard]] LegendBlock unit_legend(const SchemaStyle& style);

} // namespace sprig::draw

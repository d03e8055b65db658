#pragma once

#include <string>

#include "draw/legend.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// Throws Error(bad_input) unless each own node has a NodeView with valid values.
void check_weighted(const UnitView& unit);

/// Draws a unit with node probabilities: ink along the expected outline, the nodes and their spread. Likely
/// parts are dark, unlikely ones faint.
void draw_weighted(Svg& svg, const Frame& frame, const UnitView& unit, const SchemaStyle& style);

/// The legend of such panels.
[[nodiscard]] std::vector<LegendBlock> weighted_legend(const SchemaStyle& style);

} // namespace sprig::draw

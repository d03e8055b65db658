#pragma once

#include <string>

#include "draw/legend.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// Throws Error(bad_input) unless each own node is weighed, by numbers that make sense.
void check_weighed(const UnitView& unit);

/// What a unit that weighs its nodes expects to see: ink along the outline that its nodes tell, the nodes on
/// it, and how far they stray. What is likely is dark, what is not is faint.
void draw_weighed(Svg& svg, const Frame& frame, const UnitView& unit, const Reading& reading);

/// What such panels show.
[[nodiscard]] std::vector<LegendBlock> weighed_legend(const Reading& reading);

} // namespace sprig::draw

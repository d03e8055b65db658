#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

/// Which units a sheet shows, and how large.
struct UnitSheetOptions {
    std::string title = "What was learned";
    /// At most so many units of a class: those with most observations.
    std::size_t per_class = 8;
    /// At most so many panels side by side.
    std::size_t columns = 8;
    /// The spatial layers too, dashed.
    bool all_layers = false;
    /// The side of a panel in px: 140 if not given.
    std::optional<double> panel = {};
    /// Without them nothing tells a unit's class, not even its place: to find out whether a person names it.
    bool labels = true;
};

/// What a learner has learned, as an SVG text: for each class the units with most observations, each with
/// its own nodes, its anchors as grey rings, and faintly the units below it that it stands on, as far as
/// they are among `units`. Of a unit that weighs its nodes, the outline that they tell is drawn instead: the
/// less likely, the fainter. Classes keep the order in which they come there. All panels show the same part
/// of the plane, so that places can be compared. The same input gives the same bytes. Throws Error(usage)
/// if there is nothing to draw or the options make no sense, Error(bad_input) if a unit contradicts itself.
[[nodiscard]] std::string draw_units(std::span<const UnitView> units, const UnitSheetOptions& options = {});

} // namespace sprig

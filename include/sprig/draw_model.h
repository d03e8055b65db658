#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

/// Which units a sheet shows, and how large they are.
struct UnitSheetOptions {
    std::string title = "What was learned";
    /// Maximum number of units of a class; those with most observations are drawn.
    std::size_t per_class = 8;
    /// Maximum number of panels in a row.
    std::size_t columns = 8;
    /// Draw the spatial layers too, dashed.
    bool all_layers = false;
    /// Side of a panel in px. Default: 140.
    std::optional<double> panel = {};
    /// If false, neither text nor order reveals the class of a unit. For tests with human readers.
    bool labels = true;
};

/// An SVG of the units of a learner: for each class, those with most observations. A unit is drawn with its
/// own nodes, its anchors as grey rings, and its chain of targets faintly, as far as they are in `units`. A
/// unit with node probabilities is drawn as an outline instead, fainter where it is less likely. Classes have
/// the order of `units`. All panels show the same region, so that positions can be compared. Deterministic.
/// Throws Error(usage) if `units` is empty or an option is out of range, Error(bad_input) if a unit is
/// inconsistent.
[[nodiscard]] std::string draw_units(std::span<const UnitView> units, const UnitSheetOptions& options = {});

/// A small SVG of each unit, in their order: the unit alone, in a square of `side` px, without text. All show
/// the same region, so that positions can be compared. Deterministic. Throws as `draw_units` does, except
/// that there may be no units.
[[nodiscard]] std::vector<std::string> draw_each_unit(std::span<const UnitView> units, double side = 140);

} // namespace sprig

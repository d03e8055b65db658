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

/// A line of a plot: a value for each evaluation. NaN says that nothing was measured and leaves a gap.
struct Curve {
    std::string name;
    std::vector<double> values;
};

/// Curves along a stream of learning. A curve that is shorter than the others was not measured at the end.
struct CurvePlot {
    std::string title;
    std::vector<std::string> notes = {}; ///< one line each, under the title
    std::vector<Curve> curves;
    /// How many evaluations are a cycle; cycles are bands of white and grey. 0: there are none.
    std::size_t per_cycle = 10;
    /// What stands under each evaluation where there are no cycles, and what that is; empty: their numbers.
    std::vector<std::string> columns = {};
    std::string x_title = "evaluation";
    std::string y_title = "units"; ///< what is counted; accuracies need no name
    /// Of the whole figure, in px.
    double width = 960;
    double height = 480;
};

struct RetentionOptions {
    /// A thick black line: the mean over the curves that have a value, which are the classes seen so far
    /// if those not yet seen are NaN.
    bool mean = true;
    /// For each evaluation, which curve's class was learned just before it: there the curve gets a dot.
    std::vector<std::size_t> learned = {};
};

/// How well each class is recognised along the stream, one curve for each. Values are accuracies, 0 to 1.
/// The same input gives the same bytes. Throws Error(usage) if there is nothing to draw, a value is no
/// accuracy or the size makes no sense.
[[nodiscard]] std::string draw_retention(const CurvePlot& plot, const RetentionOptions& options = {});

/// How a model grows: counts of 0 or more, the first curve (the total) thick and black. Throws as
/// `draw_retention` does.
[[nodiscard]] std::string draw_growth(const CurvePlot& plot);

/// What `draw_growth` takes, from what a learner counted after each evaluation: units, positive, negative.
[[nodiscard]] std::vector<Curve> growth_curves(std::span<const Census> counts);

} // namespace sprig

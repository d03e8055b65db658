#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sprig/explain.h"

namespace sprig {

struct ExplanationFigureOptions {
    std::string name = {};            ///< of the observation, for example mnist:train:17
    std::string label = {};           ///< true label, may be empty
    std::optional<double> panel = {}; ///< side of a panel in px; default 270
    std::size_t max_units = 4;        ///< maximum number of units drawn per class
    std::size_t max_bars = 8;         ///< maximum number of lines under each panel
};

/// An SVG page that explains an answer: the decisive nodes, numbered on the shape; the units of both classes
/// where they were found, with missing nodes in outline and the contribution of each part to the score; and a
/// change that would lead to the other class. Deterministic. Throws Error(usage) if an option is out of
/// range.
[[nodiscard]] std::string draw_explanation(const LocalExplanation& explanation,
                                           const ExplanationFigureOptions& options = {});

struct ClassFigureOptions {
    std::size_t max_units = 8;        ///< maximum number of units drawn large: those with most observations
    std::size_t max_tree_units = 30;  ///< maximum number of units drawn in the trees
    std::optional<double> panel = {}; ///< side of a panel in px; default 140 to 260
};

/// An SVG page about one class: its mature units (the most observed unit if none is mature), and the trees of
/// units and their targets. Deterministic. Throws Error(usage) if the class does not exist or an option is
/// out of range.
[[nodiscard]] std::string draw_class(const GlobalExplanation& explanation, std::string_view label,
                                     const ClassFigureOptions& options = {});

} // namespace sprig

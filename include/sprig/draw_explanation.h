#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sprig/explain.h"

namespace sprig {

struct ExplanationFigureOptions {
    std::string name = {};            ///< of what was seen, for example mnist:train:17
    std::string label = {};           ///< what it is, if that is known
    std::optional<double> panel = {}; ///< the side of a panel in px: 270 if not given
    std::size_t units = 4;            ///< at most so many units of a class are drawn
    std::size_t bars = 8;             ///< at most so many lines under each picture
};

/// Why an observation was taken for what it was, as an SVG text on one page: what decides, marked and
/// numbered on the shape; the units of the best class and of the one it is compared with, where they were
/// placed, with what is missing in outline and what each part adds to the score; and what would have changed
/// the answer. The same input gives the same bytes. Throws Error(usage) if the options make no sense.
[[nodiscard]] std::string draw_explanation(const LocalExplanation& explanation,
                                           const ExplanationFigureOptions& options = {});

struct ClassFigureOptions {
    /// At most so many units as caricatures, and so many in the tree: those with most observations.
    std::size_t units = 8;
    std::size_t in_tree = 30;
    std::optional<double> panel = {}; ///< the side of a panel in px: 140 if not given
};

/// What one class is to a model, as an SVG text: its mature units, and how units condition each other as a
/// tree. Where none is mature, the most observed one stands in. The same input gives the same bytes. Throws
/// Error(usage) if there is no such class or the options make no sense.
[[nodiscard]] std::string draw_class(const GlobalExplanation& explanation, std::string_view label,
                                     const ClassFigureOptions& options = {});

} // namespace sprig

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "draw/legend.h"
#include "draw/network_marks.h"
#include "draw/panel.h"
#include "sprig/draw.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A unit on an image in which it was found. All coordinates are in px of the image.
struct Overlay {
    std::string caption;
    std::string note; ///< the line below the caption
    ConstructionFigure observed;
    Network pattern;                             ///< where its nodes are expected
    std::vector<NodeId> placed;                  ///< by node of the pattern: the observed node, or `no_node`
    std::vector<NodeRole> roles = {};            ///< by node of the pattern; empty: all are `own`
    std::optional<EdgeId> first_edge_below = {}; ///< the edges from this one on belong to target units
    std::vector<NodeView> weights = {};          ///< by node of the pattern, if the unit has them
    std::vector<double> values = {};             ///< by own node: its contribution, drawn as a disc
};

/// The picture without frame and caption: the image, the contours, found and missing nodes.
void draw_overlay_picture(Svg& svg, const Frame& frame, const Overlay& overlay);
/// The legend of such pictures.
[[nodiscard]] std::vector<LegendBlock> overlay_legend(std::span<const Overlay> overlays);
/// Whether a node of the pattern is drawn as missing: it was expected and not found.
[[nodiscard]] bool is_missing(const Overlay& overlay, NodeId node);

/// A disc whose area is proportional to a contribution; for `most` its radius is `largest`.
void draw_value_disc(Svg& svg, Point centre, double value, double most, double largest);

struct OverlayOptions {
    std::string title;
    std::vector<std::string> notes = {}; ///< lines under the title
    std::size_t columns = 5;             ///< maximum number of panels in a row
    double panel = 190;
};

/// An SVG of units, each on an image in light grey. Missing nodes are drawn in outline; for units with node
/// probabilities, lines show the offset of each node from its expected position. Deterministic. Throws
/// Error(usage) if there is nothing to draw.
[[nodiscard]] std::string draw_overlays(std::span<const Overlay> overlays, const OverlayOptions& options);

} // namespace sprig::draw

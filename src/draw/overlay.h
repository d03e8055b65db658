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

/// A unit on an image in which it was found. All of it is in px of the image.
struct Overlay {
    std::string caption;
    std::string record; ///< the line below it
    ConstructionFigure seen;
    Network pattern;                       ///< where its nodes are expected
    std::vector<NodeId> placed;            ///< by node of the pattern: a node that was seen, or `no_node`
    std::vector<NodeRole> roles = {};      ///< by node of the pattern; empty: all are its own
    std::optional<EdgeId> below_from = {}; ///< the edges from this one on belong to units below
    std::vector<NodeView> weights = {};    ///< by node of the pattern, of a unit that weighs them
    std::vector<double> values = {};       ///< by own node: what it adds; a disc behind it tells
};

/// The picture alone: the image, the contours, what was found and what was not.
void draw_overlay_picture(Svg& svg, const Frame& frame, const Overlay& overlay);
/// What such pictures show.
[[nodiscard]] std::vector<LegendBlock> overlay_legend(std::span<const Overlay> overlays);
/// Whether a node of the pattern is worth being drawn as missing.
[[nodiscard]] bool is_missed(const Overlay& overlay, NodeId node);

/// A disc whose area tells how much something adds or takes; for `most` its radius is `largest`.
void draw_worth(Svg& svg, Point centre, double value, double most, double largest);

struct OverlayOptions {
    std::string title;
    std::vector<std::string> notes = {}; ///< one line each, under the title
    std::size_t columns = 5;             ///< at most
    double panel = 190;
};

/// Units where they were found, each on its image in light grey. Nodes that are expected and not there are
/// drawn in outline; of a unit that weighs its nodes one sees how far each lies from where it is expected.
/// The same input gives the same bytes. Throws Error(usage) if there is nothing to draw.
[[nodiscard]] std::string draw_overlays(std::span<const Overlay> overlays, const OverlayOptions& options);

} // namespace sprig::draw

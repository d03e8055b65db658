#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/image.h"
#include "sprig/network.h"

namespace sprig {

/// What of a network is drawn, and how large.
struct DrawOptions {
    /// Only the edges of this layer. Without it the contour layers are drawn, as in the paper, and of a
    /// network that is not the front end's all layers.
    std::optional<Layer> layer = {};
    /// All layers, the spatial ones dashed. `layer` goes before it.
    bool all_layers = false;
    /// Only the edges of this level; the construction figure shows it in place of the finest and the
    /// coarsest one and points it out in the whole network. On a sheet, an image without that level
    /// shows its nodes alone.
    std::optional<std::uint32_t> level = {};
    /// The side of a panel in px: 280 if not given, 190 on a sheet, 560 for a network alone.
    std::optional<double> panel = {};
};

/// Everything the construction figure shows of one image. Contours and nodes are in px of the original
/// image with pixel centres at integers; `binarized` is `scale` times as large as it. If the front end
/// set the writing upright, they belong to `binarized` and not to `input`.
struct ConstructionFigure {
    std::string name;                ///< for example mnist:train:17
    std::string label;               ///< may be empty
    std::optional<Picture> original; ///< a person's own picture, before it was normalised
    Image input;
    Image binarized;
    std::vector<Contour> contours;
    Network network;
    FrontEndParams params;
    std::vector<std::string> notes; ///< one line each, under the title
};

/// From the image to its network in five steps, as an SVG text: the input, its contours with their change
/// points, the finest and the coarsest level, and all levels as one network. The same input gives the
/// same bytes. Throws Error(usage) if the network has no such level or layer.
[[nodiscard]] std::string draw_construction(const ConstructionFigure& figure,
                                            const DrawOptions& options = {});

/// Some levels of an image's network side by side, each on the image's shape, and all levels as one network:
/// what coarsening leaves, and what it adds. Throws Error(usage) if the network has no such level or layer.
[[nodiscard]] std::string draw_levels(const ConstructionFigure& figure, std::span<const std::uint32_t> levels,
                                      const DrawOptions& options = {});

/// Many images side by side, each with its shape, contours and network, and one legend.
/// Throws Error(usage) if there is nothing to draw.
[[nodiscard]] std::string draw_sheet(std::span<const ConstructionFigure> figures,
                                     const DrawOptions& options = {});

/// A network alone. Of more than two coordinates the first two are drawn; a network of fewer, or one that
/// has no such level or layer, is refused with Error(usage).
[[nodiscard]] std::string draw_network(const Network& network, std::string_view title,
                                       const DrawOptions& options = {});

} // namespace sprig

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

/// Which part of a network is drawn, and how large.
struct DrawOptions {
    /// Draw only the edges of this layer. Default: the contour layers, as in the paper, or all layers if the
    /// network does not come from the front end.
    std::optional<Layer> layer = {};
    /// Draw all layers, the spatial ones dashed. Ignored if `layer` is set.
    bool all_layers = false;
    /// Draw only the edges of this level. The construction figure shows it instead of the finest and the
    /// coarsest level, and highlights it in the whole network. On a sheet, an image without this level is
    /// drawn without edges.
    std::optional<std::uint32_t> level = {};
    /// Side of a panel in px. Default: 280, on a sheet 190, for a single network 560.
    std::optional<double> panel = {};
};

/// The content of the construction figure of one image. Contours and nodes are in px of the original image,
/// with pixel centres at integers; `binarized` is `scale` times as large. If the front end deskewed the
/// image, contours and nodes match `binarized` and not `input`.
struct ConstructionFigure {
    std::string name;                ///< for example mnist:train:17
    std::string label;               ///< may be empty
    std::optional<Picture> original; ///< the user's picture before normalisation
    Image input;
    Image binarized;
    std::vector<Contour> contours;
    Network network;
    FrontEndParams params;
    std::vector<std::string> notes; ///< lines under the title
};

/// An SVG of the steps from an image to its network: the input, the contours with their change points, the
/// finest and the coarsest level, and all levels as one network. Deterministic. Throws Error(usage) if the
/// level or layer does not exist.
[[nodiscard]] std::string draw_construction(const ConstructionFigure& figure,
                                            const DrawOptions& options = {});

/// An SVG of some levels of an image's network side by side, and of all levels as one network. Throws
/// Error(usage) if a level or layer does not exist.
[[nodiscard]] std::string draw_levels(const ConstructionFigure& figure, std::span<const std::uint32_t> levels,
                                      const DrawOptions& options = {});

/// An SVG of several images in rows, each with its shape, contours and network, and one legend. Throws
/// Error(usage) if `figures` is empty.
[[nodiscard]] std::string draw_sheet(std::span<const ConstructionFigure> figures,
                                     const DrawOptions& options = {});

/// An SVG of one network, by its first two coordinates. Throws Error(usage) if it has only one coordinate, or
/// if the level or layer does not exist.
[[nodiscard]] std::string draw_network(const Network& network, std::string_view title,
                                       const DrawOptions& options = {});

} // namespace sprig

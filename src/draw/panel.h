#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "draw/svg.h"
#include "sprig/draw.h"

namespace sprig::draw {

/// The square region that a panel shows, in px of the image.
struct Window {
    double left = 0;
    double top = 0;
    double side = 1;
};

/// The whole image; pixel centres are at integers.
[[nodiscard]] Window window_of(const Image& image);
/// The contours and nodes with a margin, or the whole image if there are none.
[[nodiscard]] Window window_around(const ConstructionFigure& figure);
[[nodiscard]] Window window_around(const Network& network);
/// A common window for several networks.
[[nodiscard]] Window window_around(std::span<const Network* const> networks);

/// A square of the page that shows a window.
struct Frame {
    Point corner;
    double size = 0;
    Window window;

    [[nodiscard]] double zoom() const { return size / window.side; }
    [[nodiscard]] Point operator()(double x, double y) const {
        return {corner.x + ((x - window.left) * zoom()), corner.y + ((y - window.top) * zoom())};
    }
};

void draw_frame(Svg& svg, const Frame& frame);
/// The grey image, dark on white, with sharp pixels.
void draw_input(Svg& svg, const Frame& frame, const Image& image);
/// A user's picture, scaled to fit.
void draw_picture(Svg& svg, const Frame& frame, const Picture& picture);
/// The ink of the binarized image in light grey.
void draw_shape(Svg& svg, const Frame& frame, const ConstructionFigure& figure);
/// Outer boundaries solid, holes dashed.
void draw_contours(Svg& svg, const Frame& frame, const std::vector<Contour>& contours, double width);
/// Text in the middle of an empty panel.
void draw_centred_text(Svg& svg, const Frame& frame, std::string_view words);

} // namespace sprig::draw

#include "draw/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "draw/palette.h"
#include "draw/pixels.h"

namespace sprig::draw {
namespace {

/// The bounding box of points.
class Box {
  public:
    void add(double x, double y) {
        left_ = std::min(left_, x);
        right_ = std::max(right_, x);
        top_ = std::min(top_, y);
        bottom_ = std::max(bottom_, y);
    }
    void add(const Network& network) {
        for (NodeId node = 0; node < network.node_count(); ++node)
            add(network.coordinate(node, 0), network.coordinate(node, 1));
    }
    [[nodiscard]] bool empty() const { return left_ > right_; }
    /// The square around the box, with a margin for marks on its border.
    [[nodiscard]] Window square() const {
        const double extent = std::max(right_ - left_, bottom_ - top_);
        const double side = extent > 0 ? extent * 1.16 : 1;
        return {((left_ + right_) - side) / 2, ((top_ + bottom_) - side) / 2, side};
    }

  private:
    double left_ = HUGE_VAL;
    double right_ = -HUGE_VAL;
    double top_ = HUGE_VAL;
    double bottom_ = -HUGE_VAL;
};

void draw_bitmap(Svg& svg, Point corner, double width, double height, const std::string& uri) {
    Attributes attributes;
    attributes.set("x", corner.x).set("y", corner.y).set("width", width).set("height", height);
    svg.element("image", attributes.set("preserveAspectRatio", "none").set("href", uri));
}

/// The transformation of outlines in pixels to the frame.
Attributes pixel_grid(const Frame& frame, int scale) {
    const Point corner = frame(-0.5, -0.5);
    return Attributes()
        .set("shape-rendering", "crispEdges")
        .set("transform", fmt::format("translate({} {}) scale({:.6f})", number(corner.x), number(corner.y),
                                      frame.zoom() / std::max(scale, 1)));
}

} // namespace

Window window_of(const Image& image) {
    const double side = std::max({image.width, image.height, 1});
    return {-0.5 - ((side - image.width) / 2), -0.5 - ((side - image.height) / 2), side};
}

Window window_around(const ConstructionFigure& figure) {
    Box box;
    for (const Contour& contour : figure.contours)
        for (const Contour::Point& point : contour.points) {
            // A contour runs through pixel centres.
            box.add(point.x - 0.5, point.y - 0.5);
            box.add(point.x + 0.5, point.y + 0.5);
        }
    box.add(figure.network);
    return box.empty() ? window_of(figure.input) : box.square();
}

Window window_around(const Network& network) {
    const std::array<const Network*, 1> alone = {&network};
    return window_around(alone);
}

Window window_around(std::span<const Network* const> networks) {
    Box box;
    for (const Network* network : networks) box.add(*network);
    return box.empty() ? Window{} : box.square();
}

void draw_frame(Svg& svg, const Frame& frame) {
    svg.rect(frame.corner, frame.size, frame.size,
             Attributes().set("fill", "none").set("stroke", frame_colour).set("stroke-width", 1));
}

void draw_input(Svg& svg, const Frame& frame, const Image& image) {
    // Some renderers always blur enlarged bitmaps, but never outlines. Large images are hardly enlarged, and
    // their outlines would take a megabyte.
    constexpr int largest_outlined = 64;
    if (image.pixels.empty()) return;
    if (std::max(image.width, image.height) > largest_outlined) {
        draw_bitmap(svg, frame(-0.5, -0.5), image.width * frame.zoom(), image.height * frame.zoom(),
                    data_uri(image));
        return;
    }
    const auto group = svg.group(pixel_grid(frame, 1).set("class", "input"));
    for (const GreyOutline& grey : grey_outlines(image))
        svg.path(grey.outline, Attributes().set("fill", grey.colour));
}

void draw_picture(Svg& svg, const Frame& frame, const Picture& picture) {
    if (picture.pixels.empty()) return;
    const double zoom = frame.size / std::max(picture.width, picture.height);
    const double width = picture.width * zoom;
    const double height = picture.height * zoom;
    draw_bitmap(svg, frame.corner + Point{(frame.size - width) / 2, (frame.size - height) / 2}, width, height,
                data_uri(picture, static_cast<int>(std::lround(frame.size))));
}

void draw_shape(Svg& svg, const Frame& frame, const ConstructionFigure& figure) {
    // With a resolution, how much the image was enlarged depends on its size.
    const int scale = figure.input.width > 0 ? figure.binarized.width / figure.input.width : 1;
    svg.path(ink_outline(figure.binarized),
             pixel_grid(frame, scale).set("class", "shape").set("fill", shape_colour));
}

void draw_contours(Svg& svg, const Frame& frame, const std::vector<Contour>& contours, double width) {
    for (const Contour& contour : contours) {
        const bool hole = contour.depth % 2 != 0;
        std::vector<Point> corners;
        for (const Contour::Point& point : contour.points) corners.push_back(frame(point.x, point.y));
        Attributes attributes;
        attributes.set("class", hole ? "contour hole" : "contour").set("fill", "none");
        attributes.set("stroke", contour_colour).set("stroke-width", width);
        if (hole) attributes.set("stroke-dasharray", "4 2.5");
        svg.path(PathData().polygon(corners), attributes);
    }
}

void draw_centred_text(Svg& svg, const Frame& frame, std::string_view words) {
    svg.text(frame.corner + Point{frame.size / 2, frame.size / 2}, fit_text(words, 12, frame.size), 12,
             Attributes().set("text-anchor", "middle").set("fill", soft_colour));
}

} // namespace sprig::draw

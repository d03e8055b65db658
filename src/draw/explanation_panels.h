#pragma once

#include <string>
#include <vector>

#include "draw/overlay.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/explain.h"

namespace sprig::draw {

/// The data shared by all pictures of an explanation.
struct Scene {
    const LocalExplanation& all;
    ConstructionFigure observed; ///< its network is in coordinates of the learner's front end
    CoordinateTransform transform;
    Network network; ///< the network in px of the image
    SchemaStyle style;
    Window window;
};
[[nodiscard]] Scene scene_of(const LocalExplanation& explanation);

/// A unit of a class as it is drawn.
struct UnitPicture {
    Overlay overlay;
    std::string caption;
    bool negative = false; ///< evidence against its class or target
};
/// The units of a class that contribute most.
[[nodiscard]] std::vector<UnitPicture> unit_pictures(const Scene& scene, const ScoredClass& part,
                                                     std::size_t most);
/// One picture for each addition of the change.
[[nodiscard]] std::vector<Overlay> addition_pictures(const Scene& scene);

/// Enlarges the window to contain the expected nodes of the overlays.
void widen(Window& window, std::span<const Overlay> overlays);

/// The shape, a disc for the margin effect of each element, and the numbers of the decisive ones.
void draw_decisive_points(Svg& svg, const Frame& frame, const Scene& scene);
/// The shape and the additions with their letters.
void draw_additions(Svg& svg, const Frame& frame, const Scene& scene, std::span<const Overlay> additions);
/// One large picture or several small ones, each with a caption. Returns their height.
double draw_unit_pictures(Svg& svg, Point corner, double side, const Window& window,
                          std::span<const UnitPicture> units);

/// A term of a sum.
struct Bar {
    std::string label;
    double value = 0;
    bool hollow = false; ///< something missing
};
/// The terms of a class's score, in at most `most` lines.
[[nodiscard]] std::vector<Bar> bars_of(const ScoredClass& part, std::size_t most);
/// The terms and their sum. Returns the height.
double draw_bars(Svg& svg, Point corner, double width, std::span<const Bar> bars, double sum);

/// "+12.3", or "-0.4" with a minus sign (U+2212).
[[nodiscard]] std::string format_signed(double value);
/// A node type in plain words: "bulge left".
[[nodiscard]] std::string describe_type(std::uint32_t type, const Schema& schema, const SchemaStyle& style);
/// A position within a window in plain words: "top left".
[[nodiscard]] std::string describe_position(const Window& window, double x, double y);

/// A number or letter in a circle.
void draw_badge(Svg& svg, Point centre, std::string_view words, std::string_view colour);

} // namespace sprig::draw

#pragma once

#include <string>
#include <vector>

#include "draw/overlay.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/explain.h"

namespace sprig::draw {

/// What all pictures of one explanation have in common.
struct Scene {
    const LocalExplanation& all;
    ConstructionFigure seen; ///< its network is as the learner's front end measures it
    Placement placement;
    Network network; ///< in px of the image
    Reading reading;
    Window window;
};
[[nodiscard]] Scene scene_of(const LocalExplanation& explanation);

/// A unit of a class as it is drawn.
struct ShownUnit {
    Overlay overlay;
    std::string caption;
    bool negative = false; ///< speaks against its class or target
};
/// The units of a class that say most.
[[nodiscard]] std::vector<ShownUnit> shown_units(const Scene& scene, const ClassPart& part, std::size_t most);
/// Where the things lie that would have to be added, one picture for each.
[[nodiscard]] std::vector<Overlay> shown_additions(const Scene& scene);

/// Makes room in the window for what was expected farther out.
void widen(Window& window, std::span<const Overlay> overlays);

/// The shape, a disc for what each element decides, and the numbers of those that decide most.
void draw_deciding(Svg& svg, const Frame& frame, const Scene& scene);
/// The shape, and with their letters the things that would have to be added.
void draw_additions(Svg& svg, const Frame& frame, const Scene& scene, std::span<const Overlay> additions);
/// One picture, or as many small ones, in a square with a line of words under each; returns their height.
double draw_shown(Svg& svg, Point corner, double side, const Window& window,
                  std::span<const ShownUnit> units);

/// A part of a sum.
struct Bar {
    std::string words;
    double value = 0;
    bool hollow = false; ///< something that is not there
};
/// What a class's score is the sum of, in at most so many lines.
[[nodiscard]] std::vector<Bar> bars_of(const ClassPart& part, std::size_t most);
/// The parts and under them their sum; returns the height.
double draw_bars(Svg& svg, Point corner, double width, std::span<const Bar> bars, double sum);

/// "+12.3", "-0.4" with a true minus.
[[nodiscard]] std::string signed_number(double value);
/// What a node is, for somebody who does not know its type's name: "bulge left".
[[nodiscard]] std::string type_words(std::uint32_t type, const Schema& schema, const Reading& reading);
/// Where a place lies in a window: "top left".
[[nodiscard]] std::string place_words(const Window& window, double x, double y);

/// A number or letter in a circle.
void draw_badge(Svg& svg, Point centre, std::string_view words, std::string_view colour);

} // namespace sprig::draw

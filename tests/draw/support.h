#pragma once

#include <array>
#include <cctype>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/draw.h"

namespace sprig::testing {

inline std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

/// Checks an SVG independently of librsvg: tags are closed in order, attributes are quoted, and the text has
/// no `<` or bare `&`. Returns the fault, empty if there is none.
inline std::string xml_fault(std::string_view xml) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while (at < xml.size()) {
        if (xml[at] == '&') {
            const std::string_view entity = xml.substr(at, xml.find(';', at) - at + 1);
            if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" &&
                entity != "&#39;")
                return "bare ampersand at " + std::to_string(at);
        }
        if (xml[at] != '<') {
            ++at;
            continue;
        }
        const std::size_t end = xml.find('>', at);
        if (end == std::string_view::npos) return "tag never ends";
        const std::string tag(xml.substr(at + 1, end - at - 1));
        if (tag.find('<') != std::string::npos) return "< inside a tag";
        if (count_of(tag, "\"") % 2 != 0) return "odd quotes in <" + tag + ">";
        const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
        if (tag.front() == '/') {
            if (open.empty() || "/" + open.back() != tag) return "closes what is not open: <" + tag + ">";
            open.pop_back();
            if (open.empty() && xml.substr(end + 1) != "\n") return "content after the end";
        } else if (tag.back() != '/') {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? "" : "never closed: " + open.back();
}

/// The four change points of a square with edges of two levels in all layers.
inline Network square_network(int directions = 2) {
    FrontEndParams params;
    params.directions = directions;
    Network network(front_end_schema(params));
    const int y = directions / 2;
    const std::array<double, 3> attributes = {1, 1, 0};
    const auto add = [&](const ChangeKind& kind, double at_x, double at_y) {
        const std::array<double, 2> place = {at_x, at_y};
        return network.add_node(kind.index(), place, attributes);
    };
    const NodeId right = add({0, true, true}, 8, 5);
    const NodeId bottom = add({y, true, false}, 5, 8);
    const NodeId left = add({0, false, true}, 2, 5);
    const NodeId top = add({y, false, true}, 5, 2);
    const auto join = [&](NodeId from, NodeId to, Layer layer, std::uint32_t first, std::uint32_t last) {
        network.add_edge(Edge{from, to, static_cast<std::uint32_t>(layer), first, last});
    };
    join(bottom, right, Layer::contour_h, 0, 0);
    join(right, bottom, Layer::contour_v, 0, 0);
    join(left, bottom, Layer::contour_h, 0, 0);
    join(left, bottom, Layer::contour_v, 0, 0);
    join(left, right, Layer::contour_h, 1, 1);
    join(top, left, Layer::spatial_v, 0, 1);
    join(left, top, Layer::spatial_h, 0, 0);
    return network;
}

/// A figure of a filled square, with a network made by hand.
inline ConstructionFigure square_figure() {
    Image image(11, 11);
    for (int y = 2; y <= 8; ++y)
        for (int x = 2; x <= 8; ++x) image.at(x, y) = static_cast<std::uint8_t>(150 + x);
    Image binarized(11, 11);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        binarized.pixels[i] = image.pixels[i] > 127 ? 255 : 0;
    return {.name = "square",
            .label = "4",
            .original = {},
            .input = image,
            .binarized = binarized,
            .contours = {Contour{{{2, 2}, {8, 2}, {8, 8}, {2, 8}}, 0}},
            .network = square_network(),
            .params = {},
            .notes = {}};
}

} // namespace sprig::testing

#include <algorithm>

#include "draw/layout.h"
#include "draw/legend.h"
#include "draw/marks.h"
#include "draw/network_marks.h"
#include "draw/panel.h"
#include "sprig/draw.h"

namespace sprig {

std::string draw_network(const Network& network, std::string_view title, const DrawOptions& options) {
    using namespace draw;
    check_level(network, title.empty() ? "the network" : title, options.level);
    const Reading reading = reading_of(network.schema(), options);
    const double side = panel_side(options, 560);
    const double width = std::max(side, legend_width) + (2 * margin);

    // The heading stands above the panel but tells what is in it, so it is written afterwards; the height
    // of a heading of one line is known.
    const double top = margin + title_size + (note_size * 1.6) + 16;
    Svg svg;
    const Frame frame{{margin, top}, side, window_around(network)};
    const Counts counts = draw_marks(svg, frame, network, reading, {.level = options.level});
    if (network.node_count() == 0) draw_remark(svg, frame, "no nodes");
    draw_frame(svg, frame);
    const std::string summary = counted(counts.nodes, "node") + ", " + counted(counts.edges, "edge") +
                                (options.level ? " on level " + std::to_string(*options.level)
                                               : ", " + counted(network.level_count(), "level"));
    draw_heading(svg, width, title, {summary});
    const double legend_top = top + side + 24;
    const double legend = draw_legend(
        svg, {margin, legend_top}, width - (2 * margin),
        {.schema = network.schema(), .reading = reading, .contours = false, .levels = network.level_count()});
    return svg.finish(width, legend_top + legend + margin, title, "A network of " + summary + ".");
}

} // namespace sprig

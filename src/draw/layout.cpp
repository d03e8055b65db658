#include "draw/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "draw/palette.h"
#include "sprig/error.h"

namespace sprig::draw {

double panel_side(const DrawOptions& options, double by_default) {
    constexpr double least = 60;
    constexpr double most = 4000;
    const double side = options.panel.value_or(by_default);
    if (!(side >= least && side <= most))
        throw usage_error(fmt::format("cannot draw a panel of {} px: choose {} to {} px", side, least, most));
    return side;
}

void check_level(const Network& network, std::string_view name, std::optional<std::uint32_t> level) {
    const std::uint32_t levels = std::max(network.level_count(), 1U);
    if (level && *level >= levels)
        throw usage_error(fmt::format("{} has no level {}: choose 0 to {}", name, *level, levels - 1));
}

double draw_heading(Svg& svg, double width, std::string_view title, const std::vector<std::string>& lines) {
    const double room = width - (2 * margin);
    double y = margin + title_size;
    // Bold letters are about a tenth broader than our estimate's.
    svg.text({margin, y}, fit_text(title, title_size * 1.1, room), title_size,
             Attributes().set("font-weight", "bold"));
    for (const std::string& line : lines) {
        y += note_size * 1.6;
        svg.text({margin, y}, fit_text(line, note_size, room), note_size,
                 Attributes().set("fill", soft_colour));
    }
    return y + 16;
}

std::vector<std::string> wrap_text(std::string_view text, double font_size, double width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const std::string longer = line.empty() ? std::string(word) : fmt::format("{} {}", line, word);
        if (!line.empty() && text_width(longer, font_size) > width) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

std::string name_and_label(const ConstructionFigure& figure) {
    if (figure.label.empty()) return figure.name;
    return figure.name.empty() ? "label " + figure.label : figure.name + ", label " + figure.label;
}

} // namespace sprig::draw

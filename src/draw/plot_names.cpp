#include <algorithm>
#include <cmath>
#include <optional>

#include "draw/palette.h"
#include "draw/plot.h"

namespace sprig::draw {
namespace {

constexpr double leader_room = 34; ///< from the field to the names
constexpr double sample_length = 16;
constexpr double value_gap = 8;
constexpr double longest_name = 130;

std::optional<std::size_t> last_measured(const Curve& curve) {
    for (std::size_t i = curve.values.size(); i > 0; --i)
        if (!std::isnan(curve.values[i - 1])) return i - 1;
    return {};
}

struct Name {
    const PlotLine* line = nullptr;
    Point end; ///< of its line
    double y = 0;
    std::string words;
    std::string value;
};

std::vector<Name> names_of(const Field& field, std::span<const PlotLine> lines, const Scale& scale) {
    std::vector<Name> names;
    for (const PlotLine& line : lines) {
        const auto last = last_measured(*line.curve);
        if (!last) continue;
        const double value = line.curve->values[*last];
        const Point end = field(*last, value);
        names.push_back(
            {&line, end, end.y, fit_text(line.curve->name, tick_size, longest_name), scale.value(value)});
    }
    return names;
}

/// Neighbours that stand on each other each give way by half, so that a crowd stays around its middle.
void push_apart(std::vector<Name>& names, double apart) {
    constexpr int rounds = 100;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 1; i < names.size(); ++i) {
            const double missing = apart - (names[i].y - names[i - 1].y);
            if (missing <= 0) continue;
            names[i - 1].y -= missing / 2;
            names[i].y += missing / 2;
        }
}

/// Keeps names from standing on each other and within the field.
void spread_names(std::vector<Name>& names, double top, double bottom) {
    if (names.empty()) return;
    const double room = bottom - top;
    const double apart =
        std::min(15.0, room / static_cast<double>(std::max<std::size_t>(names.size() - 1, 1)));
    std::ranges::stable_sort(names, {}, &Name::y);
    push_apart(names, apart);
    double least = top;
    for (Name& name : names) {
        name.y = std::max(name.y, least);
        least = name.y + apart;
    }
    double most = bottom;
    for (std::size_t i = names.size(); i-- > 0;) {
        Name& name = names[i];
        name.y = std::min(name.y, most);
        most = name.y - apart;
    }
}

double widest(std::span<const Name> names, std::string Name::*text) {
    double width = 0;
    for (const Name& name : names) width = std::max(width, text_width(name.*text, tick_size));
    return width;
}

} // namespace

double names_width(std::span<const PlotLine> lines, const Scale& scale) {
    const std::vector<Name> names = names_of({}, lines, scale);
    return leader_room + widest(names, &Name::words) + value_gap + widest(names, &Name::value);
}

void draw_names(Svg& svg, const Field& field, std::span<const PlotLine> lines, const Scale& scale) {
    std::vector<Name> names = names_of(field, lines, scale);
    const double values_end = names_width(lines, scale);
    spread_names(names, field.corner.y, field.bottom());
    const auto group = svg.group(Attributes().set("class", "names"));
    for (const Name& name : names) {
        const Point at{field.right() + leader_room, name.y + 4};
        const LineLook& look = name.line->look;
        const Point sample{at.x - 5, name.y};
        // The way to the name is no part of the line, and thinner.
        svg.line(name.end, sample - Point{sample_length, 0}, stroke(look.colour, 0.7));
        svg.line(sample - Point{sample_length, 0}, sample, line_attributes(look));
        svg.text(at, name.words, tick_size);
        svg.text({field.right() + values_end, at.y}, name.value, tick_size,
                 Attributes().set("text-anchor", "end").set("fill", soft_colour));
    }
}

} // namespace sprig::draw

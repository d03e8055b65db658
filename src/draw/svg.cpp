#include "draw/svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "draw/palette.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view ellipsis = "\xE2\x80\xA6";    // U+2026

/// The number of bytes of the UTF-8 character at the start of `text`; 0 if it is invalid.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    // Overlong forms, surrogates, code points beyond Unicode, and the two characters that XML forbids.
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
        (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
        return 0;
    if (first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;
    return length;
}

void append_character(std::string& out, std::string_view character) {
    switch (character.front()) {
    case '&':
        out += "&amp;";
        return;
    case '<':
        out += "&lt;";
        return;
    case '>':
        out += "&gt;";
        return;
    case '"':
        out += "&quot;";
        return;
    case '\'':
        out += "&#39;";
        return;
    case '\t':
    case '\n':
        out += ' ';
        return;
    default:
        break;
    }
    const auto byte = static_cast<std::uint8_t>(character.front());
    out += byte < 0x20 || byte == 0x7F ? replacement : character;
}

/// The width of a character in units of the font size.
double character_width(std::string_view character) {
    constexpr std::string_view narrow = " .,:;|!'()[]/ijlftrI";
    constexpr std::string_view broad = "mwMW@%";
    if (narrow.find(character) != std::string_view::npos) return 0.39;
    if (broad.find(character) != std::string_view::npos) return 1;
    return 0.635;
}

} // namespace

std::string number(double value) {
    if (!std::isfinite(value))
        throw bad_input("cannot draw a coordinate that is not a finite number; check the network");
    // Enough for all digits of the largest double.
    std::array<char, std::numeric_limits<double>::max_exponent10 + 8> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 2);
    std::string text(digits.data(), end.ptr);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string escape(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0)
            out += replacement;
        else
            append_character(out, text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

double text_width(std::string_view text, double font_size) {
    double width = 0;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(character_length(text), 1);
        width += character_width(text.substr(0, length));
        text.remove_prefix(length);
    }
    return width * font_size;
}

std::string fit_text(std::string_view text, double font_size, double width) {
    if (text_width(text, font_size) <= width) return std::string(text);
    const double room = width - text_width(ellipsis, font_size);
    std::size_t kept = 0;
    while (kept < text.size()) {
        const std::size_t length = std::max<std::size_t>(character_length(text.substr(kept)), 1);
        if (text_width(text.substr(0, kept + length), font_size) > room) break;
        kept += length;
    }
    return std::string(text.substr(0, kept)) + std::string(ellipsis);
}

Attributes& Attributes::set(std::string_view name, std::string_view value) {
    text_.append(" ").append(name).append("=\"").append(escape(value)).append("\"");
    return *this;
}

Attributes& Attributes::set(std::string_view name, double value) {
    return set(name, number(value));
}

PathData& PathData::move(Point to) {
    text_.append("M").append(number(to.x)).append(" ").append(number(to.y));
    return *this;
}

PathData& PathData::line(Point to) {
    text_.append("L").append(number(to.x)).append(" ").append(number(to.y));
    return *this;
}

PathData& PathData::curve(Point first_control, Point second_control, Point to) {
    std::string_view before = "C";
    for (const Point point : {first_control, second_control, to}) {
        text_.append(before).append(number(point.x)).append(" ").append(number(point.y));
        before = " ";
    }
    return *this;
}

PathData& PathData::polygon(std::span<const Point> corners) {
    if (corners.empty()) return *this;
    move(corners.front());
    for (const Point& corner : corners.subspan(1)) line(corner);
    text_ += "Z";
    return *this;
}

PathData& PathData::box(Point corner, double width, double height) {
    move(corner);
    text_.append("h").append(number(width)).append("v").append(number(height));
    text_.append("h").append(number(-width)).append("Z");
    return *this;
}

Svg::Group Svg::group(const Attributes& attributes) {
    body_.append("<g").append(attributes.str()).append(">\n");
    return Group(*this);
}

void Svg::element(std::string_view tag, const Attributes& attributes, std::string_view tooltip) {
    body_.append("<").append(tag).append(attributes.str());
    if (tooltip.empty()) {
        body_ += "/>\n";
    } else {
        body_.append("><title>").append(escape(tooltip)).append("</title></").append(tag).append(">\n");
    }
}

void Svg::line(Point from, Point to, Attributes attributes) {
    attributes.set("x1", from.x).set("y1", from.y).set("x2", to.x).set("y2", to.y);
    element("line", attributes);
}

void Svg::circle(Point centre, double radius, Attributes attributes, std::string_view tooltip) {
    element("circle", attributes.set("cx", centre.x).set("cy", centre.y).set("r", radius), tooltip);
}

void Svg::rect(Point corner, double width, double height, Attributes attributes) {
    attributes.set("x", corner.x).set("y", corner.y).set("width", width).set("height", height);
    element("rect", attributes);
}

void Svg::path(const PathData& data, Attributes attributes, std::string_view tooltip) {
    element("path", attributes.set("d", data.str()), tooltip);
}

void Svg::text(Point at, std::string_view words, double font_size, Attributes attributes) {
    attributes.set("x", at.x).set("y", at.y).set("font-size", font_size);
    body_.append("<text").append(attributes.str()).append(">").append(escape(words)).append("</text>\n");
}

std::string Svg::finish(double width, double height, std::string_view title,
                        std::string_view description) const {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, sans-serif\" fill=\"{2}\">\n"
                       "<title>{3}</title>\n<desc>{4}</desc>\n"
                       "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{5}</svg>\n",
                       number(width), number(height), ink_colour, escape(title), escape(description), body_);
}

} // namespace sprig::draw

#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::draw {

/// A point on the page in px; y grows downwards.
struct Point {
    double x = 0;
    double y = 0;

    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(Point a, double factor) { return {a.x * factor, a.y * factor}; }
};

[[nodiscard]] inline double length(Point vector) {
    return std::hypot(vector.x, vector.y);
}

/// A number in SVG syntax, independent of the locale: at most two decimals, no trailing zeros, no "-0".
/// Throws Error(bad_input) if it is not finite.
[[nodiscard]] std::string number(double value);

/// Escapes text for XML content and attributes. Control characters and bytes that are not UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// An estimate of the width of a text in the fonts of the figures, rather too wide than too narrow.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// The text, or if it does not fit, its beginning with an ellipsis.
[[nodiscard]] std::string fit_text(std::string_view text, double font_size, double width);

/// The attributes of an element, in the order in which they were set.
class Attributes {
  public:
    Attributes& set(std::string_view name, std::string_view value);
    Attributes& set(std::string_view name, double value);

    [[nodiscard]] const std::string& str() const { return text_; }

  private:
    std::string text_;
};

/// The data of a path.
class PathData {
  public:
    PathData& move(Point to);
    PathData& line(Point to);
    /// A cubic Bezier curve.
    PathData& curve(Point first_control, Point second_control, Point to);
    PathData& polygon(std::span<const Point> corners);
    PathData& box(Point corner, double width, double height);

    [[nodiscard]] const std::string& str() const { return text_; }

  private:
    std::string text_;
};

/// An SVG document, written from top to bottom. It has no ids, so that several documents can be embedded in
/// one page; therefore arrow heads are paths and not markers.
class Svg {
  public:
    /// Closes its group at the end of the scope.
    class Group {
      public:
        explicit Group(Svg& svg) : svg_(svg) {}
        ~Group() { svg_.body_ += "</g>\n"; }
        Group(const Group&) = delete;
        Group& operator=(const Group&) = delete;

      private:
        Svg& svg_;
    };

    [[nodiscard]] Group group(const Attributes& attributes);
    /// An element without content, or with a tooltip as its only content.
    void element(std::string_view tag, const Attributes& attributes, std::string_view tooltip = {});
    void line(Point from, Point to, Attributes attributes);
    void circle(Point centre, double radius, Attributes attributes, std::string_view tooltip = {});
    void rect(Point corner, double width, double height, Attributes attributes);
    void path(const PathData& data, Attributes attributes, std::string_view tooltip = {});
    /// The baseline starts at `at`, unless `text-anchor` is set.
    void text(Point at, std::string_view words, double font_size, Attributes attributes = {});

    /// The whole document.
    [[nodiscard]] std::string finish(double width, double height, std::string_view title,
                                     std::string_view description) const;

  private:
    std::string body_;
};

} // namespace sprig::draw

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::draw {

/// A place on the paper, in px; y grows downwards.
struct Point {
    double x = 0;
    double y = 0;

    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(Point a, double factor) { return {a.x * factor, a.y * factor}; }
};

/// A number as SVG wants it, in any locale: two decimals at most, no trailing zeros, no "-0".
/// Throws Error(bad_input) if it is not finite.
[[nodiscard]] std::string number(double value);

/// Text that is safe between tags and in attributes. What XML cannot hold (control characters, bytes that
/// are not UTF-8) becomes U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// About how wide a text is in the fonts of our figures; rather too wide than too narrow.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// The text, or as much of its beginning as fits, with an ellipsis.
[[nodiscard]] std::string fit_text(std::string_view text, double font_size, double width);

/// The attributes of one element, in the order in which they were set.
class Attributes {
  public:
    Attributes& set(std::string_view name, std::string_view value);
    Attributes& set(std::string_view name, double value);

    [[nodiscard]] const std::string& str() const { return text_; }

  private:
    std::string text_;
};

/// The outline of a path.
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

/// An SVG document that is written from top to bottom. It holds no ids, so that several of them can stand
/// in one page without meddling with each other: that is why arrow heads are paths and not markers.
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
    /// The baseline begins at `at`, or has its middle or end there if `text-anchor` says so.
    void text(Point at, std::string_view words, double font_size, Attributes attributes = {});

    /// The whole document. The size comes last because it is known last.
    [[nodiscard]] std::string finish(double width, double height, std::string_view title,
                                     std::string_view description) const;

  private:
    std::string body_;
};

} // namespace sprig::draw

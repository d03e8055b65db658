#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "sprig/strokes.h"

namespace sprig {

namespace {

constexpr std::string_view expected_drawing =
    R"(expected {"label": "arrow", "strokes": [[[0, 5], [9, 5]], [[6, 2], [9, 5], [6, 8]]]})";
constexpr int number_too_large = 406; // nlohmann's number of this error

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// SAX handler that reads a drawing. It does not build a DOM, which would take many times the size of the
/// text.
class StrokeReader {
  public:
    explicit StrokeReader(LabelledStrokes& drawing) : drawing_(drawing) {}

    [[nodiscard]] const std::string& problem() const { return problem_; }

    bool null() {
        if (place_ == Place::label) return to(Place::drawing);
        return other_value("null");
    }
    bool boolean(bool) { return other_value("true or false"); }
    bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
    bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
    bool number_float(double value, const std::string&) { return number(value); }
    bool string(const std::string& text) {
        if (place_ != Place::label) return other_value("a text");
        if (text.empty()) throw bad_input("its label is empty; leave it out if the drawing has none");
        if (std::any_of(text.begin(), text.end(), is_control))
            throw bad_input("its label contains a line break or another control character; remove it");
        drawing_.label = text;
        return to(Place::drawing);
    }
    bool key(const std::string& name) {
        if (place_ == Place::ignored) return true;
        const bool is_label = name == "label";
        if (!is_label && name != "strokes") return to(Place::ignored);
        bool& seen = is_label ? has_label_ : has_strokes_;
        if (seen) return refuse(fmt::format(R"("{}" occurs twice)", name));
        seen = true;
        return to(is_label ? Place::label : Place::value_of_strokes);
    }
    bool start_object(std::size_t) {
        if (place_ == Place::ignored) return enter();
        if (place_ == Place::text) return to(Place::drawing);
        return other_value("an object");
    }
    bool end_object() {
        if (place_ == Place::ignored) return leave();
        if (has_strokes_) return true;
        return refuse(R"(it has no "strokes")");
    }
    bool start_array(std::size_t) {
        switch (place_) {
        case Place::ignored:
            return enter();
        case Place::value_of_strokes:
            return to(Place::strokes);
        case Place::strokes:
            drawing_.strokes.emplace_back();
            return to(Place::stroke);
        case Place::stroke:
            if (++points_ > max_stroke_points)
                throw bad_input(fmt::format("the drawing has more than {} points; leave out points that lie "
                                            "close together",
                                            max_stroke_points));
            drawing_.strokes.back().emplace_back();
            numbers_ = 0;
            return to(Place::point);
        default:
            return other_value("a list");
        }
    }
    bool end_array() {
        switch (place_) {
        case Place::ignored:
            return leave();
        case Place::point:
            if (numbers_ < 2 || numbers_ > 3)
                return refuse(fmt::format("a point has {} number{}, but needs x and y, and may have a time",
                                          numbers_ > 3 ? "more than 3" : fmt::format("{}", numbers_),
                                          numbers_ == 1 ? "" : "s"));
            return to(Place::stroke);
        case Place::stroke:
            return to(Place::strokes);
        default:
            return to(Place::drawing);
        }
    }
    static bool binary(const std::vector<std::uint8_t>&) { return false; } // JSON text has none
    template <typename Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception& error) {
        return refuse(error.id == number_too_large
                          ? fmt::format("a number at byte {} is too large", position)
                          : fmt::format("it is not valid JSON at byte {}", position));
    }

  private:
    /// What is being read.
    enum class Place : std::uint8_t {
        text,
        drawing,
        label,
        value_of_strokes,
        strokes,
        stroke,
        point,
        ignored, ///< the value of another key
    };

    bool to(Place place) {
        place_ = place;
        return true;
    }
    bool enter() {
        ++depth_;
        return true;
    }
    bool leave() { return --depth_ > 0 || to(Place::drawing); }
    bool refuse(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    bool number(double value) {
        if (place_ != Place::point) return other_value("a number");
        StrokePoint& point = drawing_.strokes.back().back();
        if (numbers_ == 0) point.x = value;
        if (numbers_ == 1) point.y = value;
        if (numbers_ == 2) point.t = value;
        if (numbers_ <= 3) ++numbers_;
        return true;
    }

    /// A value that is not part of a drawing.
    bool other_value(std::string_view what) {
        switch (place_) {
        case Place::ignored:
            return depth_ > 0 || to(Place::drawing);
        case Place::text:
            return refuse(fmt::format("it is {}, not a drawing", what));
        case Place::label:
            return refuse(fmt::format("its label is {}, not a text in quotes", what));
        case Place::point:
            return refuse(fmt::format("a coordinate is {}, not a number", what));
        case Place::stroke:
            return refuse(fmt::format("a point is {}, not a list of x and y", what));
        case Place::strokes:
            return refuse(fmt::format("a stroke is {}, not a list of points", what));
        default:
            return refuse(fmt::format(R"("strokes" is {}, not a list of strokes)", what));
        }
    }

    LabelledStrokes& drawing_;
    Place place_ = Place::text;
    std::size_t depth_ = 0; ///< of lists and objects in an ignored value
    std::size_t points_ = 0;
    int numbers_ = 0; ///< of the point that is being read, at most 4
    bool has_label_ = false;
    bool has_strokes_ = false;
    std::string problem_;
};

} // namespace

LabelledStrokes parse_strokes(std::string_view json) {
    LabelledStrokes drawing;
    StrokeReader reader(drawing);
    if (!nlohmann::ordered_json::sax_parse(json.begin(), json.end(), &reader))
        throw bad_input(fmt::format("{}; {}", reader.problem(), expected_drawing));
    return drawing;
}

} // namespace sprig

#include "lab/studies/gestures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/keyed.h"

namespace sprig::lab {

namespace {

struct Point {
    double x;
    double y;
};
using Path = std::vector<Point>;

constexpr std::array<std::string_view, 16> kinds = {
    "arrow",  "check",  "circle", "cross",        "plus",          "triangle",   "square",   "star",
    "spiral", "zigzag", "caret",  "left bracket", "right bracket", "left brace", "infinity", "question mark"};

/// A stroke of a gesture: the points that it passes, in a unit square, along straight lines or a curve.
struct Form {
    Path points;
    bool is_curve = false;
};

/// A point of a circle; a turn of 0 is on its right, a quarter turn below its centre.
Point on_circle(Point centre, double radius, double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return {centre.x + (radius * std::cos(angle)), centre.y + (radius * std::sin(angle))};
}

Path arc(Point centre, double radius, double from, double to, int points) {
    Path path;
    for (int i = 0; i < points; ++i)
        path.push_back(on_circle(centre, radius, from + ((to - from) * i / (points - 1))));
    return path;
}

Path star() {
    Path path;
    for (int i = 0; i <= 5; ++i) path.push_back(on_circle({0.5, 0.5}, 0.5, (0.4 * i) - 0.25));
    return path;
}

Path spiral() {
    Path path;
    for (int i = 0; i <= 20; ++i) path.push_back(on_circle({0.5, 0.5}, 0.05 + (0.45 * i / 20), 0.125 * i));
    return path;
}

Path infinity() {
    Path path;
    for (int i = 0; i <= 16; ++i) {
        const double angle = 2 * std::numbers::pi * (i + 2) / 16;
        path.push_back({0.5 + (0.5 * std::sin(angle)), 0.5 + (0.25 * std::sin(2 * angle))});
    }
    return path;
}

std::vector<Form> forms_of(std::size_t kind) {
    const std::string_view name = kinds.at(kind);
    if (name == "arrow") return {{{{0, 0.5}, {1, 0.5}}}, {{{0.7, 0.2}, {1, 0.5}, {0.7, 0.8}}}};
    if (name == "check") return {{{{0, 0.6}, {0.35, 1}, {1, 0}}}};
    if (name == "circle") return {{arc({0.5, 0.5}, 0.5, -0.25, 0.75, 13), true}};
    if (name == "cross") return {{{{0, 0}, {1, 1}}}, {{{1, 0}, {0, 1}}}};
    if (name == "plus") return {{{{0, 0.5}, {1, 0.5}}}, {{{0.5, 0}, {0.5, 1}}}};
    if (name == "triangle") return {{{{0.5, 0}, {0, 0.9}, {1, 0.9}, {0.5, 0}}}};
    if (name == "square") return {{{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}}}};
    if (name == "star") return {{star()}};
    if (name == "spiral") return {{spiral(), true}};
    if (name == "zigzag") return {{{{0, 0.25}, {0.25, 0.75}, {0.5, 0.25}, {0.75, 0.75}, {1, 0.25}}}};
    if (name == "caret") return {{{{0, 0.9}, {0.5, 0}, {1, 0.9}}}};
    if (name == "left bracket") return {{{{0.4, 0}, {0, 0}, {0, 1}, {0.4, 1}}}};
    if (name == "right bracket") return {{{{0, 0}, {0.4, 0}, {0.4, 1}, {0, 1}}}};
    if (name == "left brace") {
        return {
            {{{0.45, 0}, {0.25, 0.08}, {0.22, 0.38}, {0, 0.5}, {0.22, 0.62}, {0.25, 0.92}, {0.45, 1}}, true}};
    }
    if (name == "infinity") return {{infinity(), true}};
    Path hook = arc({0.3, 0.27}, 0.27, -0.45, 0.15, 8);
    hook.push_back({0.3, 0.55});
    hook.push_back({0.3, 0.72});
    return {{hook, true}, {{{0.3, 0.97}, {0.31, 0.99}}}};
}

/// Keyed numbers, one after the other.
class Numbers {
  public:
    explicit Numbers(std::uint64_t key) : key_(key) {}

    /// Of mean 0 and standard deviation 1: the sum of three uniform numbers.
    double normal() {
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += next();
        return 2 * (sum - 1.5);
    }
    double between(double low, double high) { return low + ((high - low) * next()); }

  private:
    double next() { return random::uniform(random::mix(key_, at_++)); }

    std::uint64_t key_;
    std::uint64_t at_ = 0;
};

constexpr double step = 0.02; ///< between two points of a path, before the pen's speed leaves some out

/// How somebody draws: a style that a person has, changed a little in every sample.
struct Style {
    double angle;
    double aspect; ///< width by height
    double slant;
    double tremble;
    double rounding; ///< of corners: the length over which points are averaged
    double spacing;  ///< of the points that the device reports: wide for a fast pen

    static Style of(Numbers person, Numbers sample) {
        const auto mixed = [&](double mean, double people, double samples) {
            return mean + (people * person.normal()) + (samples * sample.normal());
        };
        Style style{};
        style.angle = mixed(0, 0.08, 0.05);
        style.aspect = std::exp2(mixed(0, 0.25, 0.12));
        style.slant = mixed(0, 0.12, 0.05);
        style.tremble = std::abs(mixed(0.012, 0.006, 0.004));
        style.rounding = std::abs(mixed(0.08, 0.06, 0.03));
        style.spacing = std::abs(mixed(0.06, 0.03, 0.02)) + step;
        return style;
    }
};

/// Moves the points of a form: a person has a form of each gesture, and every sample differs a little.
Path moved(Path points, Numbers person, Numbers sample) {
    for (Point& point : points) {
        point.x += (0.035 * person.normal()) + (0.02 * sample.normal());
        point.y += (0.035 * person.normal()) + (0.02 * sample.normal());
    }
    return points;
}

/// A point between b and c of the curve through a, b, c and d (Catmull and Rom).
Point on_curve(Point a, Point b, Point c, Point d, double t) {
    const auto coordinate = [t](double p, double q, double r, double s) {
        return 0.5 * ((2 * q) + ((r - p) * t) + (((2 * p) - (5 * q) + (4 * r) - s) * t * t) +
                      (((3 * q) - p - (3 * r) + s) * t * t * t));
    };
    return {coordinate(a.x, b.x, c.x, d.x), coordinate(a.y, b.y, c.y, d.y)};
}

/// Points about a step apart.
Path dense(const Path& points, bool is_curve) {
    Path path = {points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Point from = points[i];
        const Point to = points[i + 1];
        const Point before = i == 0 ? from : points[i - 1];
        const Point after = i + 2 < points.size() ? points[i + 2] : to;
        const int count = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y) / step);
        for (int k = 1; k <= count; ++k) {
            const double t = static_cast<double>(k) / count;
            path.push_back(is_curve ? on_curve(before, from, to, after, t)
                                    : Point{from.x + (t * (to.x - from.x)), from.y + (t * (to.y - from.y))});
        }
    }
    return path;
}

/// Averages each point with its neighbours; the ends stay.
Path rounded(const Path& path, double length) {
    const auto most = static_cast<std::size_t>(length / step);
    Path result;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::size_t reach = std::min({most, i, path.size() - 1 - i});
        Point sum{0, 0};
        for (std::size_t k = i - reach; k <= i + reach; ++k) {
            sum.x += path[k].x;
            sum.y += path[k].y;
        }
        const auto count = static_cast<double>((2 * reach) + 1);
        result.push_back({sum.x / count, sum.y / count});
    }
    return result;
}

/// Slow waves across both axes.
Path trembling(Path path, double amount, Numbers sample) {
    const double wave = sample.between(0.15, 0.5);
    const double phase_x = sample.between(0, 2 * std::numbers::pi);
    const double phase_y = sample.between(0, 2 * std::numbers::pi);
    for (std::size_t i = 0; i < path.size(); ++i) {
        const double along = static_cast<double>(i) * step / wave * 2 * std::numbers::pi;
        path[i].x += amount * std::sin(along + phase_x);
        path[i].y += amount * std::sin((1.3 * along) + phase_y);
    }
    return path;
}

/// The points that the device reports, on a canvas of 800 px.
Stroke reported(const Path& path, const Style& style) {
    const auto every = static_cast<std::size_t>(style.spacing / step);
    Stroke stroke;
    const double cosine = std::cos(style.angle);
    const double sine = std::sin(style.angle);
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i % every != 0 && i + 1 != path.size()) continue;
        const double y = path[i].y - 0.5;
        const double x = (style.aspect * (path[i].x - 0.5)) - (style.slant * y);
        stroke.push_back({400 + (200 * ((x * cosine) - (y * sine))),
                          400 + (200 * ((x * sine) + (y * cosine))), 8.0 * static_cast<double>(i)});
    }
    return stroke;
}

} // namespace

std::span<const std::string_view> gesture_kinds() {
    return kinds;
}

Strokes Gesture::strokes() const {
    const std::uint64_t of_person = random::mix({random::mix("a person's gestures"), person});
    const std::uint64_t of_sample = random::mix({of_person, kind, sample, 1});
    const Style style = Style::of(Numbers(random::mix(of_person, 0)), Numbers(random::mix(of_sample, 0)));
    Strokes strokes;
    for (const Form& form : forms_of(kind)) {
        const std::uint64_t number = strokes.size() + 1;
        const Path points = moved(form.points, Numbers(random::mix({of_person, kind, number, 2})),
                                  Numbers(random::mix(of_sample, 2 * number)));
        const Path path = rounded(dense(points, form.is_curve), style.rounding);
        strokes.push_back(reported(
            trembling(path, style.tremble, Numbers(random::mix(of_sample, (2 * number) + 1))), style));
    }
    return strokes;
}

} // namespace sprig::lab

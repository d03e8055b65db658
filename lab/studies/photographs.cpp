#include "lab/studies/photographs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

// After cstdio, which it needs.
#include <jpeglib.h>

#include "core/keyed.h"
#include "sprig/data.h"

namespace sprig::lab::photographs {

namespace {

constexpr int width = picture_width;
constexpr int height = picture_height;

constexpr double paper_level = 225;
constexpr double ink_level = 45;
constexpr double board_level = 35;
constexpr double chalk_level = 215;
constexpr double table_level = 50;

/// Grey levels without rounding, of the size of a photograph.
struct Levels {
    std::vector<double> values = std::vector<double>(std::size_t{width} * height);

    double& at(int x, int y) {
        return values[(static_cast<std::size_t>(y) * width) + static_cast<std::size_t>(x)];
    }
    /// The border is repeated outside.
    [[nodiscard]] double repeated(int x, int y) const {
        return values[(static_cast<std::size_t>(std::clamp(y, 0, height - 1)) * width) +
                      static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
    }
};

double between(double a, double b, double share) {
    return a + (share * (b - a));
}

/// Bilinear interpolation of a function of two integers.
template <class At>
double interpolated(double x, double y, const At& at) {
    const int left = static_cast<int>(std::floor(x));
    const int top = static_cast<int>(std::floor(y));
    return between(between(at(left, top), at(left + 1, top), x - left),
                   between(at(left, top + 1), at(left + 1, top + 1), x - left), y - top);
}

/// From 0 to 1 without a corner.
double smooth_step(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - (2 * t));
}

/// Numbers from one key, one after the other.
class Draws {
  public:
    explicit Draws(std::uint64_t key) : key_(key) {}
    double uniform(double from, double to) {
        return between(from, to, random::uniform(random::mix(key_, count_++)));
    }
    [[nodiscard]] std::uint64_t key() { return random::mix(key_, count_++); }

  private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

struct Bounds {
    int left = 0;
    int top = 0;
    int right = 0; ///< outside
    int bottom = 0;

    [[nodiscard]] int longer() const { return std::max(right - left, bottom - top); }
};

Bounds bounds_of_ink(const Image& drawing) {
    Bounds b{drawing.width, drawing.height, 0, 0};
    for (int y = 0; y < drawing.height; ++y) {
        for (int x = 0; x < drawing.width; ++x) {
            if (drawing.at(x, y) < 128) continue;
            b = {std::min(b.left, x), std::min(b.top, y), std::max(b.right, x + 1),
                 std::max(b.bottom, y + 1)};
        }
    }
    return b;
}

/// The share of each pixel that is ink: the drawing, scaled to its size and moved a little from the middle.
void draw_ink(const Image& drawing, double size, double off_x, double off_y, Levels& ink) {
    const Bounds bounds = bounds_of_ink(drawing);
    if (bounds.right == 0) return;
    const double step = bounds.longer() / (size * height); // px of the drawing per px of the photograph
    const double from_x = (bounds.left + bounds.right - 1) / 2.0 - (step * ((width / 2.0) + off_x));
    const double from_y = (bounds.top + bounds.bottom - 1) / 2.0 - (step * ((height / 2.0) + off_y));
    const auto at = [&](int x, int y) {
        return x < 0 || y < 0 || x >= drawing.width || y >= drawing.height ? 0.0 : drawing.at(x, y) / 255.0;
    };
    const int samples = std::max(1, static_cast<int>(std::ceil(step))); // in each direction
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int i = 0; i < samples * samples; ++i) {
                const int column = i % samples;
                const int row = i / samples;
                const double dx = (column + 0.5) / samples - 0.5;
                const double dy = (row + 0.5) / samples - 0.5;
                const double u = from_x + (step * (x + dx));
                const double v = from_y + (step * (y + dy));
                if (u <= -1 || v <= -1 || u >= drawing.width || v >= drawing.height) continue;
                sum += interpolated(u, v, at);
            }
            ink.at(x, y) = sum / (samples * samples);
        }
    }
}

bool is_on_line(const Conditions& conditions, int x, int y, int phase) {
    constexpr int distance = 40;
    constexpr int thickness = 2;
    const bool on_row = (y + phase) % distance < thickness;
    const bool on_column = (x + phase) % distance < thickness;
    switch (conditions.paper) {
    case Conditions::Paper::plain:
        return false;
    case Conditions::Paper::ruled:
        return on_row;
    case Conditions::Paper::squared:
        return on_row || on_column;
    }
    return false;
}

/// What the sheet and the table reflect, in grey levels.
Levels sheet_with(const Image& drawing, const Conditions& conditions, Draws& draws) {
    const double room = (1 - conditions.size - conditions.border) / 4;
    const double shift_x = draws.uniform(-room, room);
    const double shift_y = draws.uniform(-room, room);
    const double paper = conditions.light_on_dark ? board_level : paper_level;
    const double ink = conditions.light_on_dark ? chalk_level : ink_level;
    const int phase = static_cast<int>(draws.uniform(0, 40));
    const bool table_left = draws.uniform(0, 1) < 0.5;
    const bool table_above = draws.uniform(0, 1) < 0.5;
    const double side = table_left ? 0 : width - 1;
    const double end = table_above ? 0 : height - 1;
    // In the middle of the sheet, which the table leaves.
    const double middle_x = (table_left ? 0.5 : -0.5) * conditions.border;
    const double middle_y = (table_above ? 0.5 : -0.5) * conditions.border;
    Levels sheet;
    draw_ink(drawing, conditions.size, (middle_x + shift_x) * width, (middle_y + shift_y) * height, sheet);
    const double slope = draws.uniform(-0.05, 0.05); // a sheet is never quite straight
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double line = is_on_line(conditions, x, y, phase) ? conditions.lines : 0;
            const double blank = conditions.light_on_dark ? paper + line : paper - line;
            const bool on_table =
                conditions.border > 0 &&
                (std::abs(x - side) + (slope * (y - (height / 2.0))) < conditions.border * width ||
                 std::abs(y - end) - (slope * (x - (width / 2.0))) < conditions.border * height);
            double& level = sheet.at(x, y);
            level = on_table ? table_level : between(blank, ink, level);
        }
    }
    return sheet;
}

/// The sheet as seen by a camera that is tilted about an axis in its middle, from three widths away.
Levels tilted(const Levels& sheet, double degrees, double axis) {
    const double sine = std::sin(degrees * std::numbers::pi / 180);
    const double cosine = std::cos(degrees * std::numbers::pi / 180);
    const double axis_x = std::cos(axis);
    const double axis_y = std::sin(axis);
    constexpr double away = 3.0 * width;
    Levels result;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double off_x = x - ((width - 1) / 2.0);
            const double off_y = y - ((height - 1) / 2.0);
            const double along = (off_x * axis_x) + (off_y * axis_y);
            const double across = (off_y * axis_x) - (off_x * axis_y);
            // A ray through (along, across) meets the plane at a depth that depends on `across`.
            const double depth = away * cosine / ((away * cosine) - (across * sine));
            const double u = along * depth;
            const double v = across * depth / cosine;
            result.at(x, y) = interpolated((u * axis_x) - (v * axis_y) + ((width - 1) / 2.0),
                                           (u * axis_y) + (v * axis_x) + ((height - 1) / 2.0),
                                           [&](int i, int j) { return sheet.repeated(i, j); });
        }
    }
    return result;
}

/// A direction in the picture.
class Direction {
  public:
    explicit Direction(double angle) : x_(std::cos(angle)), y_(std::sin(angle)) {}
    /// How far a point is along it: from -0.5 to 0.5 over the picture.
    [[nodiscard]] double operator()(double u, double v) const {
        return ((u * x_) + (v * y_)) / (std::abs(x_) + std::abs(y_));
    }

  private:
    double x_;
    double y_;
};

/// Light multiplies what is reflected. Its strength is relative to that on the brightest paper.
void shine_on(Levels& levels, const Conditions& conditions, Draws& draws) {
    const Direction gradient(draws.uniform(0, 2 * std::numbers::pi));
    const Direction shadow(draws.uniform(0, 2 * std::numbers::pi));
    const double shadow_at = draws.uniform(-0.2, 0.2);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = ((x + 0.5) / width) - 0.5;
            const double v = ((y + 0.5) / height) - 0.5;
            double light = 1 - (conditions.gradient / paper_level * (gradient(u, v) + 0.5));
            const double shade = smooth_step(-0.01, 0.01, shadow(u, v) - shadow_at);
            light *= 1 - (conditions.shadow / paper_level * shade);
            light *= 1 - (conditions.vignette / paper_level * 2 * ((u * u) + (v * v)));
            levels.at(x, y) *= light;
        }
    }
}

Levels blurred(const Levels& levels, double deviation) {
    const int reach = static_cast<int>(std::ceil(3 * deviation));
    std::vector<double> weights;
    double sum = 0;
    for (int i = -reach; i <= reach; ++i) {
        weights.push_back(std::exp(-i * i / (2 * deviation * deviation)));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    // One weight after the other, over whole rows.
    Levels rows;
    std::vector<double> wide(static_cast<std::size_t>(width) + (2 * static_cast<std::size_t>(reach)));
    for (int y = 0; y < height; ++y) {
        for (std::size_t i = 0; i < wide.size(); ++i)
            wide[i] = levels.repeated(static_cast<int>(i) - reach, y);
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (int x = 0; x < width; ++x)
                rows.at(x, y) += weights[i] * wide[i + static_cast<std::size_t>(x)];
    }
    Levels result;
    for (int y = 0; y < height; ++y) {
        int source = y - reach;
        for (const double weight : weights) {
            for (int x = 0; x < width; ++x) result.at(x, y) += weight * rows.repeated(x, source);
            ++source;
        }
    }
    return result;
}

/// Normal numbers, from which the noise of a pixel is chosen.
const std::array<double, 4096>& normal_numbers() {
    static const std::array<double, 4096> numbers = [] {
        std::array<double, 4096> result{};
        for (std::size_t i = 0; i < result.size(); ++i) {
            const std::uint64_t key = random::mix(random::mix("normal numbers"), i);
            const double radius = std::sqrt(-2 * std::log(1 - random::uniform(random::mix(key, 0))));
            result[i] = radius * std::cos(2 * std::numbers::pi * random::uniform(random::mix(key, 1)));
        }
        return result;
    }();
    return numbers;
}

void add_noise(Levels& levels, double deviation, std::uint64_t key) {
    constexpr std::size_t per_word = 5; // of 12 bits each
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < levels.values.size(); ++i, word >>= 12U) {
        if (i % per_word == 0) word = random::mix(key, i / per_word);
        levels.values[i] += deviation * normal_numbers()[word & 4095U];
    }
}

Picture rounded(const Levels& levels) {
    Picture picture{width, height, 1, {}};
    picture.pixels.reserve(levels.values.size());
    for (const double value : levels.values)
        picture.pixels.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))));
    return picture;
}

/// Compresses and decompresses. The encoder cannot fail: it writes a valid picture to memory.
Picture compressed(Picture picture, int quality) {
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &bytes, &size);
    encoder.image_width = static_cast<JDIMENSION>(picture.width);
    encoder.image_height = static_cast<JDIMENSION>(picture.height);
    encoder.input_components = 1;
    encoder.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, quality, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    while (encoder.next_scanline < encoder.image_height) {
        JSAMPROW row = picture.pixels.data() + (std::size_t{encoder.next_scanline} * width);
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    const std::vector<std::uint8_t> file(bytes, bytes + size);
    std::free(bytes);
    return decode_picture(file, "photograph");
}

} // namespace

Picture photograph(const Image& drawing, const Conditions& conditions, std::uint64_t key) {
    Draws draws(key);
    Levels levels = sheet_with(drawing, conditions, draws);
    const double axis = draws.uniform(0, 2 * std::numbers::pi);
    if (conditions.perspective > 0) levels = tilted(levels, conditions.perspective, axis);
    shine_on(levels, conditions, draws);
    const double blur = conditions.blur / 100 * conditions.size * height;
    if (blur > 0) levels = blurred(levels, blur);
    if (conditions.noise > 0) add_noise(levels, conditions.noise, draws.key());
    Picture picture = rounded(levels);
    return conditions.jpeg > 0 ? compressed(std::move(picture), conditions.jpeg) : picture;
}

Image as_drawn_with_a_pen(ImageView digit) {
    constexpr int times = 10;
    const auto at = [&](int x, int y) {
        return x < 0 || y < 0 || x >= digit.width || y >= digit.height ? 0.0 : digit.at(x, y) / 255.0;
    };
    Image result(times * digit.width, times * digit.height);
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < result.width; ++x) {
            const double level = interpolated(((x + 0.5) / times) - 0.5, ((y + 0.5) / times) - 0.5, at);
            result.at(x, y) = static_cast<std::uint8_t>(std::lround(255 * smooth_step(0.42, 0.58, level)));
        }
    }
    return result;
}

} // namespace sprig::lab::photographs

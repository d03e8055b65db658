#include "lab/glyphs/characters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"

namespace sprig::glyphs {

namespace {

// Serif (Ming, Song), brush (Kai, Fang Song) and sans (Hei) faces in both parts, and a handwritten one. Of a
// file with several faces, the one with the forms of mainland China.
constexpr std::array faces = {
    FaceSource{"AR PL UMing", "Arphic", "uming.ttc", "fonts-arphic-uming", Part::learn, false},
    FaceSource{"AR PL UKai", "Arphic", "ukai.ttc", "fonts-arphic-ukai", Part::learn, false},
    FaceSource{"WenQuanYi Zen Hei", "cwTeX", "wqy-zenhei.ttc", "fonts-wqy-zenhei", Part::learn, false},
    FaceSource{"cwTeX FangSong", "cwTeX", "cwfs.ttf", "fonts-cwtex-fs", Part::learn, false},
    FaceSource{"WenQuanYi Micro Hei", "Droid", "wqy-microhei.ttc", "fonts-wqy-microhei", Part::learn, false},
    FaceSource{"Noto Sans CJK", "Source Han", "NotoSansCJK-Regular.ttc", "fonts-noto-cjk", Part::test, false,
               2},
    FaceSource{"Noto Serif CJK", "Source Han", "NotoSerifCJK-Regular.ttc", "fonts-noto-cjk", Part::test,
               false, 2},
    FaceSource{"HanaMin", "KAGE", "HanaMinA.ttf", "fonts-hanazono", Part::test, false},
    FaceSource{"SetoFont", "SetoFont", "setofont.ttf", "fonts-seto", Part::test, false},
};

/// The margins of MNIST's images: 20 of 28 px are ink.
constexpr double ink_share = 5.0 / 7;

} // namespace

std::span<const FaceSource> character_faces() {
    return faces;
}

std::u32string common_characters(std::span<const FaceSource> sources, char32_t last) {
    std::u32string common;
    for (char32_t character = first_character; character <= last; ++character) common += character;
    for (const FaceSource& source : sources) {
        const Face face(source);
        std::erase_if(common, [&](char32_t character) { return !face.draws(character); });
    }
    return common;
}

Distortion drawn_distortion(const DistortionLimits& limits, std::uint64_t seed, const FaceSource& face,
                            char32_t character, std::uint64_t copy) {
    if (copy == 0) return {};
    static const std::uint64_t purpose = random::mix("distortions of characters");
    const std::uint64_t key = random::mix({purpose, seed, random::mix(face.name), character, copy});
    std::uint64_t number = 0;
    const auto within = [&](double limit) {
        return limit * ((2 * random::uniform(random::mix(key, number++))) - 1);
    };
    Distortion drawn;
    drawn.turn = within(limits.turn);
    drawn.shear = within(limits.shear);
    drawn.stretch = within(limits.stretch);
    drawn.pen = within(limits.pen);
    drawn.size = within(limits.size);
    drawn.noise = limits.noise * random::uniform(random::mix(key, number++));
    drawn.noise_key = random::mix(key, number);
    return drawn;
}

namespace {

/// Turned, after it was sheared and stretched. The cosine and the sine are those of nearly the angle,
/// computed without library functions, which differ between machines.
std::array<double, 4> map_of(const Distortion& distortion) {
    const double half = distortion.turn / 2;
    const double cosine = (1 - (half * half)) / (1 + (half * half));
    const double sine = 2 * half / (1 + (half * half));
    const double wide = 1 + distortion.stretch;
    return {cosine * wide, (cosine * distortion.shear) - sine, sine * wide,
            (sine * distortion.shear) + cosine};
}

/// Moves the centre of mass to the middle, by whole pixels, and no ink over the edge.
Image centred(const Image& image) {
    std::int64_t mass = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    int left = image.width, right = -1, top = image.height, bottom = -1;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const int ink = image.at(x, y);
            if (ink == 0) continue;
            mass += ink;
            sum_x += std::int64_t{ink} * ((2 * x) + 1);
            sum_y += std::int64_t{ink} * ((2 * y) + 1);
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    }
    if (mass == 0) return image;
    const auto shift = [mass](std::int64_t sum, int side, int first, int last) {
        const double middle = static_cast<double>(sum) / (2 * static_cast<double>(mass));
        const int wanted = static_cast<int>(std::lround((side / 2.0) - middle));
        return std::clamp(wanted, -first, side - 1 - last);
    };
    const int dx = shift(sum_x, image.width, left, right);
    const int dy = shift(sum_y, image.height, top, bottom);
    Image moved(image.width, image.height);
    for (int y = top; y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) moved.at(x + dx, y + dy) = image.at(x, y);
    }
    return moved;
}

/// Adds independent noise to every pixel. It has the distribution of the sum of four uniform numbers, which
/// is nearly normal; four pixels share one number of 64 bits.
void add_noise(Image& image, double deviation, std::uint64_t key) {
    constexpr double bytes_deviation = 147.8; // of the sum of four bytes
    const int strength = static_cast<int>(std::lround(deviation / bytes_deviation * 65536));
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const std::uint64_t bits = random::mix(key, i / 2) >> (i % 2 * 32);
        const auto byte = [bits](unsigned n) { return static_cast<int>((bits >> (8 * n)) & 0xFFU); };
        const int sum = byte(0) + byte(1) + byte(2) + byte(3) - 510;
        const int noisy = int{image.pixels[i]} + ((sum * strength) / 65536);
        image.pixels[i] = static_cast<std::uint8_t>(std::clamp(noisy, 0, 255));
    }
}

} // namespace

Image draw_character(const Face& face, char32_t character, const Distortion& distortion, int side) {
    Fit fit;
    fit.side = side;
    fit.ink = side * ink_share * (1 + distortion.size);
    fit.pen = fit.ink * distortion.pen;
    fit.map = map_of(distortion);
    Image image = centred(face.draw(character, fit));
    if (distortion.noise > 0) add_noise(image, distortion.noise, distortion.noise_key);
    return image;
}

} // namespace sprig::glyphs

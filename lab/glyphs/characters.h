#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lab/glyphs/render.h"
#include "sprig/image.h"

namespace sprig::glyphs {

/// Nine typefaces with more than 13,000 Chinese characters in common: five to learn from and four to test on.
/// `family` is the origin of the outlines: faces of one origin are all used for the same part. Zen Hei has
/// outlines of cwTeX's authors and of Firefly, who started from Arphic's, so all of these are for learning.
[[nodiscard]] std::span<const FaceSource> character_faces();

/// Unicode's first block of Chinese characters.
inline constexpr char32_t first_character = 0x4E00;
inline constexpr char32_t last_character = 0x9FFF;

/// The Chinese characters of this block, up to `last`, that all faces draw, in the order of their numbers.
/// Throws Error(failed) if a face is not installed.
[[nodiscard]] std::u32string common_characters(std::span<const FaceSource> faces,
                                               char32_t last = last_character);

/// How a copy of a character differs from the face's own drawing.
struct Distortion {
    double turn = 0;    ///< radians, counter-clockwise
    double shear = 0;   ///< x grows by this share of y
    double stretch = 0; ///< the width grows by this share of itself, before the ink is fitted to the box
    double pen = 0;     ///< strokes are wider by this share of the longer side of the ink
    double size = 0;    ///< the ink is larger by this share of itself
    double noise = 0;   ///< standard deviation of every pixel, in grey levels
    std::uint64_t noise_key = 0; ///< what the noise is drawn by

    bool operator==(const Distortion&) const = default;
};

/// The largest distortions of a stream's copies.
struct DistortionLimits {
    double turn = 0.07;
    double shear = 0.1;
    double stretch = 0.1;
    double pen = 0.008;
    double size = 0.06;
    double noise = 16;
};

/// A distortion within the limits, drawn by Philox. Copy 0 is the face's own drawing, without distortion.
/// Equal arguments give equal distortions; there is no state.
[[nodiscard]] Distortion drawn_distortion(const DistortionLimits& limits, std::uint64_t seed,
                                          const FaceSource& face, char32_t character, std::uint64_t copy);

/// The side of a picture of a character, in px: strokes of characters with twenty of them stay apart.
inline constexpr int character_side = 84;

/// A character as a square image: the longer side of its ink is 5/7 of the image's, and its centre of mass is
/// in the middle. Unlike `render_glyph` it keeps the widths of the strokes, because strokes of one common
/// width would touch each other in characters with many of them. Throws as `Face::print` does.
[[nodiscard]] Image draw_character(const Face& face, char32_t character, const Distortion& distortion = {},
                                   int side = character_side);

} // namespace sprig::glyphs

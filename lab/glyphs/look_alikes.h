#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/image.h"

namespace sprig::glyphs {

// Which characters are one class. Scaled to the same size, some cannot be distinguished, such as C and c. Two
// images of 28 x 28 px coincide if
//   - they have the same number of parts and of holes (an i is not an l),
//   - after a shift by at most one pixel, all ink of each is within one pixel, also diagonally, of ink of
//     the other (the tail of a Q is not near an O), and
//   - the intersection of their ink is then at least `enough_overlap` of the union (the 5 and the S of some
//     faces meet the second condition, but can be distinguished).
// Two characters are look-alikes if one of them in some face coincides with the other in the same or any
// other face, or if a chain of look-alikes links them. Other faces count because a learner is tested on faces
// it has not seen: the O of Go Mono is the 0 of Cantarell.

/// Chosen by inspection. In the faces that are used, C c, O o, P p, S s, V v, W w, X x, Z z, O 0 and I l 1
/// overlap by 0.79 or more; the next are 5 s (0.74), U u (0.73) and 8 B (0.72), which can be
/// distinguished. Without the second condition the rule would fail: O and Q overlap by 0.89, E and F by 0.83.
inline constexpr double enough_overlap = 0.76;

/// The ink of an image, prepared for the comparison.
class Shape {
  public:
    /// Throws Error(usage) if the image is larger than 28 x 28 px.
    explicit Shape(ImageView image);

    /// The best intersection over union of the ink under a shift by at most one pixel; 0 if the first two
    /// conditions do not hold.
    [[nodiscard]] double overlap(const Shape& other) const;

    /// Each row of pixels is a bit set: 28 pixels, and a margin of two on either side for shifts.
    using Rows = std::array<std::uint32_t, 32>;

  private:
    Rows ink_ = {};
    Rows near_ = {};  ///< all pixels within one pixel of the ink
    Rows reach_ = {}; ///< all pixels within two pixels of the ink
    Topology topology_;
};

/// The group of each character, where `faces[f][c]` is character c in face f. Groups are numbered in the
/// order of their first characters.
[[nodiscard]] std::vector<int> group_look_alikes(std::span<const std::vector<Shape>> faces);

/// Two of many characters, by their places in a list.
struct Pair {
    std::size_t first;
    std::size_t second;

    bool operator==(const Pair&) const = default;
};

/// The groups of `count` characters that pairs of look-alikes link, numbered in the order of their first
/// characters.
[[nodiscard]] std::vector<int> group_pairs(std::size_t count, std::span<const Pair> pairs);

// For characters with many strokes, 28 px are too few. Images of one face, of at most 128 px, are compared as
// they are: two of them coincide if they have the same number of parts and of holes, all ink of each is
// within one pixel, also diagonally, of ink of the other, and the intersection of their ink is at least
// `enough_overlap_in_detail` of the union.

/// Chosen by inspection of the pairs that the other two conditions leave.
inline constexpr double enough_overlap_in_detail = 0.7;

/// All pairs that coincide among the images of one face, in order. Most pairs are excluded by the numbers of
/// ink pixels in an 8 x 8 grid, so that ten thousand images take about a second.
[[nodiscard]] std::vector<Pair> coinciding_pairs(std::span<const Image> images);

} // namespace sprig::glyphs

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sprig/front_end.h"

namespace sprig::glyphs {

// Which characters are one class. Scaled to one size, a capital C is a small c; no learner could tell them
// apart, and none should be asked to. Two pictures of 28 x 28 px coincide if
//   - they have as many parts and holes (a short bar under a dot is no long bar),
//   - shifted by at most one pixel, no ink of either is farther than one pixel (or one diagonal) from ink of
//     the other (a Q has a tail that an O has not), and
//   - then their ink, where both have it, is at least `enough_overlap` of the ink where either has it (the 5
//     and the S of some faces are everywhere near, and not the same).
// Two characters are look-alikes if one of them in some face coincides with the other in the same face or in
// any other, and so are those that a chain of look-alikes joins. Other faces count because a learner is asked
// about faces it has not seen: Go Mono's O is Cantarell's 0.

/// Found by looking. In the faces that are used, C c, O o, P p, S s, V v, W w, X x, Z z, O 0 and I l 1
/// overlap by 0.79 or more; the next are 5 s (0.74), U u (0.73) and 8 B (0.72), which can be told apart.
/// Without the second condition it would be no rule: the ink of O and Q overlaps by 0.89, that of E and F by
/// 0.83.
inline constexpr double enough_overlap = 0.76;

/// The ink of a picture, as far as the rule looks at it.
class Shape {
  public:
    /// Of a picture of 28 x 28 px at most. Throws Error(usage) if it is larger.
    explicit Shape(ImageView image);

    /// How much of the ink is common to both, 0 to 1, where they lie best within the rule's one pixel; 0 if
    /// they do not.
    [[nodiscard]] double overlap(const Shape& other) const;

    /// A row of pixels is a word: 28 of them, and two of rim on either side for shifts.
    using Rows = std::array<std::uint32_t, 32>;

  private:
    Rows ink_ = {};
    Rows near_ = {};  ///< all that is within a pixel of the ink
    Rows reach_ = {}; ///< all that is within two
    Topology topology_;
};

/// Groups characters: `faces[f][c]` is character c in face f. The group of each character; groups are
/// numbered by their first character.
[[nodiscard]] std::vector<int> group_look_alikes(std::span<const std::vector<Shape>> faces);

} // namespace sprig::glyphs

#pragma once

#include "sprig/image.h"
#include "vision/rectangle.h"

namespace sprig {

/// The smallest rectangle with all pixels that are not 0; empty if there are none.
[[nodiscard]] Rectangle bounds_of(const Image& image);

/// The ink of a picture.
struct Ink {
    Image mask;                ///< 255 where there is ink
    int longest = 0;           ///< longer side of the largest part's bounds, px
    bool at_edge_only = false; ///< every part touches the edge of the picture
    bool is_inside = false;    ///< a part that touches no edge is large enough to be what the picture shows
    Image outside;             ///< 255 in parts that come in from the edge; empty if there are none
};

/// The ink above the threshold. Leaves out parts that come in from the edge of the picture, such as a table
/// or the edge of a scan, if there is ink inside; and specks, which are parts of less than a hundredth of the
/// largest.
[[nodiscard]] Ink find_ink(const Image& light, int threshold);

/// Grey levels stretched so that background is 0 and ink 255. Everything but ink and its soft rim is 0.
[[nodiscard]] Image soft_ink(const Image& light, const Image& mask, int background, int ink);

/// Widens thin strokes to the thickness of a typical digit, because they would vanish when a large drawing is
/// scaled down. Replaces `soft`. Returns the amount in px of the picture, or 0 if the strokes are thick
/// enough.
int thicken(Image& soft, const Image& mask, int box);

} // namespace sprig

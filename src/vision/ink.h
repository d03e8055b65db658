#pragma once

#include "sprig/image.h"

namespace sprig {

/// Whether the background is lighter than the threshold: decided by the border or, if that is mixed, by the
/// majority of all pixels.
[[nodiscard]] bool background_is_light(const Image& image, int threshold);

/// A rectangle of pixels of an image.
struct Rectangle {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;

    bool operator==(const Rectangle&) const = default;
};

/// The smallest rectangle with all pixels that are not 0; empty if there are none.
[[nodiscard]] Rectangle bounds_of(const Image& image);

/// 255 where there is ink; ink must be light. Leaves out specks (components of less than a hundredth of the
/// largest) and the edges of a scan (components along a side of the picture).
[[nodiscard]] Image ink_mask(const Image& light, int threshold);

/// Grey levels stretched so that background is 0 and ink 255. Everything but ink and its soft rim is 0.
[[nodiscard]] Image soft_ink(const Image& light, const Image& mask, int background, int ink);

/// Widens thin strokes to the thickness of a typical digit, because they would vanish when a large drawing is
/// scaled down. Replaces `soft`. Returns the amount in px of the picture, or 0 if the strokes are thick
/// enough.
int thicken(Image& soft, const Image& mask, int box);

} // namespace sprig

#pragma once

#include "sprig/image.h"
#include "vision/grid.h"

namespace sprig {

/// The closing of a grid with a square window of 2 * radius + 1 cells: dark parts that the window does not
/// fit into are filled. Outside, the grid is extended oddly about its edges, so that light that falls off
/// towards an edge falls off further. The radius is less than half of each side.
[[nodiscard]] Grid closed(const Grid& grid, int radius);

/// The paper under the ink of a picture, with the light on it: a coarse grid of levels. Ink is darker.
[[nodiscard]] Grid estimate_paper(const Image& picture);

/// The shorter side, in px, of the smallest picture whose light can be evened out.
inline constexpr int smallest_for_even_light = 64;

/// Evens out the light: paper gets the same level everywhere, that of its median. A picture with even light
/// is not changed.
void even_light(Image& picture, bool dark_on_light);

} // namespace sprig

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sprig {

/// Distances from the pixels of an image to the nearest of some of them, in integers. The length of a path of
/// straight, diagonal and knight's steps approximates the Euclidean distance within 2 %.
class DistanceMap {
  public:
    static constexpr std::int32_t one_pixel = 1 << 16;
    /// The largest distance: as good as infinite, and a step can be added to it.
    static constexpr std::int32_t far = (1 << 29) - 1;

    DistanceMap(int width, int height);
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    /// Set to 0 the pixels that distances are measured to, and leave the others `far`.
    [[nodiscard]] std::span<std::int32_t> row(int y);
    /// Then replaces every `far` by the distance. Takes two passes, whatever the distances are.
    void measure();
    /// A distance rounded to the 24 bits of a float. It changes only distances of hundreds of px; without it,
    /// some large pictures would be normalised differently than before.
    [[nodiscard]] static std::int32_t rounded(std::int32_t distance) {
        return static_cast<std::int32_t>(static_cast<float>(distance));
    }

  private:
    static constexpr int reach = 2; ///< of a step, px
    [[nodiscard]] static std::size_t with_border(int length);
    [[nodiscard]] std::int32_t* start_of(int y);

    int width_;
    int height_;
    std::vector<std::int32_t> distances_; ///< with a border of `far`, so that no pixel is a special case
};

} // namespace sprig

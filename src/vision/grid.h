#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sprig {

/// A coarse image whose cells have levels with a fraction, for what changes slowly over a picture.
struct Grid {
    static constexpr std::int32_t one_level = 256; ///< a grey level in units of a cell

    int width = 0;
    int height = 0;
    std::vector<std::int32_t> cells; ///< by row

    Grid() = default;
    Grid(int w, int h)
        : width(w), height(h), cells(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

    [[nodiscard]] std::int32_t at(int x, int y) const { return cells[index(x, y)]; }
    std::int32_t& at(int x, int y) { return cells[index(x, y)]; }

    bool operator==(const Grid&) const = default;

  private:
    [[nodiscard]] std::size_t index(int x, int y) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width)) + static_cast<std::size_t>(x);
    }
};

} // namespace sprig

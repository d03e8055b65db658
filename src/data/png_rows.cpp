#include "data/png_rows.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "data/picture_formats.h"

namespace sprig::data_detail {

namespace {

/// One of the reduced pictures that an interlaced file consists of: which pixels it holds.
struct Pass {
    std::uint32_t x0, y0, dx, dy;

    [[nodiscard]] std::uint32_t columns(std::uint32_t width) const { return (width + dx - 1 - x0) / dx; }
    [[nodiscard]] std::uint32_t rows(std::uint32_t height) const { return (height + dy - 1 - y0) / dy; }
};

constexpr std::array<Pass, 1> whole_picture = {{{0, 0, 1, 1}}};
// The scheme of the standard, named after Adam M. Costello.
constexpr std::array<Pass, 7> adam7 = {
    {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};

[[nodiscard]] std::span<const Pass> passes(const PngHeader& header) {
    return header.interlaced ? std::span<const Pass>(adam7) : std::span<const Pass>(whole_picture);
}

[[nodiscard]] unsigned bits_per_pixel(const PngHeader& header) {
    return header.depth * samples_per_pixel(header.colour);
}

[[nodiscard]] std::size_t row_size(const PngHeader& header, std::uint32_t columns) {
    return ((std::size_t{columns} * bits_per_pixel(header)) + 7) / 8;
}

/// Of the three neighbours the one nearest to left + up - upper left: the standard's predictor.
[[nodiscard]] std::uint8_t paeth(int left, int up, int upper_left) {
    const int estimate = left + up - upper_left;
    const int to_left = std::abs(estimate - left);
    const int to_up = std::abs(estimate - up);
    const int to_upper_left = std::abs(estimate - upper_left);
    if (to_left <= to_up && to_left <= to_upper_left) return static_cast<std::uint8_t>(left);
    return static_cast<std::uint8_t>(to_up <= to_upper_left ? up : upper_left);
}

/// Undoes one row's filter in place; `above` is the finished row before it, empty for the first.
void unfilter(unsigned filter, std::span<std::uint8_t> row, ByteView above, std::size_t pixel_bytes) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i < pixel_bytes ? 0 : row[i - pixel_bytes];
        const int up = above.empty() ? 0 : above[i];
        const int upper_left = i < pixel_bytes || above.empty() ? 0 : above[i - pixel_bytes];
        int prediction = 0;
        if (filter == 1) prediction = left;
        if (filter == 2) prediction = up;
        if (filter == 3) prediction = (left + up) / 2;
        if (filter == 4) prediction = paeth(left, up, upper_left);
        row[i] = static_cast<std::uint8_t>(row[i] + prediction);
    }
}

[[nodiscard]] std::uint16_t sample_at(ByteView row, std::size_t index, unsigned depth) {
    if (depth == 8) return row[index];
    if (depth == 16) return static_cast<std::uint16_t>((row[2 * index] << 8U) | row[(2 * index) + 1]);
    const std::size_t bit = index * depth;
    return static_cast<std::uint16_t>((row[bit / 8] >> (8 - depth - (bit % 8))) & ((1U << depth) - 1));
}

} // namespace

bool is_allowed(const PngHeader& header) {
    const unsigned depth = header.depth;
    const bool small = depth == 1 || depth == 2 || depth == 4;
    switch (header.colour) {
    case PngColour::grey:
        return small || depth == 8 || depth == 16;
    case PngColour::palette:
        return small || depth == 8;
    case PngColour::rgb:
    case PngColour::grey_alpha:
    case PngColour::rgb_alpha:
        return depth == 8 || depth == 16;
    }
    return false;
}

unsigned samples_per_pixel(PngColour colour) {
    switch (colour) {
    case PngColour::rgb:
        return 3;
    case PngColour::grey_alpha:
        return 2;
    case PngColour::rgb_alpha:
        return 4;
    case PngColour::grey:
    case PngColour::palette:
        break;
    }
    return 1;
}

std::size_t packed_size(const PngHeader& header) {
    std::size_t size = 0;
    for (const Pass& pass : passes(header)) {
        const std::uint32_t columns = pass.columns(header.width);
        // A pass without columns has no rows either, not even their filter bytes.
        if (columns > 0) size += pass.rows(header.height) * (row_size(header, columns) + 1);
    }
    return size;
}

std::vector<std::uint16_t> unpack_rows(Bytes& packed, const PngHeader& header, const std::string& name) {
    const std::size_t samples = samples_per_pixel(header.colour);
    const std::size_t pixel_bytes = std::max<std::size_t>(1, bits_per_pixel(header) / 8);
    std::vector<std::uint16_t> result(std::size_t{header.width} * header.height * samples);
    std::size_t position = 0;
    for (const Pass& pass : passes(header)) {
        const std::uint32_t columns = pass.columns(header.width);
        if (columns == 0) continue;
        const std::size_t length = row_size(header, columns);
        ByteView above;
        for (std::uint32_t row = 0; row < pass.rows(header.height); ++row, position += length + 1) {
            const unsigned filter = packed[position];
            if (filter > 4) throw damaged(name, "PNG", fmt::format("it has a row filter {}", filter));
            const std::span<std::uint8_t> bytes(packed.data() + position + 1, length);
            unfilter(filter, bytes, above, pixel_bytes);
            above = bytes;
            const std::size_t y = pass.y0 + (std::size_t{row} * pass.dy);
            for (std::uint32_t column = 0; column < columns; ++column) {
                const std::size_t x = pass.x0 + (std::size_t{column} * pass.dx);
                for (std::size_t s = 0; s < samples; ++s) {
                    result[(((y * header.width) + x) * samples) + s] =
                        sample_at(bytes, (column * samples) + s, header.depth);
                }
            }
        }
    }
    return result;
}

std::uint8_t to_8_bits(std::uint16_t sample, unsigned depth) {
    if (depth == 16) return static_cast<std::uint8_t>(sample >> 8U);
    return static_cast<std::uint8_t>(sample * 255U / ((1U << depth) - 1));
}

} // namespace sprig::data_detail

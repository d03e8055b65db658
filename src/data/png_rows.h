#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/files.h"

namespace sprig::data_detail {

enum class PngColour : std::uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgb_alpha = 6 };

struct PngHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    unsigned depth = 8; ///< bits per sample
    PngColour colour = PngColour::grey;
    bool interlaced = false;
};

/// Whether the format knows this colour type with this depth.
[[nodiscard]] bool is_allowed(const PngHeader& header);
[[nodiscard]] unsigned samples_per_pixel(PngColour colour);
/// How many bytes the decompressed rows take, their filter bytes included.
[[nodiscard]] std::size_t packed_size(const PngHeader& header);
/// Undoes the rows' filters and the interlacing; `packed` has `packed_size` bytes. The samples come pixel
/// by pixel, as wide as they are stored.
[[nodiscard]] std::vector<std::uint16_t> unpack_rows(Bytes& packed, const PngHeader& header,
                                                     const std::string& name);
/// A sample of `depth` bits on the scale 0 to 255; of 16 bits the upper 8 remain.
[[nodiscard]] std::uint8_t to_8_bits(std::uint16_t sample, unsigned depth);

} // namespace sprig::data_detail

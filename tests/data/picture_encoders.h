#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zlib.h>

#include "support.h"

/// Minimal PNG and BMP writers, independent of the decoders under test.
namespace sprig::testing_support {

struct PngChunk {
    std::string type;
    Bytes data;
};

[[nodiscard]] inline Bytes png_file(const std::vector<PngChunk>& chunks) {
    Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    for (const PngChunk& chunk : chunks) {
        put_big_endian(out, static_cast<std::uint32_t>(chunk.data.size()));
        Bytes checked(chunk.type.begin(), chunk.type.end());
        checked.insert(checked.end(), chunk.data.begin(), chunk.data.end());
        out.insert(out.end(), checked.begin(), checked.end());
        put_big_endian(
            out, static_cast<std::uint32_t>(crc32(0, checked.data(), static_cast<uInt>(checked.size()))));
    }
    return out;
}

[[nodiscard]] inline PngChunk png_header(std::uint32_t width, std::uint32_t height, std::uint8_t depth,
                                         std::uint8_t colour, std::uint8_t interlace = 0) {
    PngChunk chunk{"IHDR", {}};
    put_big_endian(chunk.data, width);
    put_big_endian(chunk.data, height);
    for (const std::uint8_t byte : {depth, colour, std::uint8_t{0}, std::uint8_t{0}, interlace}) {
        chunk.data.push_back(byte);
    }
    return chunk;
}

/// Rows with their filter bytes, compressed.
[[nodiscard]] inline PngChunk png_pixels(const Bytes& rows) {
    uLongf size = compressBound(rows.size());
    PngChunk chunk{"IDAT", Bytes(size)};
    compress(chunk.data.data(), &size, rows.data(), rows.size());
    chunk.data.resize(size);
    return chunk;
}

inline void put_little_endian(Bytes& out, std::uint32_t value, int bytes = 4) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

struct BmpParts {
    std::int32_t width = 2;
    std::int32_t height = 2;
    std::uint32_t bits = 24;
    std::uint32_t compression = 0;
    std::uint32_t header_size = 40;
    std::uint32_t colours_used = 0;
    Bytes between = {}; ///< masks, palette
    Bytes pixels = {};
};

[[nodiscard]] inline Bytes bmp_file(const BmpParts& parts) {
    Bytes out = {'B', 'M'};
    put_little_endian(out, 0); // the file size, which decoders ignore
    put_little_endian(out, 0);
    put_little_endian(out, static_cast<std::uint32_t>(14 + 40 + parts.between.size()));
    put_little_endian(out, parts.header_size);
    put_little_endian(out, static_cast<std::uint32_t>(parts.width));
    put_little_endian(out, static_cast<std::uint32_t>(parts.height));
    put_little_endian(out, 1, 2);
    put_little_endian(out, parts.bits, 2);
    put_little_endian(out, parts.compression);
    for (int i = 0; i < 3; ++i) put_little_endian(out, 0);
    put_little_endian(out, parts.colours_used);
    put_little_endian(out, 0);
    out.insert(out.end(), parts.between.begin(), parts.between.end());
    out.insert(out.end(), parts.pixels.begin(), parts.pixels.end());
    return out;
}

} // namespace sprig::testing_support

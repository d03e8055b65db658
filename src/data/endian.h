#pragma once

#include <cstdint>

#include "data/files.h"

namespace sprig::data_detail {

/// Integers at a position in bytes. The caller has checked the bounds.
[[nodiscard]] inline std::uint32_t big_endian_16(ByteView bytes, std::size_t at) {
    return (std::uint32_t{bytes[at]} << 8U) | bytes[at + 1];
}
[[nodiscard]] inline std::uint32_t big_endian_32(ByteView bytes, std::size_t at) {
    return (big_endian_16(bytes, at) << 16U) | big_endian_16(bytes, at + 2);
}
[[nodiscard]] inline std::uint32_t little_endian_16(ByteView bytes, std::size_t at) {
    return bytes[at] | (std::uint32_t{bytes[at + 1]} << 8U);
}
[[nodiscard]] inline std::uint32_t little_endian_32(ByteView bytes, std::size_t at) {
    return little_endian_16(bytes, at) | (little_endian_16(bytes, at + 2) << 16U);
}

} // namespace sprig::data_detail

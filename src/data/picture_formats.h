#pragma once

#include <cstdint>
#include <string>

#include "data/files.h"
#include "sprig/error.h"
#include "sprig/image.h"

/// One decoder per format. Each takes the whole file and returns a complete picture or throws bad_input. A
/// truncated file is never completed with filler pixels.
namespace sprig::data_detail {

inline constexpr std::uint32_t max_side = 16384;
inline constexpr std::uint64_t max_pixels = std::uint64_t{1} << 26;

[[nodiscard]] Picture decode_png(ByteView bytes, const std::string& name);
[[nodiscard]] Picture decode_jpeg(ByteView bytes, const std::string& name);
[[nodiscard]] Picture decode_bmp(ByteView bytes, const std::string& name);
/// PGM and PPM, text or binary: P2, P3, P5, P6.
[[nodiscard]] Picture decode_pnm(ByteView bytes, const std::string& name);

/// Throws if the picture has no pixels or too many. Call it before allocating memory.
void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& name);

[[nodiscard]] Error cut_short(const std::string& name, const std::string& format,
                              const std::string& where = "before its last pixel");
[[nodiscard]] Error damaged(const std::string& name, const std::string& format, const std::string& reason);

/// A picture with all pixels 0.
[[nodiscard]] Picture blank_picture(std::uint32_t width, std::uint32_t height, int channels);

} // namespace sprig::data_detail

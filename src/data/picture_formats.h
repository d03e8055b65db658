#pragma once

#include <cstdint>
#include <string>

#include "data/files.h"
#include "sprig/error.h"
#include "sprig/image.h"

/// One decoder per format. Each is given the whole file and either returns a whole picture or throws
/// bad_input: a file that ends early is never filled up with grey.
namespace sprig::data_detail {

inline constexpr std::uint32_t largest_side = 16384;
inline constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26;

[[nodiscard]] Picture decode_png(ByteView bytes, const std::string& name);
[[nodiscard]] Picture decode_jpeg(ByteView bytes, const std::string& name);
[[nodiscard]] Picture decode_bmp(ByteView bytes, const std::string& name);
/// PGM and PPM, as text or binary: P2, P3, P5, P6.
[[nodiscard]] Picture decode_pnm(ByteView bytes, const std::string& name);

/// Throws where a header asks for no pixels or for too many; to be called before memory is asked for.
void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& name);

[[nodiscard]] Error cut_short(const std::string& name, const std::string& format,
                              const std::string& where = "before its last pixel");
[[nodiscard]] Error damaged(const std::string& name, const std::string& format, const std::string& reason);

/// A picture of this shape whose pixels are all 0.
[[nodiscard]] Picture blank_picture(std::uint32_t width, std::uint32_t height, int channels);

} // namespace sprig::data_detail

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/picture_formats.h"
#include "sprig/data.h"

namespace sprig {

namespace data_detail {

void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& name) {
    if (width == 0 || height == 0) {
        throw bad_input(fmt::format("'{}' has no pixels: its size is {} x {} px", name, width, height));
    }
    if (width > max_side || height > max_side || width * height > max_pixels) {
        throw bad_input(
            fmt::format("'{}' of {} x {} px is too large: the limits are {} px per side and {} million "
                        "pixels; scale it down first",
                        name, width, height, max_side, max_pixels >> 20U));
    }
}

Error cut_short(const std::string& name, const std::string& format, const std::string& where) {
    return bad_input(
        fmt::format("'{}' is cut short: the {} file ends {}; get it again", name, format, where));
}

Error damaged(const std::string& name, const std::string& format, const std::string& reason) {
    return bad_input(fmt::format("'{}' is a {} file that cannot be read: {}", name, format, reason));
}

Picture blank_picture(std::uint32_t width, std::uint32_t height, int channels) {
    Picture picture{static_cast<int>(width), static_cast<int>(height), channels, {}};
    picture.pixels.resize(std::size_t{width} * height * static_cast<std::size_t>(channels));
    return picture;
}

namespace {

[[nodiscard]] bool starts_with(ByteView bytes, std::initializer_list<int> magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                      [](int m, std::uint8_t b) { return m == b; });
}

} // namespace

} // namespace data_detail

Picture decode_picture(std::span<const std::uint8_t> bytes, const std::string& name) {
    using namespace data_detail;
    if (bytes.empty()) throw bad_input(fmt::format("'{}' is empty", name));
    if (starts_with(bytes, {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'})) return decode_png(bytes, name);
    if (starts_with(bytes, {0xff, 0xd8, 0xff})) return decode_jpeg(bytes, name);
    if (starts_with(bytes, {'B', 'M'})) return decode_bmp(bytes, name);
    if (starts_with(bytes, {'P'}) && bytes.size() >= 2 && bytes[1] >= '1' && bytes[1] <= '7') {
        return decode_pnm(bytes, name);
    }
    throw bad_input(
        fmt::format("'{}' is not a supported picture: it must be a PNG, JPEG, BMP, PGM or PPM file", name));
}

Picture read_image(const std::filesystem::path& path) {
    return decode_picture(data_detail::read_file(path), path.string());
}

} // namespace sprig

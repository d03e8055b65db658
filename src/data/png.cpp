#include <algorithm>
#include <string_view>

#include <png.h>

#include "data/picture_formats.h"

namespace sprig::data_detail {

namespace {

/// Owns a reader of libpng's simplified interface.
struct Reader {
    png_image image{};
    Reader() { image.version = PNG_IMAGE_VERSION; }
    ~Reader() { png_image_free(&image); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    Reader(Reader&&) = delete;
    Reader& operator=(Reader&&) = delete;
};

[[nodiscard]] Error refusal(const Reader& reader, const std::string& name) {
    const std::string reason = reader.image.message;
    if (reason.find("beyond end") != std::string::npos || reason.find("Not enough") != std::string::npos) {
        return cut_short(name, "PNG");
    }
    return damaged(name, "PNG", reason);
}

/// libpng accepts a file without its end mark, but such a file is truncated.
[[nodiscard]] bool has_end_mark(ByteView bytes) {
    using namespace std::string_view_literals;
    constexpr std::string_view mark = "IEND\xae\x42\x60\x82"sv; // name and checksum of the last chunk
    return std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end(), [](std::uint8_t byte, char c) {
               return byte == static_cast<std::uint8_t>(c);
           }) != bytes.end();
}

} // namespace

Picture decode_png(ByteView bytes, const std::string& name) {
    Reader reader;
    png_image& image = reader.image;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        throw refusal(reader, name);
    check_picture_size(image.width, image.height, name);
    // Palettes become colours and 16 bits become 8. 16-bit values without a gamma are sRGB, not linear.
    image.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    Picture picture = blank_picture(image.width, image.height, PNG_IMAGE_PIXEL_CHANNELS(image.format));
    if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
        throw refusal(reader, name);
    if (!has_end_mark(bytes)) throw cut_short(name, "PNG", "without its end mark");
    return picture;
}

} // namespace sprig::data_detail

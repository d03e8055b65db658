// The only file that compiles stb_image. stb_image does not report a truncated file, so a reader that detects
// the end of the data feeds it.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "data/picture_formats.h"

#define STBI_MALLOC(size) std::calloc(1, size) // missing pixels of a damaged file are 0, not random
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#define STBI_ASSERT(condition) static_cast<void>(0) // a library must not abort the program
#define STBI_MAX_DIMENSIONS 16384
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace sprig::data_detail {

namespace {

static_assert(STBI_MAX_DIMENSIONS == max_side);

/// Feeds the decoder and detects reads beyond the end of the data.
struct ByteSource {
    ByteView bytes;
    std::size_t position = 0;
    bool ran_out = false;

    static int read(void* self, char* out, int wanted) {
        auto& source = *static_cast<ByteSource*>(self);
        const std::size_t count =
            std::min(source.bytes.size() - source.position, static_cast<std::size_t>(wanted));
        // The decoder reads ahead; only a read at the very end means that it needs more data.
        if (count == 0) source.ran_out = true;
        std::memcpy(out, source.bytes.data() + source.position, count);
        source.position += count;
        return static_cast<int>(count);
    }
    static void skip(void* self, int wanted) {
        auto& source = *static_cast<ByteSource*>(self);
        const std::size_t left = source.bytes.size() - source.position;
        if (wanted < 0 || static_cast<std::size_t>(wanted) > left) source.ran_out = true;
        source.position += source.ran_out ? left : static_cast<std::size_t>(wanted);
    }
    static int at_end(void* self) {
        const auto& source = *static_cast<const ByteSource*>(self);
        return source.position == source.bytes.size() ? 1 : 0;
    }
};

constexpr stbi_io_callbacks callbacks{&ByteSource::read, &ByteSource::skip, &ByteSource::at_end};

struct StbFree {
    void operator()(stbi_uc* memory) const { stbi_image_free(memory); }
};

} // namespace

Picture decode_bmp(ByteView bytes, const std::string& name) {
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto refusal = [&](const ByteSource& source) {
        return source.ran_out
                   ? cut_short(name, "BMP")
                   : damaged(name, "BMP", "it is damaged or of an unsupported kind; save it as PNG");
    };
    ByteSource header{bytes};
    if (stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels) == 0) throw refusal(header);
    // A negative height means that rows are stored from top to bottom.
    check_picture_size(static_cast<std::uint64_t>(width),
                       static_cast<std::uint64_t>(std::abs(std::int64_t{height})), name);
    ByteSource source{bytes};
    const std::unique_ptr<stbi_uc, StbFree> pixels(
        stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 0));
    if (pixels == nullptr || source.ran_out) throw refusal(source);
    Picture picture =
        blank_picture(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), channels);
    std::copy_n(pixels.get(), picture.pixels.size(), picture.pixels.begin());
    return picture;
}

} // namespace sprig::data_detail

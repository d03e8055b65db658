// BMP by stb_image: the one place where it is compiled. It goes on without a word when a file ends early, so
// it is fed through a reader that notices.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "data/picture_formats.h"

#define STBI_MALLOC(size) std::calloc(1, size) // what a damaged file leaves out is 0, not chance
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#define STBI_ASSERT(condition) static_cast<void>(0) // a library does not end its user's program
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

static_assert(STBI_MAX_DIMENSIONS == largest_side);

/// Feeds the decoder and notices when it asks for more than there is.
struct Feeder {
    ByteView bytes;
    std::size_t position = 0;
    bool ran_out = false;

    static int read(void* self, char* out, int wanted) {
        auto& feeder = *static_cast<Feeder*>(self);
        const std::size_t count =
            std::min(feeder.bytes.size() - feeder.position, static_cast<std::size_t>(wanted));
        // The decoder fills its buffer ahead; only an answer of nothing means that it really needs more.
        if (count == 0) feeder.ran_out = true;
        std::memcpy(out, feeder.bytes.data() + feeder.position, count);
        feeder.position += count;
        return static_cast<int>(count);
    }
    static void skip(void* self, int wanted) {
        auto& feeder = *static_cast<Feeder*>(self);
        const std::size_t left = feeder.bytes.size() - feeder.position;
        if (wanted < 0 || static_cast<std::size_t>(wanted) > left) feeder.ran_out = true;
        feeder.position += feeder.ran_out ? left : static_cast<std::size_t>(wanted);
    }
    static int at_end(void* self) {
        const auto& feeder = *static_cast<const Feeder*>(self);
        return feeder.position == feeder.bytes.size() ? 1 : 0;
    }
};

constexpr stbi_io_callbacks callbacks{&Feeder::read, &Feeder::skip, &Feeder::at_end};

struct StbFree {
    void operator()(stbi_uc* memory) const { stbi_image_free(memory); }
};

} // namespace

Picture decode_bmp(ByteView bytes, const std::string& name) {
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto refusal = [&](const Feeder& feeder) {
        return feeder.ran_out ? cut_short(name, "BMP")
                              : damaged(name, "BMP", "it is damaged or of a rare kind; save it as PNG");
    };
    Feeder header{bytes};
    if (stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels) == 0) throw refusal(header);
    // A negative height says that the rows go from top to bottom.
    check_picture_size(static_cast<std::uint64_t>(width),
                       static_cast<std::uint64_t>(std::abs(std::int64_t{height})), name);
    Feeder feeder{bytes};
    const std::unique_ptr<stbi_uc, StbFree> pixels(
        stbi_load_from_callbacks(&callbacks, &feeder, &width, &height, &channels, 0));
    if (pixels == nullptr || feeder.ran_out) throw refusal(feeder);
    Picture picture =
        blank_picture(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), channels);
    std::copy_n(pixels.get(), picture.pixels.size(), picture.pixels.begin());
    return picture;
}

} // namespace sprig::data_detail

// The one place where stb_image is compiled. What it would do at its worst is taken from it here:
//  - memory comes zeroed, so that a damaged file gives the same picture each time;
//  - its assertions are off: they would end the program of whoever uses us;
//  - CMakeLists.txt compiles this file with wrapping integers, since its sums overflow on damaged files.
#include "data/stb_jpeg.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#define STBI_ASSERT(condition) static_cast<void>(0)
#define STBI_MAX_DIMENSIONS 16384
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace sprig::data_detail {

namespace {

/// Feeds the decoder and notices when it asks for more than there is.
struct Feeder {
    ByteView bytes;
    std::size_t position = 0;
    bool read_past_end = false;

    static int read(void* self, char* out, int wanted) {
        auto& feeder = *static_cast<Feeder*>(self);
        const std::size_t left = feeder.bytes.size() - feeder.position;
        const std::size_t count = std::min(left, static_cast<std::size_t>(wanted));
        // The decoder fills its buffer ahead; only an answer of nothing means that it really needs more.
        if (count == 0) feeder.read_past_end = true;
        std::memcpy(out, feeder.bytes.data() + feeder.position, count);
        feeder.position += count;
        return static_cast<int>(count);
    }

    static void skip(void* self, int wanted) {
        auto& feeder = *static_cast<Feeder*>(self);
        const std::size_t left = feeder.bytes.size() - feeder.position;
        if (wanted < 0 || static_cast<std::size_t>(wanted) > left) {
            feeder.read_past_end = true;
            feeder.position = feeder.bytes.size();
        } else {
            feeder.position += static_cast<std::size_t>(wanted);
        }
    }

    static int at_end(void* self) {
        const auto& feeder = *static_cast<const Feeder*>(self);
        return feeder.position == feeder.bytes.size() ? 1 : 0;
    }
};

struct StbFree {
    void operator()(stbi_uc* memory) const { stbi_image_free(memory); }
};

} // namespace

StbResult decode_with_stb(ByteView bytes) {
    Feeder feeder{bytes};
    const stbi_io_callbacks callbacks{&Feeder::read, &Feeder::skip, &Feeder::at_end};
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, StbFree> pixels(
        stbi_load_from_callbacks(&callbacks, &feeder, &width, &height, &channels, 0));
    StbResult result;
    result.read_past_end = feeder.read_past_end;
    if (pixels == nullptr) {
        const char* const reason = stbi_failure_reason();
        result.reason = reason != nullptr ? reason : "its data make no sense";
        return result;
    }
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                             static_cast<std::size_t>(channels);
    result.picture = Picture{width, height, channels, {pixels.get(), pixels.get() + size}};
    return result;
}

} // namespace sprig::data_detail

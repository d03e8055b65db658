#include <algorithm>
#include <array>
#include <vector>

#include <zlib.h>

#include "data/endian.h"
#include "data/picture_formats.h"
#include "fuzz_target.h"
#include "sprig/data.h"
#include "sprig/front_end.h"

namespace {

using sprig::data_detail::big_endian_32;
using sprig::data_detail::Bytes;
using sprig::fuzz::require;

/// Corrects the checksum of every chunk of a PNG file, so that mutations get past this check. Other bytes are
/// left unchanged.
[[nodiscard]] bool repair_checksums(Bytes& bytes) {
    constexpr std::array<std::uint8_t, 4> magic = {0x89, 'P', 'N', 'G'};
    if (bytes.size() < 8 || !std::equal(magic.begin(), magic.end(), bytes.begin())) return false;
    for (std::size_t position = 8; bytes.size() - position >= 12;) {
        const std::size_t length = big_endian_32(bytes, position);
        if (length > bytes.size() - position - 12) break;
        const unsigned long checksum = crc32(0, bytes.data() + position + 4, static_cast<uInt>(length + 4));
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[position + 8 + length + i] = static_cast<std::uint8_t>(checksum >> (24 - (8 * i)));
        }
        position += length + 12;
    }
    return true;
}

void decode(const Bytes& bytes) {
    try {
        const sprig::Picture picture = sprig::decode_picture(bytes, "input");
        require(picture.width > 0 && picture.height > 0 && picture.channels >= 1 && picture.channels <= 4);
        const std::size_t pixels =
            static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
        require(pixels <= sprig::data_detail::max_pixels);
        require(picture.pixels.size() == pixels * static_cast<std::size_t>(picture.channels));
        const sprig::Image levels = sprig::to_grey(picture);
        require(levels.width == picture.width && levels.height == picture.height);
        require(levels.pixels.size() == pixels);
        try {
            const sprig::Normalised normalised = sprig::normalise(picture);
            require(normalised.image.width == 28 && normalised.image.height == 28);
        } catch (const sprig::Error& error) {
            require(error.kind() == sprig::ErrorKind::bad_input); // no ink
        }
        // Decode small pictures twice, to detect undefined results.
        if (pixels < 4096) require(sprig::decode_picture(bytes, "input") == picture);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, data + size);
    decode(bytes);
    if (repair_checksums(bytes)) decode(bytes);
    return 0;
}

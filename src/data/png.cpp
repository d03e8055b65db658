#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "data/endian.h"
#include "data/gzip.h"
#include "data/picture_formats.h"
#include "data/png_rows.h"

/// PNG is small once zlib is there, and the decoder we would otherwise use neither checks a file's
/// checksums nor bounds what its data unfold to.
namespace sprig::data_detail {

namespace {

constexpr std::size_t signature_size = 8;
constexpr std::size_t chunk_overhead = 12; // length, type and checksum

struct Chunk {
    std::string_view type;
    ByteView data;
};

class PngReader {
  public:
    PngReader(ByteView bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    [[nodiscard]] Picture read() {
        read_chunks();
        if (compressed_.empty()) throw refuse("it holds no pixels");
        if (header_.colour == PngColour::palette && palette_.empty()) throw refuse("its palette is missing");
        const std::size_t expected = packed_size(header_);
        Bytes packed;
        Inflater inflater(compressed_, Inflater::Format::zlib, name_);
        inflater.read(packed, expected);
        if (packed.size() < expected) {
            throw cut_short(name_, "PNG",
                            fmt::format("after {} of the {} bytes its pixels need", packed.size(), expected));
        }
        return to_picture(unpack_rows(packed, header_, name_));
    }

  private:
    [[nodiscard]] Error refuse(const std::string& reason) const { return damaged(name_, "PNG", reason); }

    void read_chunks() {
        std::size_t position = signature_size;
        for (bool first = true;; first = false) {
            const Chunk chunk = chunk_at(position);
            position += chunk.data.size() + chunk_overhead;
            if (first != (chunk.type == "IHDR")) throw refuse("its header is not where it must be");
            if (chunk.type == "IEND") return;
            if (chunk.type == "IHDR") {
                read_header(chunk.data);
            } else if (chunk.type == "PLTE") {
                if (chunk.data.size() % 3 != 0 || chunk.data.empty() ||
                    chunk.data.size() > std::size_t{3} * 256) {
                    throw refuse("its palette makes no sense");
                }
                palette_ = chunk.data;
            } else if (chunk.type == "tRNS") {
                transparency_ = chunk.data;
            } else if (chunk.type == "IDAT") {
                compressed_.insert(compressed_.end(), chunk.data.begin(), chunk.data.end());
            } else if ((static_cast<unsigned char>(chunk.type[0]) & 0x20U) == 0) {
                // An upper case letter in front: who does not know this chunk cannot show the picture.
                throw refuse("it uses an extension that we do not know");
            }
        }
    }

    [[nodiscard]] Chunk chunk_at(std::size_t position) const {
        const std::size_t left = bytes_.size() - position;
        if (left < chunk_overhead) throw cut_short(name_, "PNG", "before its end mark");
        const std::uint32_t length = big_endian_32(bytes_, position);
        if (length > left - chunk_overhead) throw cut_short(name_, "PNG", "within a chunk");
        const ByteView checked = bytes_.subspan(position + 4, length + std::size_t{4});
        const auto checksum = static_cast<std::uint32_t>(
            crc32(crc32(0, nullptr, 0), checked.data(), static_cast<uInt>(checked.size())));
        if (checksum != big_endian_32(bytes_, position + 8 + length)) {
            throw refuse("a checksum is wrong, so it is damaged; get it again");
        }
        return {as_text(checked.first(4)), checked.subspan(4)};
    }

    void read_header(ByteView data) {
        if (data.size() != 13) throw refuse("its header has a wrong length");
        const std::uint32_t width = big_endian_32(data, 0);
        const std::uint32_t height = big_endian_32(data, 4);
        check_picture_size(width, height, name_);
        header_.width = width;
        header_.height = height;
        header_.depth = data[8];
        header_.colour = static_cast<PngColour>(data[9]);
        header_.interlaced = data[12] == 1;
        if (!is_allowed(header_)) {
            throw refuse(fmt::format("colour type {} with {} bits does not exist", data[9], data[8]));
        }
        if (data[10] != 0 || data[11] != 0 || data[12] > 1) throw refuse("its header makes no sense");
    }

    /// Samples become 8 bit channels; a palette and a transparent colour are resolved.
    [[nodiscard]] Picture to_picture(const std::vector<std::uint16_t>& samples) const {
        const bool has_palette = header_.colour == PngColour::palette;
        const auto stored = static_cast<std::size_t>(samples_per_pixel(header_.colour));
        const bool adds_alpha = transparency_ && stored % 2 == 1;
        const int colours = has_palette ? 3 : static_cast<int>(stored);
        Picture picture = blank_picture(header_.width, header_.height, colours + (adds_alpha ? 1 : 0));
        if (adds_alpha && !has_palette && transparency_->size() != 2 * stored) {
            throw refuse("its transparent colour makes no sense");
        }
        std::uint8_t* out = picture.pixels.data();
        for (std::size_t i = 0; i < samples.size(); i += stored) {
            if (has_palette) {
                out = put_palette_colour(samples[i], adds_alpha, out);
                continue;
            }
            bool is_transparent = adds_alpha;
            for (std::size_t c = 0; c < stored; ++c) {
                const std::uint16_t sample = samples[i + c];
                *out++ = to_8_bits(sample, header_.depth);
                is_transparent = is_transparent && sample == big_endian_16(*transparency_, 2 * c);
            }
            if (adds_alpha) *out++ = is_transparent ? 0 : 255;
        }
        return picture;
    }

    [[nodiscard]] std::uint8_t* put_palette_colour(std::size_t index, bool with_alpha,
                                                   std::uint8_t* out) const {
        if (3 * index >= palette_.size()) {
            throw refuse(fmt::format("a pixel has colour {} of a palette of {}", index, palette_.size() / 3));
        }
        for (std::size_t c = 0; c < 3; ++c) *out++ = palette_[(3 * index) + c];
        if (with_alpha) *out++ = index < transparency_->size() ? (*transparency_)[index] : std::uint8_t{255};
        return out;
    }

    ByteView bytes_;
    const std::string& name_;
    PngHeader header_{};
    ByteView palette_;
    std::optional<ByteView> transparency_;
    Bytes compressed_;
};

} // namespace

Picture decode_png(ByteView bytes, const std::string& name) {
    return PngReader(bytes, name).read();
}

} // namespace sprig::data_detail

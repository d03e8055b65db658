#include <array>
#include <bit>
#include <cstdlib>

#include <fmt/format.h>

#include "data/endian.h"
#include "data/picture_formats.h"

namespace sprig::data_detail {

namespace {

constexpr std::size_t file_header_size = 14;
constexpr std::uint32_t core_header_size = 12; // the oldest kind, with 16 bit sizes
constexpr std::uint32_t info_header_size = 40;
constexpr std::uint32_t largest_header_size = 124;
constexpr std::uint32_t uncompressed = 0;
constexpr std::uint32_t bit_fields = 3;

using Colour = std::array<std::uint8_t, 4>; // red, green, blue, alpha

/// Where one channel sits inside a pixel.
struct Channel {
    std::uint32_t mask = 0;

    [[nodiscard]] std::uint32_t largest() const {
        return mask >> static_cast<unsigned>(std::countr_zero(mask));
    }
    [[nodiscard]] bool contiguous() const { return (largest() & (largest() + 1)) == 0; }
    [[nodiscard]] std::uint8_t of(std::uint32_t pixel) const {
        const std::uint64_t value = (pixel & mask) >> static_cast<unsigned>(std::countr_zero(mask));
        return static_cast<std::uint8_t>(((value * 255U) + (largest() / 2U)) / largest());
    }
};

class BmpReader {
  public:
    BmpReader(ByteView bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    [[nodiscard]] Picture read() {
        need(file_header_size + core_header_size, "within its header");
        read_header();
        check_picture_size(width_, height_, name_);
        if (bits_ <= 8) {
            read_palette();
        } else if (bits_ != 24) {
            read_masks();
        }
        const std::uint64_t row_bytes = ((std::uint64_t{width_} * bits_) + 31) / 32 * 4;
        need(pixels_at_ + (row_bytes * height_),
             fmt::format("after {} of the {} bytes its pixels need", bytes_.size(),
                         pixels_at_ + (row_bytes * height_)));
        Picture picture = blank_picture(width_, height_, channels_);
        std::uint8_t* out = picture.pixels.data();
        for (std::uint32_t y = 0; y < height_; ++y) {
            const std::uint32_t stored_row = top_down_ ? y : height_ - 1 - y;
            const ByteView row = bytes_.subspan(pixels_at_ + (stored_row * row_bytes), row_bytes);
            for (std::uint32_t x = 0; x < width_; ++x) {
                const Colour colour = colour_of(row, x);
                for (int c = 0; c < channels_; ++c) *out++ = colour[static_cast<std::size_t>(c)];
            }
        }
        return picture;
    }

  private:
    void need(std::uint64_t size, const std::string& where) const {
        if (bytes_.size() < size) throw cut_short(name_, "BMP", where);
    }
    [[nodiscard]] Error refuse(const std::string& reason) const { return damaged(name_, "BMP", reason); }

    void read_header() {
        pixels_at_ = little_endian_32(bytes_, 10);
        header_size_ = little_endian_32(bytes_, file_header_size);
        const bool core = header_size_ == core_header_size;
        if (!core && (header_size_ < info_header_size || header_size_ > largest_header_size)) {
            throw refuse(fmt::format("its header of {} bytes is of an unknown kind", header_size_));
        }
        need(file_header_size + header_size_, "within its header");
        std::uint32_t compression = uncompressed;
        if (core) {
            width_ = little_endian_16(bytes_, 18);
            height_ = little_endian_16(bytes_, 20);
            bits_ = little_endian_16(bytes_, 24);
        } else {
            width_ = little_endian_32(bytes_, 18);
            // A negative height means that the rows are stored from top to bottom.
            const std::uint32_t height = little_endian_32(bytes_, 22);
            top_down_ = (height >> 31U) != 0;
            height_ = top_down_ ? ~height + 1 : height;
            bits_ = little_endian_16(bytes_, 28);
            compression = little_endian_32(bytes_, 30);
            colours_used_ = little_endian_32(bytes_, 46);
        }
        masked_ = compression == bit_fields && (bits_ == 16 || bits_ == 32);
        if (compression != uncompressed && !masked_) {
            throw refuse("it is compressed; save it without compression or as PNG");
        }
        if (bits_ != 1 && bits_ != 4 && bits_ != 8 && bits_ != 16 && bits_ != 24 && bits_ != 32) {
            throw refuse(fmt::format("it has {} bits per pixel", bits_));
        }
        if (pixels_at_ < file_header_size + header_size_) throw refuse("its pixels begin inside its header");
    }

    void read_palette() {
        const std::uint32_t most = 1U << bits_;
        const std::size_t entry_size = header_size_ == core_header_size ? 3 : 4;
        const std::uint32_t count = colours_used_ == 0 ? most : colours_used_;
        const std::size_t start = file_header_size + header_size_;
        if (count > most || start + (count * entry_size) > pixels_at_) {
            throw refuse(fmt::format("its palette of {} colours does not fit before its pixels", count));
        }
        need(start + (count * entry_size), "within its palette");
        channels_ = 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            const ByteView entry = bytes_.subspan(start + (i * entry_size), 3);
            palette_[i] = {entry[2], entry[1], entry[0], 255};
            // A palette of greys is how this format stores a grey picture.
            if (entry[0] != entry[1] || entry[1] != entry[2]) channels_ = 3;
        }
        palette_size_ = count;
    }

    void read_masks() {
        if (!masked_) {
            // The fourth byte of 32 is unused by definition: programs leave anything there.
            masks_ = bits_ == 16 ? std::array<Channel, 4>{{{0x7c00}, {0x03e0}, {0x001f}, {0}}}
                                 : std::array<Channel, 4>{{{0xff0000}, {0x00ff00}, {0x0000ff}, {0}}};
            return;
        }
        // Old headers are followed by three masks, newer ones hold them at the very same place.
        const std::size_t start = file_header_size + info_header_size;
        need(start + 12, "within its header");
        for (std::size_t i = 0; i < 3; ++i) {
            masks_[i].mask = little_endian_32(bytes_, start + (4 * i));
            if (masks_[i].mask == 0 || !masks_[i].contiguous())
                throw refuse("its colour masks make no sense");
        }
        if (header_size_ >= 56) masks_[3].mask = little_endian_32(bytes_, start + 12);
        if (masks_[3].mask != 0) {
            if (!masks_[3].contiguous()) throw refuse("its colour masks make no sense");
            channels_ = 4;
        }
    }

    [[nodiscard]] Colour colour_of(ByteView row, std::uint32_t x) const {
        if (bits_ == 24) {
            const ByteView pixel = row.subspan(std::size_t{3} * x, 3);
            return {pixel[2], pixel[1], pixel[0], 255};
        }
        if (bits_ <= 8) {
            const std::uint32_t bit = x * bits_;
            const std::uint32_t index = (row[bit / 8] >> (8 - bits_ - (bit % 8))) & ((1U << bits_) - 1);
            if (index >= palette_size_) {
                throw refuse(fmt::format("a pixel has colour {} of a palette of {}", index, palette_size_));
            }
            return palette_[index];
        }
        const std::uint32_t pixel = bits_ == 16 ? little_endian_16(row, std::size_t{2} * x)
                                                : little_endian_32(row, std::size_t{4} * x);
        return {masks_[0].of(pixel), masks_[1].of(pixel), masks_[2].of(pixel),
                masks_[3].mask == 0 ? std::uint8_t{255} : masks_[3].of(pixel)};
    }

    ByteView bytes_;
    const std::string& name_;
    std::uint64_t pixels_at_ = 0;
    std::uint32_t header_size_ = 0;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::uint32_t bits_ = 0;
    std::uint32_t colours_used_ = 0;
    std::uint32_t palette_size_ = 0;
    std::array<Colour, 256> palette_{};
    std::array<Channel, 4> masks_{};
    int channels_ = 3;
    bool top_down_ = false;
    bool masked_ = false;
};

} // namespace

Picture decode_bmp(ByteView bytes, const std::string& name) {
    return BmpReader(bytes, name).read();
}

} // namespace sprig::data_detail

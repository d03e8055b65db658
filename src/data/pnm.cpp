#include <limits>
#include <optional>

#include <fmt/format.h>

#include "data/endian.h"
#include "data/picture_formats.h"

namespace sprig::data_detail {

namespace {

constexpr std::uint32_t largest_level = 65535;

[[nodiscard]] bool is_space(std::uint8_t c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}
[[nodiscard]] bool is_digit(std::uint8_t c) {
    return c >= '0' && c <= '9';
}

/// Reads the numbers of the header and, in the text formats, of the pixels.
class PnmReader {
  public:
    PnmReader(ByteView bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    /// The next number. Something must follow it, because a number at the end of the file may be truncated.
    [[nodiscard]] std::uint32_t number(const char* what) {
        skip_blanks();
        std::uint64_t value = 0;
        const std::size_t start = position_;
        for (; position_ < bytes_.size() && is_digit(bytes_[position_]); ++position_) {
            value = (value * 10) + (bytes_[position_] - unsigned{'0'});
            if (value > std::numeric_limits<std::uint32_t>::max()) {
                throw damaged(name_, "PNM", fmt::format("its {} is too large", what));
            }
        }
        if (position_ == bytes_.size()) {
            throw cut_short(name_, "PNM", fmt::format("where white space should follow its {}", what));
        }
        if (position_ == start || !(is_space(bytes_[position_]) || bytes_[position_] == '#')) {
            throw damaged(name_, "PNM", fmt::format("its {} is not a number", what));
        }
        return static_cast<std::uint32_t>(value);
    }

    /// The data after the header and one white-space character.
    [[nodiscard]] ByteView raster() const { return bytes_.subspan(position_ + 1); }
    [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }

  private:
    void skip_blanks() {
        while (position_ < bytes_.size()) {
            if (bytes_[position_] == '#') {
                while (position_ < bytes_.size() && bytes_[position_] != '\n' && bytes_[position_] != '\r') {
                    ++position_;
                }
            } else if (is_space(bytes_[position_])) {
                ++position_;
            } else {
                return;
            }
        }
    }

    ByteView bytes_;
    const std::string& name_;
    std::size_t position_ = 2; // after the two bytes of the signature
};

struct PnmHeader {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t levels;
    int channels;
    bool text;
};

[[nodiscard]] PnmHeader read_header(PnmReader& reader, std::uint8_t kind, const std::string& name) {
    PnmHeader header{};
    header.text = kind == '2' || kind == '3';
    header.channels = kind == '3' || kind == '6' ? 3 : 1;
    header.width = reader.number("width");
    header.height = reader.number("height");
    check_picture_size(header.width, header.height, name);
    header.levels = reader.number("largest level");
    if (header.levels == 0 || header.levels > largest_level) {
        throw damaged(
            name, "PNM",
            fmt::format("its largest level is {}, but must be 1 to {}", header.levels, largest_level));
    }
    return header;
}

[[nodiscard]] std::uint8_t scaled(std::uint32_t value, std::uint32_t levels, const std::string& name) {
    if (value > levels) {
        throw damaged(name, "PNM", fmt::format("a pixel is {}, but the largest level is {}", value, levels));
    }
    return static_cast<std::uint8_t>(((value * 255U) + (levels / 2)) / levels);
}

} // namespace

Picture decode_pnm(ByteView bytes, const std::string& name) {
    const std::uint8_t kind = bytes[1];
    if (kind != '2' && kind != '3' && kind != '5' && kind != '6') {
        throw damaged(
            name, "PNM",
            fmt::format("P{:c} (bitmaps and PAM) is not supported; convert it to PNG or PGM", kind));
    }
    PnmReader reader(bytes, name);
    const PnmHeader header = read_header(reader, kind, name);
    const std::uint64_t values =
        std::uint64_t{header.width} * header.height * static_cast<std::uint64_t>(header.channels);
    const std::uint64_t bytes_each = header.text || header.levels > 255 ? 2 : 1;
    const std::uint64_t there = header.text ? reader.left() : reader.raster().size();
    // In the text formats a value takes at least two bytes: a digit and a blank.
    if (there < values * bytes_each) {
        throw cut_short(name, "PNM",
                        fmt::format("with {} bytes of pixels instead of {}{}", there,
                                    header.text ? "at least " : "", values * bytes_each));
    }
    Picture picture = blank_picture(header.width, header.height, header.channels);
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        const std::uint32_t value = header.text       ? reader.number("pixel")
                                    : bytes_each == 2 ? big_endian_16(reader.raster(), 2 * i)
                                                      : reader.raster()[i];
        picture.pixels[i] = scaled(value, header.levels, name);
    }
    return picture;
}

} // namespace sprig::data_detail

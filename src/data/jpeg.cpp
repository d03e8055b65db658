#include <array>

#include <fmt/format.h>

#include "data/endian.h"
#include "data/picture_formats.h"
#include "data/stb_jpeg.h"

namespace sprig::data_detail {

namespace {

// Programs write about ten; what the format allows in earnest is far below this.
constexpr unsigned most_scans = 256;

enum Marker : std::uint8_t {
    baseline_frame = 0xc0,
    extended_frame = 0xc1,
    progressive_frame = 0xc2,
    huffman_tables = 0xc4,
    first_restart = 0xd0,
    last_restart = 0xd7,
    start_of_image = 0xd8,
    end_of_image = 0xd9,
    start_of_scan = 0xda,
    quantisation_tables = 0xdb,
};

/// Walks through a JPEG file's segments before the decoder sees them. The decoder (stb_image of 2022)
/// trusts what it should not: tables with more than 256 entries, scans that use tables nobody defined,
/// frames that no scan fills. Such files are refused here.
class JpegCheck {
  public:
    JpegCheck(ByteView bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    void run() {
        position_ = 2; // behind the start mark
        for (;;) {
            const std::uint8_t marker = next_marker();
            if (marker == end_of_image) break;
            const ByteView data = segment();
            switch (marker) {
            case baseline_frame:
            case extended_frame:
            case progressive_frame:
                read_frame(data, marker == progressive_frame);
                break;
            case huffman_tables:
                read_huffman_tables(data);
                break;
            case quantisation_tables:
                read_quantisation_tables(data);
                break;
            case start_of_scan:
                read_scan(data);
                skip_coded_data();
                break;
            default:
                if (marker > progressive_frame && marker < first_restart) {
                    throw refuse(
                        "it is of a rare kind (lossless, hierarchical or arithmetic); save it as PNG");
                }
                break; // comments and the like; what it does not know the decoder refuses
            }
        }
        if (components_ == 0 || filled_ != (1U << components_) - 1)
            throw refuse("a part of its colours is missing");
    }

  private:
    [[nodiscard]] Error refuse(const std::string& reason) const { return damaged(name_, "JPEG", reason); }

    [[nodiscard]] std::uint8_t next_byte() {
        if (position_ >= bytes_.size()) throw cut_short(name_, "JPEG", "before its end mark");
        return bytes_[position_++];
    }

    [[nodiscard]] std::uint8_t next_marker() {
        std::uint8_t byte = next_byte();
        // Before the frame some programs leave padding between the segments.
        while (byte != 0xff && components_ == 0) byte = next_byte();
        if (byte != 0xff) throw refuse("its segments do not follow each other");
        while (byte == 0xff) byte = next_byte();
        if (byte == 0 || byte == start_of_image || (byte >= first_restart && byte <= last_restart)) {
            throw refuse("a mark is where none may be");
        }
        return byte;
    }

    [[nodiscard]] ByteView segment() {
        if (bytes_.size() - position_ < 2) throw cut_short(name_, "JPEG", "before its end mark");
        const std::size_t length = big_endian_16(bytes_, position_);
        if (length < 2) throw refuse("a segment has no length");
        if (length > bytes_.size() - position_) throw cut_short(name_, "JPEG", "within a segment");
        const ByteView data = bytes_.subspan(position_ + 2, length - 2);
        position_ += length;
        return data;
    }

    void read_frame(ByteView data, bool progressive) {
        if (components_ != 0) throw refuse("it has two frames");
        if (data.size() < 6 || data.size() != 6 + (std::size_t{3} * data[5]))
            throw refuse("its header is too short");
        const std::uint32_t height = big_endian_16(data, 1);
        const std::uint32_t width = big_endian_16(data, 3);
        check_picture_size(width, height, name_);
        const unsigned components = data[5];
        if (components != 1 && components != 3 && components != 4) {
            throw refuse(fmt::format("it has {} colour components", components));
        }
        // Every block of 8 x 8 pixels takes at least a bit, so a short file cannot claim to be a large
        // picture and keep the decoder busy.
        const std::uint64_t blocks = std::uint64_t{(width + 7) / 8} * ((height + 7) / 8);
        if (blocks > std::uint64_t{8} * bytes_.size()) {
            throw cut_short(name_, "JPEG", fmt::format("too early for {} x {} px", width, height));
        }
        components_ = components;
        progressive_ = progressive;
        for (unsigned i = 0; i < components; ++i) {
            identity_[i] = data[6 + (3 * i)];
            quantisation_[i] = data[8 + (3 * i)];
        }
    }

    void read_huffman_tables(ByteView data) {
        while (!data.empty()) {
            if (data.size() < 17) throw refuse("a code table is too short");
            const unsigned kind = data[0] >> 4U;
            const unsigned slot = data[0] & 15U;
            std::size_t entries = 0;
            for (std::size_t length = 1; length <= 16; ++length) entries += data[length];
            if (kind > 1 || slot > 3 || entries > 256 || data.size() < 17 + entries) {
                throw refuse("a code table makes no sense");
            }
            (kind == 0 ? dc_tables_ : ac_tables_) |= 1U << slot;
            data = data.subspan(17 + entries);
        }
    }

    void read_quantisation_tables(ByteView data) {
        while (!data.empty()) {
            const std::size_t size = 1 + (std::size_t{64} << (data[0] >> 4U == 0 ? 0U : 1U));
            if ((data[0] & 15U) > 3 || data.size() < size)
                throw refuse("a quantisation table makes no sense");
            quantisation_tables_ |= 1U << (data[0] & 15U);
            data = data.subspan(size);
        }
    }

    void read_scan(ByteView data) {
        // Each scan walks over the whole picture; thousands of empty ones would take hours.
        if (++scans_ > most_scans) throw refuse(fmt::format("it has more than {} scans", most_scans));
        if (data.empty() || data.size() != 4 + (std::size_t{2} * data[0]))
            throw refuse("a scan has a wrong length");
        const std::size_t count = data[0];
        const bool spectral_start = data[1 + (2 * count)] == 0;
        const bool first_pass = data[3 + (2 * count)] >> 4U == 0;
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned component = component_of(data[1 + (2 * i)]);
            const unsigned tables = data[2 + (2 * i)];
            const bool needs_dc = !progressive_ || (spectral_start && first_pass);
            const bool needs_ac = !progressive_ || !spectral_start;
            if (needs_dc && (tables >> 4U > 3 || (dc_tables_ >> (tables >> 4U) & 1U) == 0)) {
                throw refuse("a scan uses a code table that is not there");
            }
            if (needs_ac && ((tables & 15U) > 3 || (ac_tables_ >> (tables & 15U) & 1U) == 0)) {
                throw refuse("a scan uses a code table that is not there");
            }
            if (quantisation_[component] > 3 ||
                (quantisation_tables_ >> quantisation_[component] & 1U) == 0) {
                throw refuse("a quantisation table is missing");
            }
            if (needs_dc) filled_ |= 1U << component;
            if ((filled_ >> component & 1U) == 0) throw refuse("its scans come in a wrong order");
        }
    }

    [[nodiscard]] unsigned component_of(std::uint8_t identity) const {
        for (unsigned i = 0; i < components_; ++i) {
            if (identity_[i] == identity) return i;
        }
        throw refuse("a scan is for a colour that is not there");
    }

    /// To the next mark that does not belong to the coded data.
    void skip_coded_data() {
        for (;;) {
            if (next_byte() != 0xff) continue;
            std::uint8_t byte = next_byte();
            while (byte == 0xff) byte = next_byte();
            if (byte != 0 && (byte < first_restart || byte > last_restart)) break;
        }
        position_ -= 2;
    }

    ByteView bytes_;
    const std::string& name_;
    std::size_t position_ = 0;
    unsigned components_ = 0; ///< 0 until the frame is seen
    bool progressive_ = false;
    std::array<std::uint8_t, 4> identity_{};
    std::array<std::uint8_t, 4> quantisation_{};
    unsigned scans_ = 0;
    unsigned filled_ = 0; ///< a bit per component that a scan has given values
    unsigned dc_tables_ = 0;
    unsigned ac_tables_ = 0;
    unsigned quantisation_tables_ = 0;
};

} // namespace

Picture decode_jpeg(ByteView bytes, const std::string& name) {
    JpegCheck(bytes, name).run();
    StbResult result = decode_with_stb(bytes);
    if (result.read_past_end) throw cut_short(name, "JPEG", "before its last pixel");
    if (!result.picture) throw damaged(name, "JPEG", result.reason);
    return std::move(*result.picture);
}

} // namespace sprig::data_detail

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include <jerror.h>
#include <jpeglib.h> // needs <cstdio>
#include <libexif/exif-data.h>

#include "data/picture_formats.h"

namespace sprig::data_detail {

namespace {

struct Unref {
    void operator()(ExifData* data) const { exif_data_unref(data); }
};

/// The Exif orientation of a JPEG file, 1 (upright) to 8; 1 if it has none.
[[nodiscard]] int orientation_of(ByteView jpeg) {
    // Exif data are at the beginning; libexif takes an unsigned int.
    const std::size_t size = std::min<std::size_t>(jpeg.size(), std::numeric_limits<int>::max());
    const std::unique_ptr<ExifData, Unref> data(
        exif_data_new_from_data(jpeg.data(), static_cast<unsigned int>(size)));
    if (data == nullptr) return 1;
    const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry == nullptr || entry->format != EXIF_FORMAT_SHORT || entry->components != 1 || entry->size < 2)
        return 1;
    const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/// Applies the Exif orientation.
[[nodiscard]] Picture apply_orientation(Picture picture, int orientation) {
    if (orientation == 1) return picture;
    // The eight orientations combine mirroring, turning upside down and transposition.
    const bool transposed = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture upright = picture;
    if (transposed) std::swap(upright.width, upright.height);
    const auto channels = static_cast<std::size_t>(picture.channels);
    std::uint8_t* out = upright.pixels.data();
    for (int y = 0; y < upright.height; ++y) {
        for (int x = 0; x < upright.width; ++x) {
            const int along = transposed ? y : x;
            const int down = transposed ? x : y;
            const int source_x = from_right ? picture.width - 1 - along : along;
            const int source_y = from_below ? picture.height - 1 - down : down;
            const std::size_t at =
                ((static_cast<std::size_t>(source_y) * static_cast<std::size_t>(picture.width)) +
                 static_cast<std::size_t>(source_x)) *
                channels;
            out = std::copy_n(picture.pixels.data() + at, channels, out);
        }
    }
    return upright;
}

/// Error handler of libjpeg. Fatal errors must not return and cannot throw through C code, so they longjmp to
/// a frame without destructors.
struct Reporter {
    jpeg_error_mgr manager{};
    std::jmp_buf back{};
    bool ends_early = false;
    bool is_damaged = false;
    char reason[JMSG_LENGTH_MAX] = {};

    static Reporter& of(j_common_ptr codec) { return *reinterpret_cast<Reporter*>(codec->err); }

    static void fail(j_common_ptr codec) {
        codec->err->format_message(codec, of(codec).reason);
        std::longjmp(of(codec).back, 1);
    }
    /// A warning means that the decoder replaced damaged data, so the file is rejected. Only warnings that
    /// affect no pixel are ignored.
    static void note(j_common_ptr codec, int level) {
        const int code = codec->err->msg_code;
        if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR)
            return;
        Reporter& reporter = of(codec);
        if (!reporter.is_damaged) codec->err->format_message(codec, reporter.reason);
        reporter.is_damaged = true;
        if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) reporter.ends_early = true;
    }
    static void ignore_output(j_common_ptr /*codec*/) {}
};

/// Owns a libjpeg decoder.
struct Decoder {
    Reporter reporter;
    jpeg_decompress_struct codec{};

    Decoder() {
        codec.err = jpeg_std_error(&reporter.manager);
        reporter.manager.error_exit = Reporter::fail;
        reporter.manager.emit_message = Reporter::note;
        reporter.manager.output_message = Reporter::ignore_output;
        jpeg_create_decompress(&codec);
    }
    ~Decoder() { jpeg_destroy_decompress(&codec); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    Decoder(Decoder&&) = delete;
    Decoder& operator=(Decoder&&) = delete;
};

/// Reads the header; false on an error.
bool read_header(Decoder& decoder, ByteView bytes) {
    if (setjmp(decoder.reporter.back) != 0) return false;
    jpeg_mem_src(&decoder.codec, bytes.data(), bytes.size());
    jpeg_read_header(&decoder.codec, TRUE);
    return true;
}

/// Reads all rows into `pixels`; false on an error.
bool read_rows(Decoder& decoder, std::uint8_t* pixels) {
    if (setjmp(decoder.reporter.back) != 0) return false;
    jpeg_decompress_struct& codec = decoder.codec;
    jpeg_start_decompress(&codec);
    const std::size_t row_size =
        static_cast<std::size_t>(codec.output_width) * static_cast<std::size_t>(codec.output_components);
    while (codec.output_scanline < codec.output_height) {
        JSAMPROW row = pixels + (codec.output_scanline * row_size);
        jpeg_read_scanlines(&codec, &row, 1);
    }
    jpeg_finish_decompress(&codec);
    return true;
}

} // namespace

Picture decode_jpeg(ByteView bytes, const std::string& name) {
    Decoder decoder;
    jpeg_decompress_struct& codec = decoder.codec;
    const auto refuse_damage = [&] {
        if (decoder.reporter.ends_early) throw cut_short(name, "JPEG");
        throw damaged(name, "JPEG", decoder.reporter.reason);
    };
    if (!read_header(decoder, bytes)) refuse_damage();
    check_picture_size(codec.image_width, codec.image_height, name);
    const bool is_grey = codec.jpeg_color_space == JCS_GRAYSCALE;
    if (!is_grey && codec.num_components != 3) {
        throw damaged(name, "JPEG", "CMYK colours are not supported; save it as RGB");
    }
    codec.out_color_space = is_grey ? JCS_GRAYSCALE : JCS_RGB;
    codec.dct_method = JDCT_ISLOW; // the most accurate one
    Picture picture = blank_picture(codec.image_width, codec.image_height, is_grey ? 1 : 3);
    if (!read_rows(decoder, picture.pixels.data()) || decoder.reporter.is_damaged) refuse_damage();
    return apply_orientation(std::move(picture), orientation_of(bytes));
}

} // namespace sprig::data_detail

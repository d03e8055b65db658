#include "picture_encoders.h"

namespace sprig {
namespace {

using namespace testing_support;

[[nodiscard]] Picture decode(const std::vector<PngChunk>& chunks) {
    return decode_picture(png_file(chunks), "the.png");
}

void expect_bad(const Bytes& bytes, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_input, words, [&] { static_cast<void>(decode_picture(bytes, "the.png")); });
}

const PngChunk end{"IEND", {}};

TEST(Png, ReadsSmallDepths) {
    EXPECT_EQ(decode({png_header(3, 1, 1, 0), png_pixels({0, 0b10100000}), end}).pixels,
              (Bytes{255, 0, 255}));
    EXPECT_EQ(decode({png_header(4, 1, 2, 0), png_pixels({0, 0b00011011}), end}).pixels,
              (Bytes{0, 85, 170, 255}));
    EXPECT_EQ(decode({png_header(3, 1, 4, 0), png_pixels({0, 0x0f, 0x70}), end}).pixels,
              (Bytes{0, 255, 119}));
}

TEST(Png, GivesATransparentColourAnAlphaChannel) {
    const Picture grey = decode({png_header(2, 1, 8, 0), {"tRNS", {0, 7}}, png_pixels({0, 7, 8}), end});
    EXPECT_EQ(grey.channels, 2);
    EXPECT_EQ(grey.pixels, (Bytes{7, 0, 8, 255}));
    const Picture rgb = decode(
        {png_header(2, 1, 8, 2), {"tRNS", {0, 1, 0, 2, 0, 3}}, png_pixels({0, 1, 2, 3, 1, 2, 4}), end});
    EXPECT_EQ(rgb.channels, 4);
    EXPECT_EQ(rgb.pixels, (Bytes{1, 2, 3, 0, 1, 2, 4, 255}));
}

TEST(Png, LooksUpPaletteColours) {
    const PngChunk palette{"PLTE", {1, 2, 3, 4, 5, 6}};
    const Picture opaque = decode({png_header(2, 1, 8, 3), palette, png_pixels({0, 1, 0}), end});
    EXPECT_EQ(opaque.channels, 3);
    EXPECT_EQ(opaque.pixels, (Bytes{4, 5, 6, 1, 2, 3}));
    const Picture clear =
        decode({png_header(2, 1, 8, 3), palette, {"tRNS", {9}}, png_pixels({0, 1, 0}), end});
    EXPECT_EQ(clear.pixels, (Bytes{4, 5, 6, 255, 1, 2, 3, 9}));
    expect_bad(png_file({png_header(1, 1, 8, 3), png_pixels({0, 0}), end}),
               {"PNG file that cannot be read", "PLTE"});
}

TEST(Png, RejectsAWrongChecksum) {
    Bytes bytes = png_file({png_header(1, 1, 8, 0), png_pixels({0, 7}), end});
    bytes[20] ^= 1U;
    expect_bad(bytes, {"'the.png' is a PNG file that cannot be read", "CRC"});
}

TEST(Png, RejectsInvalidSizes) {
    expect_bad(png_file({png_header(20000, 20000, 8, 0), png_pixels({0}), end}),
               {"20000 x 20000 px is too large"});
    expect_bad(png_file({png_header(16384, 16384, 8, 0), png_pixels({0}), end}),
               {"16384 x 16384 px is too large"});
    expect_bad(png_file({png_header(0, 5, 8, 0), png_pixels({0}), end}), {"cannot be read"});
    expect_bad(png_file({png_header(0xffffffff, 1, 8, 0), png_pixels({0}), end}), {"cannot be read"});
}

TEST(Png, RejectsMissingPixels) {
    expect_bad(png_file({png_header(2, 2, 8, 0), png_pixels({0, 1, 2}), end}), {"cut short"});
    expect_bad(png_file({png_header(1, 1, 8, 0), png_pixels({0, 1})}), {"cut short", "end mark"});
    expect_bad(png_file({png_header(1, 1, 8, 0), {"IDAT", {1, 2, 3, 4}}, end}), {"cannot be read"});
}

TEST(Png, DoesNotExpandAZipBomb) {
    // 64 MB of zeros instead of two bytes: only two are decompressed.
    const Picture picture = decode({png_header(1, 1, 8, 0), png_pixels(Bytes(std::size_t{1} << 26)), end});
    EXPECT_EQ(picture.pixels, Bytes{0});
}

} // namespace
} // namespace sprig

#include <array>
#include <cstdlib>
#include <limits>

#include "data/picture_formats.h"
#include "picture_encoders.h"

namespace sprig {
namespace {

using namespace testing_support;

constexpr int fixture_width = 13;
constexpr int fixture_height = 9;

/// The pixels of the fixtures, by the formula that generated them.
[[nodiscard]] int grey_at(int x, int y) {
    return (x * 17 + y * 5) % 256;
}
[[nodiscard]] std::array<int, 3> colour_at(int x, int y) {
    return {(x * 19) % 256, (y * 28) % 256, ((x + y) * 11) % 256};
}

[[nodiscard]] Bytes bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

[[nodiscard]] Picture decode(const Bytes& bytes) {
    return decode_picture(bytes, "it");
}

void expect_bad(const Bytes& bytes, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_input, words, [&] { static_cast<void>(decode(bytes)); });
}

/// Compares a fixture with its expected pixels; `channels` tells which of grey, colour and alpha it has.
void expect_fixture(std::string_view name, int channels, int tolerance = 0) {
    const Picture picture = read_image(fixture(name));
    ASSERT_EQ(picture.width, fixture_width) << name;
    ASSERT_EQ(picture.height, fixture_height) << name;
    ASSERT_EQ(picture.channels, channels) << name;
    const std::uint8_t* pixel = picture.pixels.data();
    for (int y = 0; y < fixture_height; ++y) {
        for (int x = 0; x < fixture_width; ++x) {
            if (channels >= 3) {
                for (const int value : colour_at(x, y))
                    ASSERT_NEAR(*pixel++, value, tolerance) << name << x << y;
            } else {
                ASSERT_NEAR(*pixel++, grey_at(x, y), tolerance) << name << ' ' << x << ' ' << y;
            }
            if (channels % 2 == 0) {
                ASSERT_EQ(*pixel++, grey_at(x, y)) << name;
            }
        }
    }
}

TEST(Picture, DecodesTheFixtures) {
    expect_fixture("grey.png", 1);
    expect_fixture("grey-alpha.png", 2);
    expect_fixture("rgb.png", 3);
    expect_fixture("interlaced.png", 3);
    expect_fixture("rgba.png", 4);
    expect_fixture("rgb.bmp", 3);
    expect_fixture("grey.jpg", 1, 8);
}

TEST(Picture, DecodesAGreyBmpPalette) {
    const Image levels = to_grey(read_image(fixture("grey.bmp")));
    for (int y = 0; y < fixture_height; ++y) {
        for (int x = 0; x < fixture_width; ++x) EXPECT_EQ(levels.at(x, y), grey_at(x, y));
    }
}

TEST(Picture, ColourJpegsAreApproximatelyRight) {
    // Colours are stored at half the resolution, so only the mean difference is meaningful.
    for (const char* const name : {"colour.jpg", "progressive.jpg"}) {
        const Picture picture = read_image(fixture(name));
        ASSERT_EQ(picture.channels, 3) << name;
        int difference = 0;
        for (int y = 0; y < fixture_height; ++y) {
            for (int x = 0; x < fixture_width; ++x) {
                for (int c = 0; c < 3; ++c) {
                    const int value =
                        picture.pixels[static_cast<std::size_t>((((y * fixture_width) + x) * 3) + c)];
                    difference += std::abs(value - colour_at(x, y)[static_cast<std::size_t>(c)]);
                }
            }
        }
        EXPECT_LT(difference / (3 * fixture_width * fixture_height), 12) << name;
    }
}

TEST(Picture, SixteenBitsBecomeEight) {
    const Picture picture = read_image(fixture("grey-16-bit.png"));
    EXPECT_EQ(picture.channels, 1);
    EXPECT_NEAR(picture.pixels[1], 5000 / 257.0, 0.51);
    EXPECT_NEAR(picture.pixels[12], 60000 / 257.0, 0.51);
}

TEST(Picture, ExpandsPngPalettes) {
    EXPECT_EQ(read_image(fixture("palette.png")).channels, 3);
    const Picture bits = read_image(fixture("one-bit.png"));
    EXPECT_EQ(bits.channels, 1);
    EXPECT_EQ(bits.pixels[0], 0);
    EXPECT_EQ(bits.pixels[12], 255);
}

TEST(Picture, ACutFileIsNeverAccepted) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(fixture(""))) {
        if (entry.path().filename() == "cmyk.jpg") continue; // rejected even when complete
        const Bytes bytes = slurp(entry.path());
        ++files;
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const std::string reason = size == 0 ? "empty" : size < 8 ? "it" : "cut short";
            SCOPED_TRACE(entry.path().filename().string() + " cut at " + std::to_string(size));
            expect_bad(first_bytes(bytes, size), {reason});
        }
    }
    EXPECT_GE(files, 13);
}

TEST(Picture, ACutPgmIsNeverAccepted) {
    for (const std::string& text :
         {std::string("P5 3 2 255\nabcdef"), std::string("P5 2 1 65535\nabcd"),
          std::string("P6 1 2 255\nabcdef"), std::string("P2 3 1 200 100 150 200\n"),
          std::string("P3 1 1 9 1 2 3\n")}) {
        const Bytes bytes = bytes_of(text);
        EXPECT_NO_THROW(static_cast<void>(decode(bytes))) << text;
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            SCOPED_TRACE(text.substr(0, size));
            expect_bad(first_bytes(bytes, size), {"it"});
        }
    }
}

TEST(Picture, ReadsPgmOfEveryKind) {
    const Picture binary = decode(bytes_of("P5\n# made by hand\n3 2\n255\nabcdef"));
    EXPECT_EQ(binary.width, 3);
    EXPECT_EQ(binary.height, 2);
    EXPECT_EQ(binary.pixels, bytes_of("abcdef"));
    EXPECT_EQ(decode(bytes_of("P2 # c\n2 1\n15\n0 15\n")).pixels, (Bytes{0, 255}));
    EXPECT_EQ(decode(bytes_of("P2 3 1 4\n1 2 #x\n3\n")).pixels, (Bytes{64, 128, 191}));
    EXPECT_EQ(decode(bytes_of("P3 1 1 255\n1 2 3\n")).channels, 3);
    EXPECT_EQ(decode(bytes_of("P6 1 1 255\nabc")).pixels, bytes_of("abc"));
    Bytes wide = bytes_of("P5 2 1 65535\n");
    wide.insert(wide.end(), {0xff, 0xff, 0x80, 0x00});
    EXPECT_EQ(decode(wide).pixels, (Bytes{255, 128}));
}

TEST(Picture, RejectsBadPgm) {
    expect_bad(bytes_of("P5 0 2 255\n"), {"0 x 2 px"});
    expect_bad(bytes_of("P5 20000 20000 255\n"), {"20000 x 20000 px is too large", "scale it down"});
    expect_bad(bytes_of("P5 99999999999 1 255\n"), {"width is too large"});
    expect_bad(bytes_of("P5 x 1 255\n"), {"width is not a number"});
    expect_bad(bytes_of("P5 1 1 0\na"), {"largest level is 0"});
    expect_bad(bytes_of("P5 1 1 70000\na"), {"largest level is 70000"});
    expect_bad(bytes_of("P5 1 1 9\na"), {"a pixel is 97, but the largest level is 9"});
    expect_bad(bytes_of("P2 1 1 9\n10\n"), {"a pixel is 10, but the largest level is 9"});
    expect_bad(bytes_of("P4 8 1\na"), {"P4", "not supported"});
    expect_bad(bytes_of("P5 5 5 255\nabc"), {"cut short", "3 bytes of pixels instead of 25"});
}

TEST(Picture, ReadsBmpOfEveryDepth) {
    // Rows are stored bottom to top, each padded to four bytes.
    EXPECT_EQ(decode(bmp_file({.pixels = {3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0}})).pixels,
              (Bytes{7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6}));
    const Bytes greys = {0, 0, 0, 0, 255, 255, 255, 0};
    const Picture bits = decode(
        bmp_file({.height = -2, .bits = 1, .between = greys, .pixels = {0x40, 0, 0, 0, 0x80, 0, 0, 0}}));
    EXPECT_EQ(to_grey(bits).pixels, (Bytes{0, 255, 255, 0}));
    const Picture four = decode(bmp_file({.height = 1,
                                          .bits = 4,
                                          .colours_used = 2,
                                          .between = {3, 2, 1, 0, 6, 5, 4, 0},
                                          .pixels = {0x10, 0, 0, 0}}));
    EXPECT_EQ(four.channels, 3);
    EXPECT_EQ(four.pixels, (Bytes{4, 5, 6, 1, 2, 3}));
    EXPECT_EQ(decode(bmp_file({.height = 1, .bits = 16, .pixels = {0x00, 0x7c, 0x1f, 0x00}})).pixels,
              (Bytes{255, 0, 0, 0, 0, 255}));
    EXPECT_EQ(decode(bmp_file({.width = 1, .height = 1, .bits = 32, .pixels = {3, 2, 1, 99}})).pixels,
              (Bytes{1, 2, 3, 99}));
}

TEST(Picture, RejectsBadBmp) {
    expect_bad(bmp_file({.width = 20000, .height = 20000}), {"20000 x 20000 px is too large"});
    expect_bad(bmp_file({.width = 0}), {"no pixels"});
    expect_bad(bmp_file({.width = -1}), {"too large"});
    expect_bad(bmp_file({.height = std::numeric_limits<std::int32_t>::min()}), {"too large"});
    expect_bad(bmp_file({.compression = 1}), {"unsupported kind", "save it as PNG"});
    expect_bad(bmp_file({.bits = 7}), {"cannot be read"});
    expect_bad(bmp_file({.header_size = 41000}), {"cannot be read"});
    expect_bad(bmp_file({.bits = 8, .colours_used = 300}), {"cannot be read"});
    expect_bad(bmp_file({.pixels = Bytes(15)}), {"cut short"});
}

TEST(Picture, RejectsOtherFormats) {
    expect_bad({}, {"'it' is empty"});
    expect_bad(bytes_of("hello"), {"'it' is not a supported picture", "PNG, JPEG, BMP, PGM or PPM"});
    expect_bad(bytes_of("GIF89a......"), {"not a supported picture"});
}

TEST(Picture, ReportsWhyAFileCannotBeRead) {
    const TempFolder folder;
    expect_error(ErrorKind::bad_input, {"none.png", "there is no such file"},
                 [&] { static_cast<void>(read_image(folder / "none.png")); });
    write(folder / "text.png", "hello");
    expect_error(ErrorKind::bad_input, {(folder / "text.png").string(), "not a supported picture"},
                 [&] { static_cast<void>(read_image(folder / "text.png")); });
}

TEST(Picture, DetectsTheFormatFromTheContent) {
    const TempFolder folder;
    write(folder / "really-a-png.jpg", slurp(fixture("rgb.png")));
    EXPECT_EQ(read_image(folder / "really-a-png.jpg"), read_image(fixture("rgb.png")));
}

} // namespace
} // namespace sprig

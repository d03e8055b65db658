#include "picture_encoders.h"

namespace sprig {
namespace {

using namespace testing_support;

/// The segments of a JPEG file, so that a test can remove or change one.
struct JpegPieces {
    std::vector<Bytes>
        segments; ///< each with its marker; the last one contains the coded data and the end mark

    explicit JpegPieces(const Bytes& bytes) {
        std::size_t position = 2;
        while (bytes[position + 1] != 0xda) {
            const std::size_t length = 2 + ((std::size_t{bytes[position + 2]} << 8U) | bytes[position + 3]);
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(position);
            segments.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(length));
            position += length;
        }
        segments.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(position), bytes.end());
    }

    [[nodiscard]] Bytes& first(std::uint8_t marker) {
        for (Bytes& segment : segments) {
            if (segment[1] == marker) return segment;
        }
        throw std::runtime_error("no such segment");
    }

    void remove(std::uint8_t marker) {
        std::erase_if(segments, [&](const Bytes& segment) { return segment[1] == marker; });
    }

    [[nodiscard]] Bytes join() const {
        Bytes out = {0xff, 0xd8};
        for (const Bytes& segment : segments) out.insert(out.end(), segment.begin(), segment.end());
        return out;
    }
};

void expect_bad(const Bytes& bytes, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_input, words, [&] { static_cast<void>(decode_picture(bytes, "the.jpg")); });
}

class Jpeg : public ::testing::Test {
  protected:
    JpegPieces pieces{slurp(fixture("grey.jpg"))};
};

TEST_F(Jpeg, SegmentsJoinToTheSameFile) {
    EXPECT_EQ(decode_picture(pieces.join(), "x"), read_image(fixture("grey.jpg")));
}

TEST_F(Jpeg, RejectsLargeSizes) {
    Bytes& frame = pieces.first(0xc0);
    frame[5] = 0x4e;
    frame[6] = 0x20;
    frame[7] = 0x4e;
    frame[8] = 0x20;
    expect_bad(pieces.join(), {"20000 x 20000 px is too large"});
}

TEST_F(Jpeg, RejectsALargePictureInAShortFile) {
    Bytes& frame = pieces.first(0xc0);
    frame[5] = 0x10; // 4096 + something in both directions
    frame[7] = 0x10;
    expect_bad(pieces.join(), {"cut short"});
}

TEST_F(Jpeg, RejectsDataWithoutAnEndMark) {
    Bytes& scan = pieces.segments.back();
    scan = first_bytes(scan, scan.size() / 4);
    expect_bad(pieces.join(), {"cut short", "cut short"});
}

TEST_F(Jpeg, RejectsCmyk) {
    expect_bad(slurp(fixture("cmyk.jpg")), {"CMYK", "save it as RGB"});
}

TEST_F(Jpeg, RejectsADamagedHuffmanTable) {
    Bytes& table = pieces.first(0xc4);
    table[5] = 255;
    table[6] = 255;
    expect_bad(pieces.join(), {"Huffman table"});
}

/// Exif data with an orientation only.
Bytes orientation_segment(std::uint8_t orientation) {
    return {0xff, 0xe1, 0,    34,   'E', 'x', 'i', 'f', 0, 0, 'I',         'I', 42, 0, 8, 0, 0, 0,
            1,    0,    0x12, 0x01, 3,   0,   1,   0,   0, 0, orientation, 0,   0,  0, 0, 0, 0, 0};
}

TEST_F(Jpeg, AppliesTheExifOrientation) {
    const Picture stored = read_image(fixture("grey.jpg"));
    const auto at = [&](int x, int y) {
        return stored.pixels[static_cast<std::size_t>((y * stored.width) + x)];
    };
    const int right = stored.width - 1;
    const int bottom = stored.height - 1;
    // Exif's definition: the stored pixels shown at the top left and to its right.
    struct Case {
        std::uint8_t orientation;
        int width;
        std::uint8_t first;
        std::uint8_t second;
    };
    for (const Case& c :
         {Case{1, right + 1, at(0, 0), at(1, 0)}, Case{2, right + 1, at(right, 0), at(right - 1, 0)},
          Case{3, right + 1, at(right, bottom), at(right - 1, bottom)},
          Case{4, right + 1, at(0, bottom), at(1, bottom)}, Case{5, bottom + 1, at(0, 0), at(0, 1)},
          Case{6, bottom + 1, at(0, bottom), at(0, bottom - 1)},
          Case{7, bottom + 1, at(right, bottom), at(right, bottom - 1)},
          Case{8, bottom + 1, at(right, 0), at(right, 1)}, Case{9, right + 1, at(0, 0), at(1, 0)}}) {
        JpegPieces turned = pieces;
        turned.segments.insert(turned.segments.begin(), orientation_segment(c.orientation));
        const Picture picture = decode_picture(turned.join(), "turned.jpg");
        EXPECT_EQ(picture.width, c.width) << int{c.orientation};
        EXPECT_EQ(picture.pixels[0], c.first) << int{c.orientation};
        EXPECT_EQ(picture.pixels[1], c.second) << int{c.orientation};
    }
}

TEST_F(Jpeg, RejectsDamagedPixels) {
    Bytes& scan = pieces.segments.back();
    for (std::size_t i = 14; i + 2 < scan.size(); ++i) scan[i] = static_cast<std::uint8_t>(0xfe - (i % 3));
    expect_bad(pieces.join(), {"'the.jpg' "});
}

TEST_F(Jpeg, ReportsTheDecodersReason) {
    pieces.first(0xc0)[4] = 12; // bits per sample
    expect_bad(pieces.join(), {"'the.jpg' is a JPEG file that cannot be read", "precision 12"});
}

} // namespace
} // namespace sprig

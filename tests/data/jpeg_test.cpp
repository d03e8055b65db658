#include "picture_encoders.h"

namespace sprig {
namespace {

using namespace testing_support;

/// A JPEG file taken apart into its segments, so that a test can leave one out or change it.
struct JpegPieces {
    std::vector<Bytes> segments; ///< each with its marker; the last holds the coded data and the end mark

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

TEST_F(Jpeg, SurvivesBeingTakenApart) {
    EXPECT_EQ(decode_picture(pieces.join(), "x"), read_picture(fixture("grey.jpg")));
}

TEST_F(Jpeg, NeedsItsTables) {
    JpegPieces no_codes = pieces;
    no_codes.remove(0xc4);
    expect_bad(no_codes.join(), {"code table that is not there"});
    JpegPieces no_quantisation = pieces;
    no_quantisation.remove(0xdb);
    expect_bad(no_quantisation.join(), {"quantisation table is missing"});
}

TEST_F(Jpeg, RefusesACodeTableThatWouldOverflowTheDecoder) {
    Bytes& table = pieces.first(0xc4);
    table[5] = 255;
    table[6] = 255;
    expect_bad(pieces.join(), {"code table makes no sense"});
}

TEST_F(Jpeg, RefusesSizesThatAreTooLarge) {
    Bytes& frame = pieces.first(0xc0);
    frame[5] = 0x4e;
    frame[6] = 0x20;
    frame[7] = 0x4e;
    frame[8] = 0x20;
    expect_bad(pieces.join(), {"20000 x 20000 px is too large"});
}

TEST_F(Jpeg, RefusesALargePictureInAShortFile) {
    Bytes& frame = pieces.first(0xc0);
    frame[5] = 0x10; // 4096 + something in both directions
    frame[7] = 0x10;
    expect_bad(pieces.join(), {"cut short", "too early for"});
}

TEST_F(Jpeg, RefusesCodedDataWithoutAnEndMark) {
    Bytes& scan = pieces.segments.back();
    scan = first_bytes(scan, scan.size() / 4);
    expect_bad(pieces.join(), {"cut short", "before its end mark"});
}

TEST_F(Jpeg, RefusesRareKinds) {
    pieces.first(0xc0)[1] = 0xc9;
    expect_bad(pieces.join(), {"rare kind", "save it as PNG"});
}

TEST_F(Jpeg, RefusesMissingOrDoubledFrames) {
    JpegPieces none = pieces;
    none.remove(0xc0);
    expect_bad(none.join(), {"colour that is not there"});
    pieces.segments.insert(pieces.segments.begin(), pieces.first(0xc0));
    expect_bad(pieces.join(), {"two frames"});
}

TEST_F(Jpeg, RefusesAColourThatNoScanFills) {
    JpegPieces colour(slurp(fixture("progressive.jpg")));
    Bytes& scan = colour.segments.back();
    // Only the first scan remains, and it is made to speak of one component.
    ASSERT_EQ(scan[4], 3);
    Bytes one = {0xff, 0xda, 0, 8, 1, scan[5], scan[6], 0, 0, 1, 0x12, 0x34, 0xff, 0xd9};
    scan = one;
    expect_bad(colour.join(), {"colours is missing"});
}

TEST_F(Jpeg, RefusesEndlessScans) {
    Bytes& scan = pieces.segments.back();
    const Bytes one = first_bytes(scan, scan.size() - 2); // without the end mark
    for (int i = 0; i < 256; ++i) scan.insert(scan.begin(), one.begin(), one.end());
    expect_bad(pieces.join(), {"more than 256 scans"});
}

TEST_F(Jpeg, GivesTheDecodersReason) {
    pieces.first(0xc0)[4] = 12; // bits per sample
    expect_bad(pieces.join(), {"'the.jpg' is a JPEG file that cannot be read", "8-bit"});
}

} // namespace
} // namespace sprig

#include "draw/raster.h"

#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "draw/pixels.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

/// A decoded PNG: red, green and blue of each pixel.
struct Decoded {
    Picture picture;

    [[nodiscard]] int width() const { return picture.width; }
    [[nodiscard]] int height() const { return picture.height; }
    [[nodiscard]] std::uint32_t at(int x, int y) const {
        const std::uint8_t* pixel = picture.pixels.data() + (((y * width()) + x) * picture.channels);
        return (std::uint32_t{pixel[0]} << 16U) | (std::uint32_t{pixel[1]} << 8U) | pixel[2];
    }
    [[nodiscard]] int ink() const {
        int count = 0;
        for (int y = 0; y < height(); ++y)
            for (int x = 0; x < width(); ++x) count += at(x, y) == 0xFFFFFFU ? 0 : 1;
        return count;
    }
};

Decoded decode(const std::string& png) {
    Picture picture =
        decode_picture({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()}, "the drawing");
    EXPECT_GE(picture.channels, 3);
    return {std::move(picture)};
}

TEST(Raster, MakesAPngOfTheRequestedSize) {
    const std::string png =
        render_png(draw_network(testing::square_network(), "square", {.panel = 400}), 1.5);
    EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1A\n"));
    const Decoded image = decode(png);
    EXPECT_EQ(image.width(), 660);
    EXPECT_GT(image.height(), 660);
    EXPECT_GT(image.ink(), 2000);
}

TEST(Raster, ShowsPixelsWithSharpEdges) {
    ConstructionFigure figure = testing::square_figure();
    figure.contours.clear(); // so that no window is outlined on the input
    const Decoded image = decode(render_png(draw_construction(figure, {.panel = 220}), 1));
    // Panel (a) starts at x = 20 and each of the 11 pixels has 20 px. Find row 5 of the image.
    for (int y = 0; y < image.height(); ++y)
        if (image.at(20 + (5 * 20) + 10, y) == 0x646464U) {
            EXPECT_EQ(image.at(20 + (2 * 20), y + 5), 0x676767U);
            EXPECT_EQ(image.at(20 + (2 * 20) - 1, y + 5), 0xFFFFFFU);
            EXPECT_EQ(image.at(20 + (9 * 20) - 1, y + 5), 0x616161U);
            EXPECT_EQ(image.at(20 + (9 * 20), y + 5), 0xFFFFFFU);
            return;
        }
    FAIL() << "the square was not found";
}

TEST(Raster, ReadsEmbeddedBitmaps) {
    const Picture picture{2, 1, 3, {255, 0, 0, 0, 0, 255}};
    Svg svg;
    svg.element("image", Attributes()
                             .set("width", 200)
                             .set("height", 100)
                             .set("preserveAspectRatio", "none")
                             .set("href", data_uri(picture, 10)));
    const Decoded image = decode(render_png(svg.finish(200, 100, "", ""), 1));
    EXPECT_EQ(image.at(10, 50), 0xFF0000U);
    EXPECT_EQ(image.at(190, 50), 0x0000FFU);
}

TEST(Raster, RejectsTextThatIsNotSvg) {
    for (const std::string_view text : {"", "hello", "<svg", "<html/>"}) {
        try {
            (void)render_png(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
        }
    }
}

TEST(Raster, RejectsAnInvalidZoom) {
    const std::string svg = draw_network(testing::square_network(), "square");
    EXPECT_THROW((void)render_png(svg, 0), Error);
    EXPECT_THROW((void)render_png(svg, -1), Error);
    EXPECT_THROW((void)render_png(svg, 1e9), Error);
}

} // namespace
} // namespace sprig::draw

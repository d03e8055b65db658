#include "draw/raster.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <cairo.h>
#include <gtest/gtest.h>

#include "draw/pixels.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

/// A PNG decoded by cairo: red, green and blue of each pixel.
struct Decoded {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> pixels;

    [[nodiscard]] std::uint32_t at(int x, int y) const {
        return pixels[static_cast<std::size_t>((y * width) + x)] & 0xFFFFFFU;
    }
    [[nodiscard]] std::ptrdiff_t ink() const {
        return std::ranges::count_if(pixels, [](std::uint32_t p) { return (p & 0xFFFFFFU) != 0xFFFFFFU; });
    }
};

Decoded decode(const std::string& png) {
    struct Reader {
        std::string_view rest;
        static cairo_status_t read(void* self, unsigned char* out, unsigned int length) {
            auto& rest = static_cast<Reader*>(self)->rest;
            if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
            std::memcpy(out, rest.data(), length);
            rest.remove_prefix(length);
            return CAIRO_STATUS_SUCCESS;
        }
    } reader{png};
    const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
        cairo_image_surface_create_from_png_stream(Reader::read, &reader), cairo_surface_destroy);
    EXPECT_EQ(cairo_surface_status(surface.get()), CAIRO_STATUS_SUCCESS);
    Decoded image{
        cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel,
                        cairo_image_surface_get_data(surface.get()) + (static_cast<std::size_t>(y) * stride) +
                            (static_cast<std::size_t>(x) * 4),
                        4);
            image.pixels.push_back(pixel);
        }
    return image;
}

TEST(Raster, MakesAPngOfTheSizeAskedFor) {
    const std::string png =
        render_png(draw_network(testing::square_network(), "square", {.panel = 400}), 1.5);
    EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1A\n"));
    const Decoded image = decode(png);
    EXPECT_EQ(image.width, 660);
    EXPECT_GT(image.height, 660);
    EXPECT_GT(image.ink(), 2000);
}

TEST(Raster, ShowsPixelsWithSharpEdges) {
    ConstructionFigure figure = testing::square_figure();
    figure.contours.clear(); // no excerpt is marked, and only the input is looked at
    const Decoded image = decode(render_png(draw_construction(figure, {.panel = 220}), 1));
    // Panel (a) begins at x = 20; a pixel of the 11 has 20 px. Row 5 of the image, wherever the panel begins.
    for (int y = 0; y < image.height; ++y)
        if (image.at(20 + (5 * 20) + 10, y) == 0x646464U) {
            EXPECT_EQ(image.at(20 + (2 * 20), y + 5), 0x676767U);
            EXPECT_EQ(image.at(20 + (2 * 20) - 1, y + 5), 0xFFFFFFU);
            EXPECT_EQ(image.at(20 + (9 * 20) - 1, y + 5), 0x616161U);
            EXPECT_EQ(image.at(20 + (9 * 20), y + 5), 0xFFFFFFU);
            return;
        }
    FAIL() << "the square is not there";
}

TEST(Raster, ReadsOurOwnBitmaps) {
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

TEST(Raster, RefusesWhatIsNotSvg) {
    for (const std::string_view text : {"", "hello", "<svg", "<html/>"}) {
        try {
            (void)render_png(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
        }
    }
}

TEST(Raster, RefusesAnAbsurdZoom) {
    const std::string svg = draw_network(testing::square_network(), "square");
    EXPECT_THROW((void)render_png(svg, 0), Error);
    EXPECT_THROW((void)render_png(svg, -1), Error);
    EXPECT_THROW((void)render_png(svg, 1e9), Error);
}

} // namespace
} // namespace sprig::draw

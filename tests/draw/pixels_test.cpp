#include "draw/pixels.h"

#include <vector>

#include <gtest/gtest.h>

#include "draw/raster.h"
#include "support.h"

namespace sprig::draw {
namespace {

TEST(InkOutline, HasOneBoxForEachRun) {
    Image image(5, 2);
    image.at(0, 0) = image.at(1, 0) = image.at(4, 0) = image.at(4, 1) = 255;
    EXPECT_EQ(ink_outline(image).str(), "M0 0h2v1h-2ZM4 0h1v1h-1ZM4 1h1v1h-1Z");
    EXPECT_EQ(ink_outline(Image(3, 3)).str(), "");
}

TEST(GreyOutlines, HaveOneOutlineForEachGrey) {
    Image image(3, 1);
    image.at(0, 0) = image.at(2, 0) = 255;
    image.at(1, 0) = 100;
    const std::vector<GreyOutline> outlines = grey_outlines(image);
    ASSERT_EQ(outlines.size(), 2U);
    EXPECT_EQ(outlines[0].colour, "#9b9b9b");
    EXPECT_EQ(outlines[1].colour, "#000000");
    EXPECT_EQ(outlines[1].outline.str(), "M0 0h1v1h-1ZM2 0h1v1h-1Z");
}

TEST(DataUri, IsAPngThatDependsOnThePixels) {
    Image image(300, 250); // more than one stored block
    const std::string blank = data_uri(image);
    EXPECT_TRUE(blank.starts_with("data:image/png;base64,iVBORw0KGgo"));
    image.at(299, 249) = 255;
    EXPECT_NE(data_uri(image), blank);
}

TEST(DataUri, OfALargePictureIsScaledDown) {
    const Picture large{1000, 600, 3, std::vector<std::uint8_t>(1000 * 600 * 3, 80)};
    EXPECT_LT(data_uri(large, 100).size(), 100U * 100U * 3U * 2U);
    const Picture clear{4, 4, 2, std::vector<std::uint8_t>(32, 0)}; // transparent black on white
    const Picture white{4, 4, 1, std::vector<std::uint8_t>(16, 255)};
    EXPECT_EQ(data_uri(clear, 10), data_uri(white, 10));
}

} // namespace
} // namespace sprig::draw

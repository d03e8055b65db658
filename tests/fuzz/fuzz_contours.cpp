#include <algorithm>

#include "fuzz_target.h"
#include "support/opencv_contours.h"

// The first byte is the width, the rest are pixels, eight to a byte. Our contours must be OpenCV's.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    constexpr std::size_t max_pixels = 128 * 128;
    const std::size_t pixels = std::min(8 * (size - 1), max_pixels);
    const std::size_t width = 1 + (data[0] % std::min<std::size_t>(pixels, 200));
    sprig::Image image(static_cast<int>(width), static_cast<int>(pixels / width));
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = ((data[1 + (i / 8)] >> (i % 8)) & 1U) != 0 ? 255 : 0;
    sprig::BinaryImage binary;
    binary.threshold(image.view(), 127);
    sprig::ContourFinder finder;
    sprig::fuzz::require(sprig::test::plain_contours(finder.find(binary, 0)) ==
                         sprig::test::opencv_contours(image));
    return 0;
}

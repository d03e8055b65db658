// After a few images the front end does not allocate. cv::findContours does, so the test compares the number
// of allocations of both on the same images.

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "sprig/front_end.h"
#include "support/allocations.h"
#include "support/shapes.h"

namespace sprig {
namespace {

std::vector<Image> shapes() {
    std::vector<Image> result;
    for (std::uint32_t seed = 0; seed < 200; ++seed) result.push_back(test::random_shape(seed, 28));
    return result;
}

long allocations_of_find_contours(const std::vector<Image>& images) {
    std::vector<std::vector<cv::Point>> points;
    std::vector<cv::Vec4i> hierarchy;
    std::vector<cv::Mat> mats;
    for (const Image& image : images) {
        mats.push_back(
            cv::Mat(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())));
    }
    long count = 0;
    for (int round = 0; round < 2; ++round) {
        const long before = test::allocations();
        for (const cv::Mat& mat : mats) {
            cv::findContours(mat, points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
        }
        count = test::allocations() - before;
    }
    return count;
}

long allocations_of_the_front_end(const std::vector<Image>& images, const FrontEndParams& params) {
    FrontEnd front_end(params);
    Network network(front_end.schema());
    long count = 0;
    for (int round = 0; round < 2; ++round) {
        const long before = test::allocations();
        for (const Image& image : images) front_end.extract(image.view(), network);
        count = test::allocations() - before;
    }
    return count;
}

/// The binarized images of the front end.
std::vector<Image> binarized(const std::vector<Image>& images, const FrontEndParams& params) {
    FrontEnd front_end(params);
    std::vector<Image> result;
    for (const Image& image : images) {
        (void)front_end(image.view());
        result.push_back(front_end.binarized());
    }
    return result;
}

TEST(Allocations, OnlyOpenCvAllocatesWithScaling) {
    const std::vector<Image> images = shapes();
    const FrontEndParams params{.scale = 3, .deskew = true, .directions = 4};
    EXPECT_EQ(allocations_of_the_front_end(images, params),
              allocations_of_find_contours(binarized(images, params)));
}

TEST(Allocations, OnlyOpenCvAllocates) {
    const std::vector<Image> images = shapes();
    const long expected = allocations_of_find_contours(images);
    EXPECT_GT(expected, 0) << "nothing was counted";
    for (const int directions : {2, 6}) {
        for (const double min_persistence : {0.0, 2.0}) {
            const FrontEndParams params{.directions = directions, .min_persistence = min_persistence};
            EXPECT_EQ(allocations_of_the_front_end(images, params), expected);
        }
    }
}

} // namespace
} // namespace sprig

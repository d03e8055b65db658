// The operations on pictures give the results of OpenCV.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "support/shapes.h"
#include "vision/components.h"
#include "vision/distance.h"

namespace sprig {
namespace {

/// The image as a matrix, which refers to its pixels.
cv::Mat matrix_of(const Image& image) {
    return {image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())};
}

/// 0 to limit - 1.
int draw_below(std::mt19937& random, int limit) {
    return static_cast<int>(random() % static_cast<std::uint32_t>(limit));
}

struct NamedMask {
    std::string name;
    Image image;
};

/// A mask with ink where the function of x and y is true.
template <class IsInk>
NamedMask mask_where(const std::string& name, int width, int height, const IsInk& is_ink) {
    NamedMask mask{fmt::format("{} of {} x {} px", name, width, height), Image(width, height)};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) mask.image.at(x, y) = is_ink(x, y) ? 255 : 0;
    }
    return mask;
}

/// A spiral line of one pixel with one pixel between its turns: one component, with the longest paths.
NamedMask spiral(int side) {
    NamedMask mask = mask_where("spiral", side, side, [](int, int) { return false; });
    int x = 0;
    int y = 0;
    int dx = 1;
    int dy = 0;
    const auto is_free = [&](int i, int j) {
        return i < 0 || j < 0 || i >= side || j >= side || mask.image.at(i, j) == 0;
    };
    for (int blocked = 0; blocked < 2;) {
        mask.image.at(x, y) = 255;
        const bool inside = x + dx >= 0 && y + dy >= 0 && x + dx < side && y + dy < side;
        if (inside && is_free(x + dx, y + dy) && is_free(x + (2 * dx), y + (2 * dy))) {
            x += dx;
            y += dy;
            blocked = 0;
        } else {
            std::swap(dx, dy);
            dx = -dx;
            ++blocked;
        }
    }
    return mask;
}

/// Masks of all kinds that are small or regular, and hard for one operation or another.
void add_regular_masks(int width, int height, std::vector<NamedMask>& masks) {
    const auto add = [&](const std::string& name, const auto& is_ink) {
        masks.push_back(mask_where(name, width, height, is_ink));
    };
    const auto ring = [&](int x, int y) { return std::min({x, y, width - 1 - x, height - 1 - y}); };
    add("empty mask", [](int, int) { return false; });
    add("full mask", [](int, int) { return true; });
    add("chequers", [](int x, int y) { return (x + y) % 2 == 0; });
    add("separate pixels", [](int x, int y) { return x % 2 == 0 && y % 2 == 0; });
    add("separate holes", [](int x, int y) { return x % 3 != 1 || y % 3 != 1; });
    add("rings", [&](int x, int y) { return ring(x, y) % 2 == 0; });
    add("comb closed above", [](int x, int y) { return x % 2 == 0 || y == 0; });
    add("comb closed below", [&](int x, int y) { return x % 2 == 0 || y == height - 1; });
    add("comb closed on the left", [](int x, int y) { return y % 2 == 0 || x == 0; });
    add("comb closed on the right", [&](int x, int y) { return y % 2 == 0 || x == width - 1; });
    add("teeth that join late", [&](int x, int y) { return x % 2 == 0 || y == height - 1 - (x % 8); });
    add("diagonals", [](int x, int y) { return (x + y) % 3 == 0; });
    add("other diagonals", [](int x, int y) { return (x - y + 4096) % 3 == 0; });
    add("zigzag", [](int x, int y) { return std::abs((x % 8) - 4) == y % 6; });
    add("one pixel", [&](int x, int y) { return x == width / 2 && y == height / 2; });
    add("one hole", [&](int x, int y) { return x != width / 3 || y != height / 3; });
    add("two corners", [&](int x, int y) { return x + y == 0 || x + y == width + height - 2; });
}

std::vector<NamedMask> test_masks() {
    std::vector<NamedMask> masks;
    const std::vector<std::pair<int, int>> sizes = {{1, 1},   {2, 1},   {1, 2},   {2, 2},    {1, 40},
                                                    {40, 1},  {2, 33},  {33, 2},  {3, 3},    {5, 4},
                                                    {16, 16}, {31, 33}, {64, 48}, {120, 90}, {300, 7}};
    std::mt19937 random(1);
    for (const auto& [width, height] : sizes) {
        add_regular_masks(width, height, masks);
        for (const int percent : {1, 5, 20, 40, 50, 60, 80, 95, 99}) {
            masks.push_back(mask_where(fmt::format("{} % of the pixels", percent), width, height,
                                       [&](int, int) { return draw_below(random, 100) < percent; }));
        }
    }
    for (const int side : {1, 2, 3, 4, 5, 8, 31, 150}) masks.push_back(spiral(side));
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        masks.push_back({fmt::format("random shape {}", seed), test::random_shape(seed, 48)});
    }
    return masks;
}

/// Masks so large that distances exceed what a float holds exactly, or the largest distance.
std::vector<NamedMask> masks_of_large_distances() {
    std::vector<NamedMask> masks;
    for (const int far : {255, 256, 257, 1000, 8191, 8192, 8193, 20000}) {
        const auto except_first = [](int x, int y) { return x + y > 0; };
        masks.push_back(mask_where("all but the first pixel", far + 1, 3, except_first));
        masks.push_back(mask_where("all but the first pixel", 3, far + 1, except_first));
    }
    masks.push_back(mask_where("all but one", 700, 600, [](int x, int y) { return x != 131 || y != 77; }));
    return masks;
}

/// By pixel: 1 + its component, or 0.
std::vector<int> labels_of(const Components& components, int width, int height) {
    std::vector<int> labels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t r = 0; r < components.runs.size(); ++r) {
        const Components::Run& run = components.runs[r];
        const auto row = labels.begin() + (static_cast<std::ptrdiff_t>(run.y) * width);
        std::fill(row + run.begin, row + run.end, static_cast<int>(components.part_of[r]) + 1);
    }
    return labels;
}

/// Which of our components each of OpenCV's is; nothing if they do not correspond one to one.
std::optional<std::map<int, int>> corresponding(const std::vector<int>& ours, const cv::Mat& theirs) {
    std::map<int, int> our_label;
    std::map<int, int> their_label;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const int label = theirs.ptr<int>()[i];
        if (our_label.try_emplace(label, ours[i]).first->second != ours[i]) return {};
        if (their_label.try_emplace(ours[i], label).first->second != label) return {};
        if ((label == 0) != (ours[i] == 0)) return {};
    }
    return our_label;
}

TEST(PictureOperations, ComponentsAreThoseOfOpenCV) {
    for (const NamedMask& mask : test_masks()) {
        SCOPED_TRACE(mask.name);
        const Components components = find_components(mask.image.view(), 0);
        cv::Mat labels;
        cv::Mat stats;
        cv::Mat centroids;
        const int count =
            cv::connectedComponentsWithStats(matrix_of(mask.image), labels, stats, centroids, 8, CV_32S);
        ASSERT_EQ(components.parts.size() + 1, static_cast<std::size_t>(count));
        const auto same = corresponding(labels_of(components, mask.image.width, mask.image.height), labels);
        ASSERT_TRUE(same.has_value()) << "a pixel is in another component";
        for (int label = 1; label < count; ++label) {
            const int* expected = stats.ptr<int>(label);
            const int left = expected[cv::CC_STAT_LEFT];
            const int top = expected[cv::CC_STAT_TOP];
            EXPECT_EQ(
                components.parts[static_cast<std::size_t>(same->at(label) - 1)],
                (Components::Part{expected[cv::CC_STAT_AREA], left, top, left + expected[cv::CC_STAT_WIDTH],
                                  top + expected[cv::CC_STAT_HEIGHT]}));
        }
    }
}

TEST(PictureOperations, ComponentsHaveTheLevelsAboveTheThreshold) {
    const Image levels = [] {
        Image image(256, 1);
        for (int x = 0; x < 256; ++x) image.at(x, 0) = static_cast<std::uint8_t>(x);
        return image;
    }();
    for (const int threshold : {0, 1, 127, 254}) {
        const Components components = find_components(levels.view(), threshold);
        ASSERT_EQ(components.parts.size(), 1U);
        EXPECT_EQ(components.parts.front(), (Components::Part{255 - threshold, threshold + 1, 0, 256, 1}));
    }
    EXPECT_TRUE(find_components(levels.view(), 255).parts.empty());
    EXPECT_TRUE(find_components(ImageView{}, 0).parts.empty());
}

TEST(PictureOperations, ALongComponentNeedsNoStack) {
    const NamedMask mask = spiral(1500);
    const Components components = find_components(mask.image.view(), 0);
    ASSERT_EQ(components.parts.size(), 1U);
    EXPECT_EQ(components.parts.front().area,
              std::count(mask.image.pixels.begin(), mask.image.pixels.end(), 255));
}

/// Distances in px to the nearest pixel that is 0.
cv::Mat measured_distances(const Image& mask) {
    DistanceMap map(mask.width, mask.height);
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            if (mask.at(x, y) == 0) map.row(y)[static_cast<std::size_t>(x)] = 0;
        }
    }
    map.measure();
    cv::Mat result(mask.height, mask.width, CV_32FC1);
    for (int y = 0; y < mask.height; ++y) {
        std::transform(map.row(y).begin(), map.row(y).end(), result.ptr<float>(y), [](std::int32_t d) {
            return static_cast<float>(DistanceMap::rounded(d)) / DistanceMap::one_pixel;
        });
    }
    return result;
}

TEST(PictureOperations, DistancesAreThoseOfOpenCV) {
    std::vector<NamedMask> masks = test_masks();
    std::ranges::move(masks_of_large_distances(), std::back_inserter(masks));
    for (const NamedMask& mask : masks) {
        cv::Mat expected;
        cv::distanceTransform(matrix_of(mask.image), expected, cv::DIST_L2, cv::DIST_MASK_5);
        EXPECT_EQ(cv::countNonZero(measured_distances(mask.image) != expected), 0) << mask.name;
    }
}

} // namespace
} // namespace sprig

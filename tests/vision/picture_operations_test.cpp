// The operations on pictures give the results of OpenCV, and with them a clean picture is normalised to the
// same bits.

#include <algorithm>
#include <array>
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

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "support/reference_normalise.h"
#include "support/shapes.h"
#include "vision/area_scale.h"
#include "vision/components.h"
#include "vision/distance.h"
#include "vision/even_light.h"
#include "vision/ink.h"
#include "vision/ink_levels.h"

namespace sprig {
namespace {

using test::reference::image_of;
using test::reference::matrix_of;

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

/// Masks with parts at the edge, some of which come in from outside.
void add_edges(std::vector<NamedMask>& masks) {
    const auto add = [&](const std::string& name, const auto& is_ink) {
        masks.push_back(mask_where(name, 60, 50, is_ink));
        masks.push_back(mask_where(name + " and a square", 60, 50, [&](int x, int y) {
            return is_ink(x, y) || (x >= 28 && x < 33 && y >= 23 && y < 28);
        }));
        masks.push_back(mask_where(name + " and a small square", 60, 50, [&](int x, int y) {
            return is_ink(x, y) || (x >= 28 && x < 31 && y >= 23 && y < 26);
        }));
    };
    add("strip", [](int x, int) { return x > 52; });
    add("half a strip", [](int x, int y) { return x > 52 && y < 25; });
    add("less than half a strip", [](int x, int y) { return x < 7 && y > 26; });
    add("frame", [](int x, int y) { return x < 3 || y < 3 || x > 56 || y > 46; });
    add("corner", [](int x, int y) { return x + y < 25; });
    add("stem", [](int x, int y) { return x > 20 && x < 26 && y > 15; });
    add("ring", [](int x, int y) { return std::abs(std::hypot(x - 29.5, y - 24.5) - 22) < 2.6; });
}

/// Masks with a part that is just large enough to count beside another, or just too small.
void add_limits_of_parts(std::vector<NamedMask>& masks) {
    const auto is_block = [](int x, int y) { return x >= 5 && x < 15 && y >= 5 && y < 15; };
    const auto is_speck = [](int x, int y) { return x == 17 && y == 25; };
    masks.push_back(
        mask_where("speck of 1/100", 20, 50, [&](int x, int y) { return is_block(x, y) || is_speck(x, y); }));
    masks.push_back(mask_where("speck of 1/101", 20, 50, [&](int x, int y) {
        return is_block(x, y) || is_speck(x, y) || (x == 5 && y == 4);
    }));
    masks.push_back(
        mask_where("edge and 1/100 of it", 20, 50, [&](int x, int y) { return x < 2 || is_speck(x, y); }));
    masks.push_back(mask_where("edge and 1/101 of it", 20, 50,
                               [&](int x, int y) { return x < 2 || is_speck(x, y) || (x == 2 && y == 0); }));
}

std::vector<NamedMask> test_masks() {
    std::vector<NamedMask> masks;
    add_limits_of_parts(masks);
    add_edges(masks);
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

TEST(PictureOperations, BoundsAreThoseOfOpenCV) {
    for (const NamedMask& mask : test_masks()) {
        const cv::Rect expected = test::reference::bounding_rect(matrix_of(mask.image));
        EXPECT_EQ(bounds_of(mask.image), (Rectangle{expected.x, expected.y, expected.width, expected.height}))
            << mask.name;
    }
    EXPECT_EQ(bounds_of(Image()), Rectangle{});
}

TEST(PictureOperations, MasksAndSoftInkAreThoseOfOpenCV) {
    std::mt19937 random(2);
    for (NamedMask& mask : test_masks()) {
        SCOPED_TRACE(mask.name);
        // Ink of 140 to 239 on a background of 20 to 119.
        for (std::uint8_t& v : mask.image.pixels)
            v = static_cast<std::uint8_t>((v == 0 ? 20 : 140) + draw_below(random, 100));
        const cv::Mat light = matrix_of(mask.image);
        const cv::Mat expected = test::reference::ink_mask(light, 130);
        const Image kept = find_ink(mask.image, 130).mask;
        EXPECT_EQ(kept, image_of(expected));
        EXPECT_EQ(soft_ink(mask.image, kept, 60, 200),
                  image_of(test::reference::soft_ink(light, expected, 60, 200)));
    }
}

/// Compares the widened ink with that of OpenCV. Returns the amount.
int compare_widened(const NamedMask& mask, int box) {
    SCOPED_TRACE(fmt::format("{}, box {}", mask.name, box));
    cv::Mat expected = matrix_of(mask.image).clone();
    Image soft = mask.image;
    const int amount = test::reference::thicken(expected, matrix_of(mask.image), box);
    EXPECT_EQ(thicken(soft, mask.image, box), amount);
    EXPECT_EQ(soft, image_of(expected));
    return amount;
}

TEST(PictureOperations, WidenedInkIsThatOfOpenCV) {
    int count = 0;
    for (const NamedMask& mask : test_masks()) {
        if (bounds_of(mask.image) == Rectangle{}) continue;
        for (const int box : {5, 20, 100}) count += compare_widened(mask, box) > 0 ? 1 : 0;
    }
    EXPECT_GT(count, 300);
    // 49 times the double 1 / 49 is less than 1, so the strokes are just too thin.
    const auto dots = mask_where("49 dots", 40, 40, [](int x, int y) {
        return (x % 2 == 0 && y % 2 == 0 && x < 16 && y < 12) || x + y == 78;
    });
    EXPECT_EQ(compare_widened(dots, 20), 2);
    Image empty(4, 4);
    EXPECT_EQ(thicken(empty, Image(4, 4), 20), 0);
}

TEST(PictureOperations, MuchWidenedInkIsThatOfOpenCV) {
    const auto all = [](int, int) { return true; };
    // The pixel 519 px to the right and 261 px below the end is 2 / 65536 px too far away. Its distance is
    // rounded to 571 px.
    EXPECT_EQ(compare_widened(mask_where("line", 1041, 1, all), 2), 2 * 571);
    EXPECT_GT(compare_widened(mask_where("line", 2, 6000, all), 20), 600);
    const auto corners = [](int x, int y) { return x + y == 0 || x + y == 1998; };
    EXPECT_GT(compare_widened(mask_where("corners", 1000, 1000, corners), 20), 100);
}

/// Grey levels without any structure.
Image random_levels(int width, int height, std::mt19937& random) {
    Image image(width, height);
    for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(draw_below(random, 256));
    return image;
}

TEST(PictureOperations, ScaledAreasAreThoseOfOpenCV) {
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
        const Image image = random_levels(1 + draw_below(random, 90), 1 + draw_below(random, 90), random);
        const Size size = {1 + draw_below(random, 100), 1 + draw_below(random, 100)};
        SCOPED_TRACE(
            fmt::format("{} x {} px to {} x {}", image.width, image.height, size.width, size.height));
        const Image scaled = scale_area(image, size);
        EXPECT_EQ(scaled, test::reference::scale_area(matrix_of(image), size.width, size.height));
        if (size.width > image.width || size.height > image.height) continue;
        cv::Mat expected;
        cv::resize(matrix_of(image), expected, {size.width, size.height}, 0, 0, cv::INTER_AREA);
        EXPECT_LE(cv::norm(expected, matrix_of(scaled), cv::NORM_INF), 1); // its weights are floats
        const Grid grid = mean_grid(image, size);
        for (std::size_t p = 0; p < scaled.pixels.size(); ++p)
            EXPECT_LE(std::abs(grid.cells[p] - (Grid::one_level * scaled.pixels[p])), Grid::one_level / 2);
    }
}

TEST(PictureOperations, PartsAreScaledAsTheyWouldBeAlone) {
    std::mt19937 random(5);
    const Image image = random_levels(50, 40, random);
    const Rectangle part = {7, 9, 31, 22};
    const cv::Mat cut = matrix_of(image)(cv::Rect(part.left, part.top, part.width, part.height)).clone();
    EXPECT_EQ(scale_area(image, part, {12, 30}), test::reference::scale_area(cut, 12, 30));
}

TEST(PictureOperations, ReducedSizesKeepTheShape) {
    EXPECT_EQ(reduced_size(Image(4000, 3000), 384), (Size{512, 384}));
    EXPECT_EQ(reduced_size(Image(300, 4000), 384), (Size{300, 4000}));
    EXPECT_EQ(reduced_size(Image(385, 385), 384), (Size{384, 384}));
    EXPECT_EQ(reduced_size(Image(500, 501), 48), (Size{48, 48}));
}

TEST(PictureOperations, BlurredPicturesAreThoseOfOpenCV) {
    std::mt19937 random(6);
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 5}, {64, 48}}) {
        const Image image = random_levels(width, height, random);
        cv::Mat expected;
        cv::blur(matrix_of(image), expected, {3, 3}, {-1, -1}, cv::BORDER_REPLICATE);
        EXPECT_EQ(box_blurred(image), image_of(expected)) << width << " x " << height;
    }
}

/// A grid extended oddly, by the definition.
cv::Mat extended(const Grid& grid, int margin) {
    cv::Mat result(grid.height + (2 * margin), grid.width + (2 * margin), CV_32FC1);
    const auto mirrored = [](int i, int length) {
        return i < 0 ? -i : i >= length ? (2 * (length - 1)) - i : i;
    };
    for (int y = -margin; y < grid.height + margin; ++y) {
        for (int x = -margin; x < grid.width + margin; ++x) {
            const int edge_x = std::clamp(x, 0, grid.width - 1);
            const int edge_y = std::clamp(y, 0, grid.height - 1);
            const int in_x = mirrored(x, grid.width);
            const int in_y = mirrored(y, grid.height);
            const auto in_row = [&](int row) {
                return x == edge_x ? grid.at(x, row) : (2 * grid.at(edge_x, row)) - grid.at(in_x, row);
            };
            const int value = y == edge_y ? in_row(y) : (2 * in_row(edge_y)) - in_row(in_y);
            result.at<float>(y + margin, x + margin) = static_cast<float>(value);
        }
    }
    return result;
}

TEST(PictureOperations, ClosingsAreThoseOfOpenCV) {
    std::mt19937 random(7);
    for (int i = 0; i < 60; ++i) {
        const int radius = draw_below(random, 15);
        const int least = (2 * radius) + 1;
        Grid grid(least + draw_below(random, 40), least + draw_below(random, 40));
        for (std::int32_t& cell : grid.cells) cell = draw_below(random, 256 * Grid::one_level);
        SCOPED_TRACE(fmt::format("{} x {} cells, radius {}", grid.width, grid.height, radius));
        const cv::Mat window = cv::Mat::ones(least, least, CV_8UC1);
        const cv::Mat wide = extended(grid, 2 * radius);
        cv::Mat expected;
        cv::morphologyEx(wide, expected, cv::MORPH_CLOSE, window);
        const Grid actual = closed(grid, radius);
        int different = 0;
        for (int y = 0; y < grid.height; ++y) {
            for (int x = 0; x < grid.width; ++x) {
                const float level = expected.at<float>(y + (2 * radius), x + (2 * radius));
                if (static_cast<float>(actual.at(x, y)) != level) ++different;
            }
        }
        EXPECT_EQ(different, 0);
    }
}

TEST(PictureOperations, WhatIsNearInkIsADilation) {
    for (const NamedMask& mask : test_masks()) {
        for (const int reach : {1, 4}) {
            const int side = (2 * reach) + 1;
            cv::Mat expected;
            cv::dilate(matrix_of(mask.image), expected, cv::Mat::ones(side, side, CV_8UC1));
            EXPECT_EQ(near_ink(mask.image, 0, reach), image_of(expected)) << mask.name;
        }
    }
}

/// Lines on paper that is lighter on one side, with noise, sometimes specks and dark edges.
class RandomPictures {
  public:
    explicit RandomPictures(std::uint32_t seed) : random_(seed) {}

    Picture next() {
        draw_paper();
        for (int line = 1 + below(4); line > 0; --line) draw_line();
        if (below(3) == 0) draw_specks();
        if (below(3) == 0) draw_edges();
        return coloured();
    }

    NormaliseParams params() {
        using enum NormaliseParams::Polarity;
        NormaliseParams params;
        params.even_light = false;
        if (below(2) == 0) return params;
        params.polarity = std::array{guess, dark_on_light, light_on_dark}[static_cast<std::size_t>(below(3))];
        params.invert = below(4) == 0;
        params.box = 1 + below(40);
        params.side = params.box + below(20);
        return params;
    }

  private:
    int below(int limit) { return draw_below(random_, limit); }

    void draw_paper() {
        const bool thin = below(12) == 0;
        const int longest = below(6) == 0 ? 500 : 120;
        grey_.reshape(1 + below(longest), 1 + below(thin ? 3 : longest));
        if (thin && below(2) == 0) std::swap(grey_.width, grey_.height);
        const bool light = below(2) == 0;
        const int paper = light ? 170 + below(70) : 10 + below(70);
        ink_ = light ? below(120) : 130 + below(120);
        const int slope = below(40) - 20;
        const int noise = 1 + below(3) * below(16);
        for (int y = 0; y < grey_.height; ++y) {
            for (int x = 0; x < grey_.width; ++x) put(x, y, paper + (slope * x / grey_.width) + below(noise));
        }
    }

    void put(int x, int y, int level) {
        grey_.at(x, y) = static_cast<std::uint8_t>(std::clamp(level, 0, 255));
    }

    /// A disc, whose rim is softer than its inside.
    void dab(int cx, int cy, int radius) {
        for (int y = std::max(0, cy - radius); y <= std::min(grey_.height - 1, cy + radius); ++y) {
            for (int x = std::max(0, cx - radius); x <= std::min(grey_.width - 1, cx + radius); ++x) {
                const int apart = ((x - cx) * (x - cx)) + ((y - cy) * (y - cy));
                if (apart > radius * radius) continue;
                const bool rim = radius > 1 && apart > (radius - 1) * (radius - 1);
                put(x, y, rim ? (ink_ + grey_.at(x, y)) / 2 : ink_);
            }
        }
    }

    void draw_line() {
        const int longer = std::max(grey_.width, grey_.height);
        const int radius = below(3) == 0 ? 0 : below(2 + (longer / 12));
        const int x = below(grey_.width);
        const int y = below(grey_.height);
        const int dx = below(grey_.width) - x;
        const int dy = below(grey_.height) - y;
        for (int i = 0; i <= longer; ++i) dab(x + (dx * i / longer), y + (dy * i / longer), radius);
    }

    void draw_specks() {
        for (int i = 1 + below(20); i > 0; --i) dab(below(grey_.width), below(grey_.height), below(3));
    }

    void draw_edges() {
        const int thickness = 1 + below(6);
        const bool beside = below(2) == 0;
        for (int y = 0; y < grey_.height; ++y) {
            for (int x = 0; x < grey_.width; ++x) {
                if ((beside ? x : y) < thickness) put(x, y, ink_);
            }
        }
    }

    Picture coloured() {
        Picture picture{grey_.width, grey_.height, 1 + below(4), {}};
        const int tint = below(20);
        const bool opaque = below(2) == 0;
        for (const std::uint8_t v : grey_.pixels) {
            picture.pixels.push_back(v);
            if (picture.channels > 2) {
                picture.pixels.push_back(static_cast<std::uint8_t>(std::max(0, v - tint)));
                picture.pixels.push_back(static_cast<std::uint8_t>(std::min(255, v + tint)));
            }
            const bool is_ink = std::abs(v - ink_) < 20;
            if (picture.channels % 2 == 0) picture.pixels.push_back(opaque || is_ink ? 255 : 80);
        }
        return picture;
    }

    std::mt19937 random_;
    Image grey_;
    int ink_ = 0;
};

template <class Normalise>
std::optional<Normalised> result_of(const Normalise& function, const Picture& picture,
                                    const NormaliseParams& params) {
    try {
        return function(picture, params);
    } catch (const Error&) {
        return {};
    }
}

TEST(PictureOperations, NormalisedCleanPicturesAreThoseOfOpenCV) {
    RandomPictures pictures(3);
    int refused = 0;
    int thickened = 0;
    int dark = 0;
    constexpr int count = 500;
    for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(fmt::format("picture {}", i));
        const Picture picture = pictures.next();
        const NormaliseParams params = pictures.params();
        const auto expected = result_of(test::reference::normalise, picture, params);
        const auto actual = result_of(normalise, picture, params);
        ASSERT_EQ(actual.has_value(), expected.has_value());
        refused += expected ? 0 : 1;
        if (!expected) continue;
        EXPECT_EQ(actual->image, expected->image);
        EXPECT_EQ(actual->dark_on_light, expected->dark_on_light);
        EXPECT_EQ(actual->threshold, expected->threshold);
        EXPECT_EQ(actual->crop, expected->crop);
        EXPECT_EQ(actual->thickened, expected->thickened);
        thickened += expected->thickened > 0 ? 1 : 0;
        dark += expected->dark_on_light ? 1 : 0;
    }
    // The pictures reach every case.
    EXPECT_LT(refused, count / 4);
    EXPECT_GT(thickened, count / 10);
    EXPECT_LT(thickened, count - (count / 10));
    EXPECT_GT(dark, count / 4);
    EXPECT_LT(dark, count - (count / 4));
}

} // namespace
} // namespace sprig

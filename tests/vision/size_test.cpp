// Measures of the ink that wide shapes, specks and the size of the image must not disturb.

#include <cmath>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "support/shapes.h"
#include "vision/area_scale.h"
#include "vision/components.h"
#include "vision/ink_parts.h"
#include "vision/resample.h"

namespace sprig {
namespace {

using Frame = FrontEndParams::Frame;
using test::from_art;
using test::placed;
using test::random_shape;

/// A bar along a line, thicker across it.
Image bar(int width, int height, double slope) {
    Image image(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double off = (y - (height / 2.0)) - ((x - (width / 2.0)) * slope);
            if (std::abs(off) <= 2 && x > 2 && x < width - 3) image.at(x, y) = 255;
        }
    }
    return image;
}

TEST(SlantDamping, AWideBarIsHardlySheared) {
    const Image wide = bar(60, 24, 0.1);
    EXPECT_EQ(measure_slant(wide.view()).shear, 1) << "otherwise the test is void";
    EXPECT_LT(measure_slant(wide.view(), 0.5).shear, 0.25);
}

TEST(SlantDamping, ATallBarIsShearedUpright) {
    Image tall(24, 60);
    for (int y = 2; y < 58; ++y)
        for (int x = 0; x < 4; ++x) tall.at(x + (y / 4) + 2, y) = 255;
    const double full = measure_slant(tall.view()).shear;
    EXPECT_NEAR(full, 0.25, 0.02);
    EXPECT_NEAR(measure_slant(tall.view(), 0.5).shear, full, 0.02);
}

TEST(SlantDamping, MoreShearsLess) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Image image = random_shape(seed, 20);
        double before = std::abs(measure_slant(image.view()).shear);
        for (const double damping : {0.25, 0.5, 1.0, 4.0}) {
            const double shear = std::abs(measure_slant(image.view(), damping).shear);
            EXPECT_LE(shear, before);
            before = shear;
        }
    }
}

TEST(InkParts, AreTheComponentsThatAreLargeEnough) {
    InkParts parts;
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const Image image = random_shape(seed, 70);
        const Components all = find_components(image.view(), 127);
        std::int64_t largest = 0;
        for (const Components::Part& part : all.parts) largest = std::max(largest, part.area);
        BinaryImage binary;
        binary.threshold(image.view(), 127);
        for (const double share : {0.0, 0.04, 0.5, 1.0}) {
            parts.find(binary, share);
            InkSums expected;
            std::size_t kept = 0;
            for (std::size_t r = 0; r < all.runs.size(); ++r) {
                const double area = static_cast<double>(all.parts[all.part_of[r]].area);
                if (area < static_cast<double>(largest) * share) continue;
                ASSERT_LT(kept, parts.runs().size());
                const InkParts::Run& run = parts.runs()[kept++];
                EXPECT_EQ(run.y, all.runs[r].y);
                EXPECT_EQ(run.begin, all.runs[r].begin);
                EXPECT_EQ(run.end, all.runs[r].end);
                expected.add_run(run.y, run.begin, run.end);
            }
            EXPECT_EQ(kept, parts.runs().size());
            EXPECT_EQ(parts.moments().radius, expected.moments().radius);
        }
        parts.find(binary, 0);
        const InkMoments ink = measure_ink(binary);
        EXPECT_EQ(parts.moments().x, ink.x);
        EXPECT_EQ(parts.moments().y, ink.y);
        EXPECT_EQ(parts.moments().radius, ink.radius) << "the same integers are summed";
        EXPECT_EQ(parts.moments().doubled_sine, ink.doubled_sine);
    }
}

FrontEndParams without_specks(double min_part) {
    return {.scale = 2,
            .deskew = true,
            .slant_damping = 0.5,
            .min_part = min_part,
            .frame = Frame::ink,
            .directions = 4,
            .min_contour = 6,
            .relations = false};
}

TEST(MinPart, ASpeckDoesNotMoveTheFrame) {
    Image clean = placed(from_art({"..######..", ".##....##.", "##......##", "##......##", "......###.",
                                   "....###...", "..###.....", "##......##", "##########"}),
                         9, 9, 36, 36);
    Image dirty = clean;
    dirty.at(34, 1) = 255;
    dirty.at(1, 33) = 255;
    FrontEnd front_end(without_specks(0.04));
    const Network expected = front_end(clean.view());
    const CoordinateTransform frame = front_end.transform();
    EXPECT_EQ(front_end(dirty.view()), expected) << "the specks' contours are short";
    EXPECT_EQ(front_end.transform(), frame);

    FrontEnd sensitive(without_specks(0));
    (void)sensitive(clean.view());
    const CoordinateTransform before = sensitive.transform();
    (void)sensitive(dirty.view());
    EXPECT_NE(sensitive.transform(), before) << "otherwise the test is void";
}

TEST(MinPart, PartsOfOneSizeAllCount) {
    Image two = placed(Image(5, 5, 255), 4, 10, 40, 26);
    for (int y = 10; y < 15; ++y)
        for (int x = 28; x < 33; ++x) two.at(x, y) = 255;
    FrontEnd all(without_specks(0));
    FrontEnd large(without_specks(1));
    EXPECT_EQ(all(two.view()).node_count(), large(two.view()).node_count());
    EXPECT_EQ(all.transform(), large.transform());
}

TEST(MinPart, AnImageWithoutInkHasAnEmptyNetwork) {
    FrontEnd front_end(without_specks(0.04));
    EXPECT_EQ(front_end(Image(9, 9).view()).node_count(), 0U);
    EXPECT_EQ(front_end(Image(9, 9, 60).view()).node_count(), 0U) << "grey, but not ink";
}

FrontEndParams of_any_size() {
    return {.resolution = 84,
            .deskew = true,
            .slant_damping = 0.5,
            .min_part = 0.04,
            .frame = Frame::ink,
            .directions = 8,
            .min_contour = 4,
            .min_persistence = 0.75,
            .relations = false};
}

/// A large drawing: a ring with a tail, and a dot beside it.
Image drawing() {
    constexpr int side = 1680;
    Image image(side, side);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const double ring = std::abs(std::hypot(x - 800.0, (y - 1080.0) * 1.2) - 300);
            const double tail = std::abs((x - 520.0) - ((y - 1080.0) * (y - 1080.0) / 3000.0));
            const bool is_tail = tail < 70 && y > 360 && y < 1080;
            const bool is_dot = std::hypot(x - 1200.0, y - 500.0) < 110;
            if (ring < 70 || is_tail || is_dot) image.at(x, y) = 255;
        }
    }
    return image;
}

/// How many nodes of one network, of some persistence, have no node of the same type nearby in the other.
std::size_t unmatched(const Network& from, const Network& to, double persistence) {
    std::size_t count = 0;
    for (NodeId n = 0; n < from.node_count(); ++n) {
        if (from.attribute(n, 0) < persistence) continue;
        bool found = false;
        for (NodeId other = 0; other < to.node_count(); ++other) {
            found |= to.type(other) == from.type(n) &&
                     std::hypot(to.coordinate(other, 0) - from.coordinate(n, 0),
                                to.coordinate(other, 1) - from.coordinate(n, 1)) < 1.5;
        }
        if (!found) ++count;
    }
    return count;
}

TEST(Resolution, ADrawingGivesAboutTheSameNetworkAtAnySize) {
    const Image large = drawing();
    FrontEnd front_end(of_any_size());
    const Network expected = front_end(scale_area(large, {84, 84}).view());
    EXPECT_GT(expected.node_count(), 32U) << "ring, hole and dot";
    for (const int side : {28, 42, 200, 420, 1680}) {
        const Network network = front_end(scale_area(large, {side, side}).view());
        EXPECT_EQ(unmatched(expected, network, 3), 0U) << side;
        EXPECT_EQ(unmatched(network, expected, 3), 0U) << side;
        EXPECT_LE(unmatched(expected, network, 0), expected.node_count() / 6) << side;
        EXPECT_LE(unmatched(network, expected, 0), network.node_count() / 6) << side;
        EXPECT_EQ(front_end.contours().size(), 3U) << side;
    }
}

TEST(Resolution, TheImageIsEnlargedByWhatItsLongerSideNeeds) {
    FrontEnd front_end(of_any_size());
    for (const auto& [width, height, scale] : {std::tuple{28, 28, 3},
                                               {28, 20, 3},
                                               {20, 28, 3},
                                               {84, 10, 1},
                                               {1000, 10, 1},
                                               {60, 60, 1},
                                               {55, 55, 2},
                                               {1, 1, 16}}) {
        (void)front_end(Image(width, height, 255).view());
        const Image binarized = front_end.binarized();
        EXPECT_EQ(binarized.width, width * scale) << width << " x " << height;
        EXPECT_EQ(binarized.height, height * scale) << width << " x " << height;
        for (const Contour& contour : front_end.contours()) {
            for (const Contour::Point& point : contour.points) {
                EXPECT_GE(point.x, -0.5);
                EXPECT_LE(point.x, width - 0.5);
            }
        }
    }
}

TEST(Resolution, TheMinimumContourIsRelativeToTheInk) {
    const Image large = drawing();
    FrontEndParams params = of_any_size();
    params.min_contour = 12; // more than the dot has
    FrontEnd front_end(params);
    for (const int side : {28, 84, 200, 420, 1680}) {
        (void)front_end(scale_area(large, {side, side}).view());
        EXPECT_EQ(front_end.contours().size(), 2U) << side;
    }
}

TEST(Resolution, NeedsTheFrameOfTheInk) {
    for (const Frame frame : {Frame::image, Frame::centred}) {
        FrontEndParams params = of_any_size();
        params.frame = frame;
        EXPECT_THROW(FrontEnd{params}, Error);
    }
    FrontEndParams params = of_any_size();
    params.frame = Frame::axis;
    EXPECT_NO_THROW(FrontEnd{params});
}

TEST(Resolution, FollowsEachImage) {
    const Image large = drawing();
    const Image small = scale_area(large, {28, 28});
    FrontEnd used(of_any_size());
    for (const Image* image : {&large, &small, &large}) {
        FrontEnd fresh(of_any_size());
        EXPECT_EQ(used(image->view()), fresh(image->view()));
        EXPECT_EQ(used.transform(), fresh.transform());
        EXPECT_EQ(used.binarized(), fresh.binarized());
    }
}

} // namespace
} // namespace sprig

// The pen and the size in pixels of a drawing, which should not matter.

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "sprig/front_end.h"
#include "sprig/strokes.h"
#include "vision/area_scale.h"
#include "vision/front_end_parameters.h"
#include "vision/ink.h"
#include "vision/pen.h"

namespace sprig {
namespace {

constexpr int resolution = 84;
constexpr int fine_box = 60;

const FrontEndParams& front_end_params() {
    static const FrontEndParams params{.threshold = 100,
                                       .resolution = resolution,
                                       .frame = FrontEndParams::Frame::ink,
                                       .directions = 4,
                                       .min_contour = 4,
                                       .min_persistence = 1,
                                       .relations = false};
    return params;
}

/// A loop on a stem with a foot, and a dash beside it.
const Strokes& shape() {
    static const Strokes strokes = [] {
        Stroke loop;
        for (int i = 0; i <= 24; ++i) {
            const double angle = i * 3.14159265358979 / 12;
            loop.push_back({60 + (30 * std::cos(angle)), 40 + (30 * std::sin(angle))});
        }
        return Strokes{loop, {{60, 70}, {60, 150}, {100, 150}}, {{112, 70}, {140, 90}}};
    }();
    return strokes;
}

/// Dark on light, with a margin.
Picture picture_of(const Image& ink) {
    const int margin = 4 + (ink.width / 10);
    Picture picture{ink.width + (2 * margin), ink.height + (2 * margin), 1, {}};
    picture.pixels.assign(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height),
                          240);
    for (int y = 0; y < ink.height; ++y)
        for (int x = 0; x < ink.width; ++x)
            picture.pixels[static_cast<std::size_t>(((margin + y) * picture.width) + margin + x)] =
                static_cast<std::uint8_t>(240 - (ink.at(x, y) * 200 / 255));
    return picture;
}

Image drawn(double pen, int size) {
    return render(shape(), {.pen = pen, .box = size, .side = size});
}

Normalised normalised(const Picture& picture) {
    return normalise(picture, normalise_for({}, front_end_params()));
}

Network network_of(const Image& drawing) {
    FrontEnd front_end(front_end_params());
    return front_end(normalised(picture_of(drawing)).image.view());
}

/// The greatest distance from a node of one network to the nearest node of its type in the other.
double apart(const Network& a, const Network& b) {
    double greatest = 0;
    for (NodeId n = 0; n < a.node_count(); ++n) {
        double nearest = std::numeric_limits<double>::infinity();
        for (NodeId m = 0; m < b.node_count(); ++m) {
            if (a.type(n) != b.type(m)) continue;
            nearest = std::min(nearest, std::hypot(a.coordinate(n, 0) - b.coordinate(m, 0),
                                                   a.coordinate(n, 1) - b.coordinate(m, 1)));
        }
        greatest = std::max(greatest, nearest);
    }
    return greatest;
}

TEST(NormaliseFor, TakesTheSideFromTheFrontEnd) {
    const NormaliseParams fine = normalise_for({}, front_end_params());
    EXPECT_EQ(fine.side, resolution);
    EXPECT_EQ(fine.box, fine_box);
    EXPECT_TRUE(fine.even_pens);
    const NormaliseParams given = normalise_for({.box = 30, .side = 40}, front_end_params());
    EXPECT_EQ(given.box, 30);
    EXPECT_EQ(given.side, 40);
}

/// Model files of earlier versions do not name a resolution.
TEST(NormaliseFor, AnOlderFrontEndKeeps28Px) {
    const NormaliseParams old = normalise_for({}, read_front_end(R"({"frame": "ink", "scale": 4})"));
    EXPECT_FALSE(old.even_pens);
    const Picture picture = picture_of(drawn(0.06, 200));
    EXPECT_EQ(normalise(picture, old).image, normalise(picture).image);
    EXPECT_EQ(normalise(picture, old).image.width, 28);
    EXPECT_EQ(normalise(picture, old).box, 20);
}

TEST(NormaliseFor, FitsTheBoxOfTheFrontEnd) {
    const Normalised result = normalised(picture_of(drawn(0.06, 300)));
    EXPECT_EQ(result.image.width, resolution);
    EXPECT_EQ(result.image.height, resolution);
    const Rectangle ink = bounds_of(result.image);
    EXPECT_EQ(std::max(ink.width, ink.height), fine_box);
    EXPECT_EQ(result.box, fine_box);
}

TEST(EvenPen, ADrawingOfAnySizeGivesNearlyTheSameNetwork) {
    const Network expected = network_of(drawn(0.09, 200));
    ASSERT_GE(expected.node_count(), 10U);
    for (const int size : {20, 28, 64, 400, 1000}) {
        const Network network = network_of(drawn(0.09, size));
        EXPECT_EQ(network.node_count(), expected.node_count()) << size;
        EXPECT_LT(apart(network, expected), 1) << size;
        EXPECT_LT(apart(expected, network), 1) << size;
    }
}

TEST(EvenPen, APenOfAnyWidthGivesNearlyTheSameNetwork) {
    const Network expected = network_of(drawn(0.06, 300));
    for (const double pen : {0.01, 0.02, 0.03, 0.042, 0.084, 0.12}) {
        const Network network = network_of(drawn(pen, 300));
        EXPECT_EQ(network.node_count(), expected.node_count()) << pen;
        EXPECT_LT(apart(network, expected), 1) << pen;
        EXPECT_LT(apart(expected, network), 1) << pen;
    }
}

TEST(EvenPen, SaysByHowMuchStrokesWereWidened) {
    EXPECT_NEAR(normalised(picture_of(drawn(0.02, 300))).thickened, 15, 4);
    EXPECT_LT(normalised(picture_of(drawn(0.15, 300))).thickened, 0);
    EXPECT_EQ(normalised(picture_of(drawn(0.085, 300))).thickened, 0);
}

TEST(EvenPen, LeavesSolidShapesAsTheyAre) {
    Image disc(200, 200);
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x)
            if (std::hypot(x - 99.5, y - 99.5) < 90) disc.at(x, y) = 255;
    EXPECT_EQ(normalised(picture_of(disc)).thickened, 0);
}

TEST(EvenPen, EmptyImagesAreLeftAlone) {
    const EvenedPen evened = even_pen(Image(5, 5), fine_box);
    EXPECT_EQ(evened.widened, 0);
    EXPECT_TRUE(bounds_of(evened.ink) == Rectangle{});
}

TEST(EvenPen, ADotFillsTheBox) {
    Picture dot{5, 5, 1, std::vector<std::uint8_t>(25, 255)};
    dot.pixels[12] = 0;
    const Rectangle ink = bounds_of(normalised(dot).image);
    EXPECT_EQ(std::max(ink.width, ink.height), fine_box);
}

} // namespace
} // namespace sprig

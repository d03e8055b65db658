// Coordinate systems of the front end, and networks without edges.

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/data.h"
#include "sprig/front_end.h"
#include "support/shapes.h"

namespace sprig {
namespace {

using Frame = FrontEndParams::Frame;
using test::from_art;
using test::placed;
using test::random_shape;

FrontEndParams with_frame(Frame frame) {
    return {.frame = frame, .directions = 4, .min_contour = 0};
}

std::vector<Image> digits() {
    const Dataset data = load_dataset("mnist:train:0-59");
    std::vector<Image> images;
    for (std::size_t i = 0; i < data.size(); ++i) images.emplace_back(data.image(i));
    return images;
}

/// Digits and random shapes, each with some ink.
std::vector<Image> shapes() {
    std::vector<Image> images = digits();
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Image image = random_shape(seed, 20);
        image.at(10, 10) = 255;
        images.push_back(std::move(image));
    }
    return images;
}

/// Doubles the size: every pixel becomes four.
Image doubled(const Image& image) {
    Image result(2 * image.width, 2 * image.height);
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) result.at(x, y) = image.at(x / 2, y / 2);
    return result;
}

/// The same nodes, links and edges; positions and attributes differ by at most `tolerance`.
void expect_alike(const Network& a, const Network& b, double tolerance) {
    ASSERT_EQ(a.node_count(), b.node_count());
    for (NodeId n = 0; n < a.node_count(); ++n) {
        EXPECT_EQ(a.type(n), b.type(n));
        EXPECT_EQ(a.next(n), b.next(n));
        EXPECT_NEAR(a.coordinate(n, 0), b.coordinate(n, 0), tolerance);
        EXPECT_NEAR(a.coordinate(n, 1), b.coordinate(n, 1), tolerance);
        for (std::size_t which = 0; which < 3; ++which)
            EXPECT_NEAR(a.attribute(n, which), b.attribute(n, which), tolerance);
    }
    EXPECT_TRUE(std::equal(a.edges().begin(), a.edges().end(), b.edges().begin(), b.edges().end()));
}

TEST(Frame, IsIndependentOfPosition) {
    for (const Frame frame : {Frame::centred, Frame::ink}) {
        for (const int scale : {1, 3}) {
            FrontEndParams params = with_frame(frame);
            params.scale = scale;
            FrontEnd front_end(params);
            std::size_t nodes = 0;
            for (const Image& image : shapes()) {
                const int side = image.width + 40;
                const Network here = front_end(placed(image, 2, 2, side, side).view());
                nodes += here.node_count();
                for (const auto& [x, y] : {std::pair{3, 2}, {17, 5}, {31, 37}})
                    expect_alike(front_end(placed(image, x, y, side, side).view()), here, 1e-9);
            }
            EXPECT_GT(nodes, 1000U);
        }
    }
}

/// Number of persistent nodes of one network, and of those that have a node of the same type nearby in
/// another.
struct Agreement {
    std::size_t nodes = 0;
    std::size_t matched = 0;
};

void compare(const Network& expected, const Network& network, Agreement& agreement) {
    for (NodeId n = 0; n < expected.node_count(); ++n) {
        if (expected.attribute(n, 0) < 3) continue; // an enlarged staircase has other small steps
        ++agreement.nodes;
        for (NodeId other = 0; other < network.node_count(); ++other) {
            if (network.type(other) != expected.type(n) ||
                std::abs(network.coordinate(other, 0) - expected.coordinate(n, 0)) > 0.8 ||
                std::abs(network.coordinate(other, 1) - expected.coordinate(n, 1)) > 0.8)
                continue;
            ++agreement.matched;
            break;
        }
    }
}

TEST(Frame, InkIsIndependentOfSize) {
    FrontEndParams params = with_frame(Frame::ink);
    params.directions = 2;
    FrontEnd front_end(params);
    params.frame = Frame::centred;
    FrontEnd centred(params);
    Agreement agreement;
    Agreement without;
    for (const Image& image : digits()) {
        const Network small = front_end(image.view());
        const Network large = front_end(doubled(image).view());
        compare(small, large, agreement);
        compare(large, small, agreement);
        compare(centred(image.view()), centred(doubled(image).view()), without);
    }
    EXPECT_GT(agreement.nodes, 400U);
    EXPECT_GT(agreement.matched * 100, agreement.nodes * 97)
        << agreement.matched << " of " << agreement.nodes;
    EXPECT_LT(without.matched * 2, without.nodes) << "otherwise the test is void";
}

TEST(Frame, SquaresOfAllSizesAreEqual) {
    FrontEnd front_end({.frame = Frame::ink, .min_contour = 0});
    for (const int side : {4, 8, 16, 64, 300}) {
        const Image square = placed(Image(side, side, 255), 3, 9, side + 20, side + 20);
        const Network network = front_end(square.view());
        ASSERT_EQ(network.node_count(), 4U) << side;
        // The root mean square radius of the px of a square, and the distance of its outermost px.
        const double radius = std::sqrt(((side * side) - 1) / 6.0);
        for (NodeId n = 0; n < 4; ++n) {
            const double x = std::abs(network.coordinate(n, 0));
            const double y = std::abs(network.coordinate(n, 1));
            EXPECT_NEAR(std::max(x, y), (side - 1) / 2.0 * 6.5 / radius, 1e-9) << side;
        }
    }
}

TEST(Frame, TheRadiusOfTheInkIsFixed) {
    for (const int scale : {1, 2, 4}) {
        FrontEndParams params = with_frame(Frame::ink);
        params.scale = scale;
        FrontEnd front_end(params);
        for (const Image& image : shapes()) {
            (void)front_end(image.view());
            const Image ink = front_end.binarized();
            const CoordinateTransform transform = front_end.transform();
            double count = 0;
            double sum_x = 0;
            double sum_y = 0;
            double squares = 0;
            for (int y = 0; y < ink.height; ++y) {
                for (int x = 0; x < ink.width; ++x) {
                    if (ink.at(x, y) == 0) continue;
                    const double at_x = (((x + 0.5) / scale) - 0.5 - transform.origin_x) * transform.unit;
                    const double at_y = (((y + 0.5) / scale) - 0.5 - transform.origin_y) * transform.unit;
                    ++count;
                    sum_x += at_x;
                    sum_y += at_y;
                    squares += (at_x * at_x) + (at_y * at_y);
                }
            }
            EXPECT_NEAR(sum_x / count, 0, 1e-9);
            EXPECT_NEAR(sum_y / count, 0, 1e-9);
            if (count > 1) {
                EXPECT_NEAR(std::sqrt(squares / count), 6.5, 1e-9);
            }
        }
    }
}

TEST(Frame, TheTransformMapsNodesToTheImage) {
    for (const bool deskew : {false, true}) {
        FrontEndParams params = with_frame(Frame::image);
        params.deskew = deskew;
        params.scale = 2;
        FrontEnd plain(params);
        for (const Frame frame : {Frame::image, Frame::centred, Frame::ink}) {
            params.frame = frame;
            FrontEnd front_end(params);
            for (const Image& image : shapes()) {
                const Network expected = plain(image.view());
                const Network network = front_end(image.view());
                const CoordinateTransform& transform = front_end.transform();
                EXPECT_GT(transform.unit, 0);
                if (frame != Frame::ink) {
                    EXPECT_EQ(transform.unit, 1);
                }
                if (frame == Frame::image) {
                    EXPECT_EQ(transform, CoordinateTransform{});
                }
                ASSERT_EQ(network.node_count(), expected.node_count());
                for (NodeId n = 0; n < network.node_count(); ++n) {
                    EXPECT_NEAR((network.coordinate(n, 0) / transform.unit) + transform.origin_x,
                                expected.coordinate(n, 0), 1e-9);
                    EXPECT_NEAR((network.coordinate(n, 1) / transform.unit) + transform.origin_y,
                                expected.coordinate(n, 1), 1e-9);
                    EXPECT_NEAR(network.attribute(n, 0) / transform.unit, expected.attribute(n, 0), 1e-9)
                        << "persistence is in the same unit";
                }
            }
        }
    }
}

TEST(Frame, MinPersistenceIsInTheUnitOfTheNetwork) {
    FrontEndParams params = with_frame(Frame::ink);
    params.min_persistence = 2;
    FrontEnd front_end(params);
    for (const Image& image : digits()) {
        for (const Image& one : {image, doubled(image)}) {
            const Network network = front_end(one.view());
            for (NodeId n = 0; n < network.node_count(); ++n) EXPECT_GE(network.attribute(n, 0), 2);
        }
    }
}

TEST(Frame, BlankImage) {
    for (const Frame frame : {Frame::image, Frame::centred, Frame::ink}) {
        for (const int scale : {1, 4}) {
            FrontEndParams params = with_frame(frame);
            params.scale = scale;
            params.deskew = true;
            FrontEnd front_end(params);
            const Network network = front_end(Image(28, 28).view());
            EXPECT_EQ(network.node_count(), 0U);
            EXPECT_EQ(front_end.transform().unit, 1);
            EXPECT_TRUE(std::isfinite(front_end.transform().origin_x));
            network.check();
        }
    }
}

TEST(Frame, ASinglePixelHasNoRadius) {
    FrontEnd front_end({.frame = Frame::ink, .min_contour = 0});
    Image dot(9, 9);
    dot.at(4, 6) = 255;
    const Network network = front_end(dot.view());
    network.check();
    EXPECT_EQ(front_end.transform(), (CoordinateTransform{4, 6, 1}));
}

TEST(Frame, TheTransformBelongsToTheLastContours) {
    FrontEnd front_end(with_frame(Frame::ink));
    FrontEnd other(with_frame(Frame::ink));
    const Image small = placed(Image(4, 4, 255), 3, 9, 40, 40);
    const Image large = placed(Image(20, 12, 255), 5, 1, 40, 40);
    (void)front_end(small.view());
    (void)front_end.topology(large.view());
    (void)other(large.view());
    EXPECT_EQ(front_end.transform(), other.transform());
}

TEST(Frame, DoesNotDependOnEarlierImages) {
    FrontEnd used(with_frame(Frame::ink));
    for (const Image& image : shapes()) {
        FrontEnd fresh(with_frame(Frame::ink));
        EXPECT_EQ(used(image.view()), fresh(image.view()));
        EXPECT_EQ(used.transform(), fresh.transform());
    }
}

/// The JSON of a network without `made_by`.
nlohmann::json content_of(const Network& network) {
    nlohmann::json json = nlohmann::json::parse(to_json(network));
    json.at("schema").erase("made_by");
    return json;
}

TEST(Relations, DoNotAffectTheNodes) {
    for (const Frame frame : {Frame::image, Frame::ink}) {
        for (const double min_persistence : {0.0, 1.5}) {
            FrontEndParams params = with_frame(frame);
            params.min_persistence = min_persistence;
            FrontEnd with(params);
            params.relations = false;
            FrontEnd without(params);
            std::size_t edges = 0;
            for (const Image& image : shapes()) {
                Network whole = with(image.view());
                const Network nodes = without(image.view());
                edges += whole.edge_count();
                EXPECT_EQ(nodes.edge_count(), 0U);
                whole.set_edges({});
                EXPECT_EQ(content_of(nodes), content_of(whole))
                    << "nodes, attributes and the order along the contour";
                nodes.check();
            }
            EXPECT_GT(edges, 1000U);
        }
    }
}

TEST(Relations, ChangeTheFamilyButNotTheNames) {
    const Schema standard = *front_end_schema({});
    for (Schema other : {*front_end_schema({.relations = false}), *front_end_schema({.frame = Frame::ink})}) {
        EXPECT_NE(other, standard);
        other.made_by = standard.made_by;
        EXPECT_EQ(other, standard);
    }
}

} // namespace
} // namespace sprig

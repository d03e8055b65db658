#include "draw/placed.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

using ::testing::ElementsAre;

/// The square at another position, without the edge from its left to its right node.
Network moved_square() {
    const Network square = sprig::testing::square_network();
    Network moved(square.shared_schema());
    for (NodeId node = 0; node < square.node_count(); ++node) {
        const std::array<double, 2> place = {square.coordinate(node, 0) + 3, square.coordinate(node, 1)};
        moved.add_node(square.type(node), place, square.attributes(node));
    }
    std::vector<Edge> edges(square.edges().begin(), square.edges().end());
    edges.erase(edges.begin() + 4);
    moved.set_edges(edges);
    return moved;
}

TEST(PlacedPart, HasObservedPositionsAndOnlyFoundParts) {
    const std::array<NodeId, 4> all = {0, 1, 2, 3};
    const PlacedPart whole = placed_part(sprig::testing::square_network(), moved_square(), all);
    EXPECT_THAT(whole.nodes, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(whole.edges, ElementsAre(0, 1, 2, 3, 5, 6));
    EXPECT_EQ(whole.network.coordinate(0, 0), 11);

    const std::array<NodeId, 4> without_bottom = {0, no_node, 2, 3};
    const PlacedPart part = placed_part(sprig::testing::square_network(), moved_square(), without_bottom);
    EXPECT_THAT(part.nodes, ElementsAre(0, 2, 3));
    EXPECT_THAT(part.edges, ElementsAre(5, 6));
    EXPECT_EQ(part.network.edge(0).from, 2U) << "the top node is the third remaining one";
    EXPECT_NO_THROW(part.network.check());
}

TEST(PlacedPart, RejectsAnAssignmentThatDoesNotFit) {
    const Network square = sprig::testing::square_network();
    const std::array<NodeId, 3> too_few = {0, 1, 2};
    const std::array<NodeId, 4> unseen = {0, 1, 2, 4};
    EXPECT_THROW((void)placed_part(square, square, too_few), Error);
    EXPECT_THROW((void)placed_part(square, square, unseen), Error);
}

TEST(ImageCoordinates, InvertEveryFrame) {
    Image image(20, 20);
    for (int y = 3; y < 17; ++y)
        for (int x = 4; x < 4 + (y / 2); ++x) image.at(x, y) = 255;
    const Network plain = FrontEnd()(image.view());
    ASSERT_GT(plain.node_count(), 2U);
    for (const auto frame :
         {FrontEndParams::Frame::image, FrontEndParams::Frame::centred, FrontEndParams::Frame::ink}) {
        FrontEndParams params;
        params.frame = frame;
        FrontEnd front_end(params);
        const Network seen = front_end(image.view());
        const Network back = to_image_coordinates(seen, front_end.transform());
        ASSERT_EQ(back.node_count(), plain.node_count());
        EXPECT_EQ(back.edge_count(), seen.edge_count());
        for (NodeId node = 0; node < plain.node_count(); ++node)
            for (const std::size_t axis : {0U, 1U})
                EXPECT_NEAR(back.coordinate(node, axis), plain.coordinate(node, axis), 1e-9);
    }
}

TEST(ImageCoordinates, InvertRotation) {
    Network network(sprig::testing::square_network().shared_schema());
    const std::array<double, 2> place = {2, 0};
    const std::array<double, 3> attributes = {1, 1, 0};
    network.add_node(0, place, attributes);
    // A quarter turn and half px: x there is y here.
    const Network back =
        to_image_coordinates(network, {.origin_x = 5, .origin_y = 7, .unit = 2, .cosine = 0, .sine = 1});
    EXPECT_EQ(back.coordinate(0, 0), 5);
    EXPECT_EQ(back.coordinate(0, 1), 8);
}

TEST(LengthLevels, AreTheLengthsOfEdges) {
    Network network(sprig::testing::square_network().shared_schema());
    const std::array<double, 3> attributes = {1, 1, 0};
    for (const double x : {0.0, 3.5, 40.0}) {
        const std::array<double, 2> place = {x, 0};
        network.add_node(0, place, attributes);
    }
    network.add_edge({0, 1, 0, 4, 5});
    network.add_edge({0, 2, 0, 0, 0});
    const Network ranged = with_length_levels(network);
    EXPECT_EQ(ranged.edge(0).first_level, 3U);
    EXPECT_EQ(ranged.edge(0).last_level, 3U);
    EXPECT_EQ(ranged.edge(1).first_level, length_steps - 1) << "limited to the maximum";
    EXPECT_EQ(ranged.coordinate(1, 0), 3.5);
}

} // namespace
} // namespace sprig::draw

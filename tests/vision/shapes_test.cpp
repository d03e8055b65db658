// Shapes small enough to compute the expected network by hand.

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "support/describe.h"
#include "support/shapes.h"

namespace sprig {
namespace {

using test::edges_of;
using test::from_art;
using test::nodes_of;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

using Lines = std::vector<std::string>;

Network network_of(const Lines& art, FrontEndParams params = {}) {
    Network network = FrontEnd(params)(from_art(art).view());
    network.check();
    return network;
}

void expect_edges(const Network& network, const Lines& contour_h, const Lines& contour_v,
                  const Lines& spatial_h, const Lines& spatial_v) {
    EXPECT_THAT(edges_of(network, 0), ElementsAreArray(contour_h));
    EXPECT_THAT(edges_of(network, 1), ElementsAreArray(contour_v));
    EXPECT_THAT(edges_of(network, 2), ElementsAreArray(spatial_h));
    EXPECT_THAT(edges_of(network, 3), ElementsAreArray(spatial_v));
}

std::vector<double> persistences(const Network& network) {
    std::vector<double> result;
    for (NodeId n = 0; n < network.node_count(); ++n) result.push_back(network.attribute(n, 0));
    return result;
}

// The contour starts at the top left pixel and runs counterclockwise: each side is a flat run with a node in
// its middle. Both pairs have extent 3; the one with the node at x = 1 is removed first.
TEST(Shapes, Square) {
    const Network network = network_of({"......", //
                                        ".####.", //
                                        ".####.", //
                                        ".####.", //
                                        ".####."});
    EXPECT_THAT(nodes_of(network), ElementsAre("x-min-convex 1,2.5", "y-max-convex 2.5,4",
                                               "x-max-convex 4,2.5", "y-min-convex 2.5,1"));
    expect_edges(network, {"0>1 @0-0", "0>3 @0-0", "1>2 @0-0", "3>2 @0-0"},
                 {"0>1 @0-0", "2>1 @0-0", "3>0 @0-0", "3>1 @1-1", "3>2 @0-0"}, {"0>3 @0-0", "1>2 @0-0"},
                 {"2>1 @0-0", "3>0 @0-0", "3>1 @1-1"});
    EXPECT_THAT(persistences(network), ElementsAre(3, 3, 3, 3));
    EXPECT_EQ(network.next(3), 0U);
}

// The hole is traced clockwise, from the pixel left of its first one, and all its nodes are concave.
// Coarsening removes the hole's pairs (extent 4), then the outer ones (extent 6).
TEST(Shapes, Ring) {
    const Network network = network_of({".........", //
                                        ".#######.", //
                                        ".#######.", //
                                        ".##...##.", //
                                        ".##...##.", //
                                        ".##...##.", //
                                        ".#######.", //
                                        ".#######."});
    EXPECT_THAT(nodes_of(network), ElementsAre("x-min-convex 1,4", "y-max-convex 4,7", "x-max-convex 7,4",
                                               "y-min-convex 4,1", "y-min-concave 4,2", "x-max-concave 6,4",
                                               "y-max-concave 4,6", "x-min-concave 2,4"));
    expect_edges(
        network,
        {"0>1 @0-2", "0>3 @0-2", "1>2 @0-2", "3>2 @0-2", "4>5 @0-0", "6>5 @0-0", "7>4 @0-0", "7>6 @0-0"},
        {"0>1 @0-2", "2>1 @0-2", "3>0 @0-2", "3>1 @3-3", "3>2 @0-2", "4>5 @0-0", "4>6 @1-1", "4>7 @0-0",
         "5>6 @0-0", "7>6 @0-0"},
        {"0>3 @1-2", "0>7 @0-0", "1>2 @1-2", "1>5 @0-0", "5>2 @0-0", "7>3 @0-0"},
        {"2>1 @2-2", "2>6 @0-1", "3>0 @2-2", "3>1 @3-3", "3>4 @0-1", "4>0 @0-1", "6>1 @0-1"});
    EXPECT_THAT(persistences(network), ElementsAre(6, 6, 6, 6, 4, 4, 4, 4));
    EXPECT_EQ(network.attribute(0, 2), 0) << "an outer boundary";
    EXPECT_EQ(network.attribute(7, 2), 1) << "a hole";
    EXPECT_EQ(network.next(3), 0U);
    EXPECT_EQ(network.next(7), 4U);
}

// Three contours: the boundary and two holes, the upper one first. The cyclic orders are separate.
TEST(Shapes, Eight) {
    const Lines art = {"#######", //
                       "##...##", //
                       "##...##", //
                       "#######", //
                       "##...##", //
                       "##...##", //
                       "##...##", //
                       "#######"};
    const Network network = network_of(art);
    EXPECT_THAT(nodes_of(network),
                ElementsAre("x-min-convex 0,3.5", "y-max-convex 3,7", "x-max-convex 6,3.5",
                            "y-min-convex 3,0", "y-min-concave 3,0", "x-max-concave 5,1.5",
                            "y-max-concave 3,3", "x-min-concave 1,1.5", "y-min-concave 3,3",
                            "x-max-concave 5,5", "y-max-concave 3,7", "x-min-concave 1,5"));
    // Removed in the order: 4 and 6 (extent 3), 5 and 7, 9 and 11, 8 and 10 (extent 4; the upper hole
    // first; then by the smaller end, which is 11 at x = 1), 0 and 2 (6), 1 and 3 (7).
    EXPECT_THAT(persistences(network), ElementsAre(6, 7, 6, 7, 3, 4, 3, 4, 4, 4, 4, 4));
    EXPECT_THAT(edges_of(network, 0), ElementsAre("0>1 @0-4", "0>3 @0-4", "10>9 @0-2", "11>10 @0-2",
                                                  "11>8 @0-2", "1>2 @0-4", "3>2 @0-4", "4>5 @0-0", "6>5 @0-0",
                                                  "7>4 @0-0", "7>5 @1-1", "7>6 @0-0", "8>9 @0-2"));
    EXPECT_THAT(edges_of(network, 1),
                ElementsAre("0>1 @0-4", "11>10 @0-2", "2>1 @0-4", "3>0 @0-4", "3>1 @5-5", "3>2 @0-4",
                            "4>5 @0-0", "4>7 @0-0", "5>6 @0-0", "7>6 @0-0", "8>10 @3-3", "8>11 @0-2",
                            "8>9 @0-2", "9>10 @0-2"));
    // Sorted by x: 0 | 7 11 | 3 4 6 8 1 10 | 5 9 | 2, where | is where edges are.
    EXPECT_THAT(edges_of(network, 2),
                ElementsAre("0>11 @2-2", "0>3 @3-4", "0>7 @0-1", "10>2 @3-3", "10>5 @0-1", "10>9 @2-2",
                            "11>3 @0-2", "1>2 @4-4", "9>2 @0-2"));
    // Sorted by y: 3 4 | 7 5 | 6 8 | 0 2 | 11 9 | 1 10.
    EXPECT_THAT(edges_of(network, 3),
                ElementsAre("2>1 @3-4", "2>11 @0-2", "3>0 @4-4", "3>1 @5-5", "3>7 @1-1", "3>8 @2-3",
                            "4>7 @0-0", "5>6 @0-0", "5>8 @1-1", "8>0 @0-3", "9>1 @0-2"));
    EXPECT_EQ(FrontEnd().topology(from_art(art).view()), (Topology{1, 2}));
}

// One contour that winds inwards and out again. Removed in the order: 2 and 5 (extent 3), 3 and 4 (4),
// 7 and 9 (7), 0 and 1 (8; 1 and 6 have 8 as well, but 0 is above 6), 6 and 8 (9).
TEST(Shapes, Spiral) {
    const Network network = network_of({"............", //
                                        ".##########.", //
                                        ".##########.", //
                                        ".........##.", //
                                        ".######..##.", //
                                        ".######..##.", //
                                        ".##......##.", //
                                        ".##########.", //
                                        ".##########."});
    EXPECT_THAT(nodes_of(network),
                ElementsAre("x-min-convex 1,1.5", "x-max-concave 9,4.5", "y-max-concave 5.5,7",
                            "x-min-concave 2,6", "x-max-convex 6,4.5", "y-min-convex 3.5,4",
                            "x-min-convex 1,6", "y-max-convex 5.5,8", "x-max-convex 10,4.5",
                            "y-min-convex 5.5,1"));
    EXPECT_THAT(persistences(network), ElementsAre(8, 8, 3, 4, 4, 3, 9, 7, 9, 7));
    expect_edges(
        network,
        {"0>1 @0-3", "0>8 @3-3", "0>9 @0-2", "2>1 @0-0", "3>1 @1-1", "3>2 @0-0", "3>4 @0-1", "5>4 @0-0",
         "6>1 @2-3", "6>4 @1-1", "6>5 @0-0", "6>7 @0-2", "6>8 @3-4", "7>8 @0-2", "9>8 @0-2"},
        {"0>1 @0-3", "0>8 @3-3", "1>2 @0-0", "1>3 @1-1", "1>6 @2-3", "3>2 @0-0", "4>3 @0-1", "4>6 @1-1",
         "5>4 @0-0", "5>6 @0-0", "6>7 @0-2", "8>6 @3-4", "8>7 @0-2", "9>0 @0-2", "9>8 @0-2"},
        {"1>8 @0-3", "3>5 @0-0", "3>9 @1-1", "4>1 @0-1", "5>9 @0-0", "6>1 @3-3", "6>3 @0-1", "6>8 @4-4",
         "6>9 @2-2", "7>1 @2-2", "7>4 @0-1"},
        {"0>1 @2-3", "0>4 @1-1", "0>5 @0-0", "2>7 @0-0", "3>2 @0-0", "3>7 @1-1", "5>4 @0-0", "6>7 @2-2",
         "8>6 @0-4", "9>0 @0-2"});
}

// The steps go only right and down, so no sign flips there: the staircase has the nodes of a triangle.
TEST(Shapes, Staircase) {
    const Network network = network_of({"........", //
                                        ".##.....", //
                                        ".##.....", //
                                        ".####...", //
                                        ".####...", //
                                        ".######.", //
                                        ".######."});
    EXPECT_THAT(nodes_of(network), ElementsAre("x-min-convex 1,3.5", "y-max-convex 3.5,6",
                                               "x-max-convex 6,5.5", "y-min-convex 1.5,1"));
    expect_edges(network, {"0>1 @0-0", "0>3 @0-0", "1>2 @0-0", "3>1 @1-1", "3>2 @0-0"},
                 {"0>1 @0-0", "2>1 @0-0", "3>0 @0-0", "3>1 @1-1", "3>2 @0-0"},
                 {"0>3 @0-0", "1>2 @0-0", "3>1 @0-1"}, {"0>2 @0-0", "2>1 @0-0", "3>0 @0-0", "3>1 @1-1"});
}

// A line of one pixel is traced there and back. y never changes, so there are two nodes, both convex, and one
// link between them.
TEST(Shapes, Line) {
    const Network network = network_of({".........", ".#######."});
    EXPECT_THAT(nodes_of(network), ElementsAre("x-min-convex 1,1", "x-max-convex 7,1"));
    expect_edges(network, {"0>1 @0-0"}, {}, {"0>1 @0-0"}, {});
    EXPECT_EQ(network.attribute(0, 1), 0) << "maximally sharp: the contour reverses";
}

// A slanted line reverses along both axes at its ends: two nodes at each, no edge between them. The contour
// runs down to the lower right end; on a round tip it would first stop going down, then stop going right.
// Both pairs have extent 5 and the same positions; x types come before y types, so 1 and 3 are removed first.
TEST(Shapes, SlantedLineHasTwoNodesAtEachEnd) {
    const Network network = network_of({"#.....", //
                                        ".#....", //
                                        "..#...", //
                                        "...#..", //
                                        "....#.", //
                                        ".....#"});
    EXPECT_THAT(nodes_of(network),
                ElementsAre("y-min-convex 0,0", "x-min-convex 0,0", "y-max-convex 5,5", "x-max-convex 5,5"));
    expect_edges(network, {"0>2 @1-1", "0>3 @0-0", "1>2 @0-0"}, {"0>2 @1-1", "0>3 @0-0", "1>2 @0-0"},
                 {"0>2 @1-1", "0>3 @0-0"}, {"0>2 @1-1", "0>3 @0-0"});
}

TEST(Shapes, OnePixelEmptyAndFull) {
    const FrontEndParams keep_all{.min_contour = 0};
    EXPECT_THAT(nodes_of(network_of({"...", ".#.", "..."}, keep_all)), IsEmpty());
    EXPECT_THAT(nodes_of(network_of({"...", "...", "..."}, keep_all)), IsEmpty());
    // With two pixels, each end is a node.
    EXPECT_THAT(nodes_of(network_of({"##"}, keep_all)), ElementsAre("x-min-convex 0,0", "x-max-convex 1,0"));
    // An image full of ink is a square.
    EXPECT_THAT(
        nodes_of(network_of({"####", "####", "####", "####"})),
        ElementsAre("x-min-convex 0,1.5", "y-max-convex 1.5,3", "x-max-convex 3,1.5", "y-min-convex 1.5,0"));
}

TEST(Shapes, SmallContoursAreDropped) {
    const Lines square_and_speck = {"####..", //
                                    "####.#", //
                                    "####..", //
                                    "####.."};
    FrontEnd keep_all({.min_contour = 0});
    EXPECT_EQ(keep_all.topology(from_art(square_and_speck).view()), (Topology{2, 0}));
    FrontEnd paper;
    EXPECT_EQ(paper.topology(from_art(square_and_speck).view()), (Topology{1, 0}));
}

TEST(Shapes, ChangePointsOfLowPersistenceCanBeDropped) {
    // A notch one pixel deep in the upper side: a pair of extent 1.
    const Lines notched = {"##.###", //
                           "######", //
                           "######", //
                           "######"};
    EXPECT_EQ(network_of(notched).node_count(), 6U);
    FrontEndParams params;
    params.min_persistence = 1.5;
    const Network network = network_of(notched, params);
    EXPECT_EQ(network.node_count(), 4U);
    EXPECT_EQ(network.level_count(), 2U);
    params.min_persistence = 1;
    EXPECT_EQ(network_of(notched, params).node_count(), 6U) << "only smaller ones are dropped";
    params.min_persistence = 100;
    EXPECT_EQ(network_of(notched, params).node_count(), 0U);
}

TEST(Shapes, FourDirectionsOfADiamond) {
    FrontEndParams params;
    params.directions = 4;
    const Network network = network_of({"...#...", //
                                        "..###..", //
                                        ".#####.", //
                                        "#######", //
                                        ".#####.", //
                                        "..###..", //
                                        "...#..."},
                                       params);
    // Its sides are the flat runs of the slanted directions, its corners those of the axes.
    EXPECT_THAT(nodes_of(network),
                ElementsAre("y-min-convex 3,0", "45deg-min-convex 1.5,1.5", "x-min-convex 0,3",
                            "135deg-max-convex 1.5,4.5", "y-max-convex 3,6", "45deg-max-convex 4.5,4.5",
                            "x-max-convex 6,3", "135deg-min-convex 4.5,1.5"));
}

TEST(FrontEnd, RejectsInvalidParameters) {
    EXPECT_THROW(FrontEnd({.threshold = 255}), Error);
    EXPECT_THROW(FrontEnd({.scale = 0}), Error);
    EXPECT_THROW(FrontEnd({.directions = 0}), Error);
    EXPECT_THROW(FrontEnd({.directions = 33}), Error);
    EXPECT_THROW(FrontEnd({.min_persistence = -1}), Error);
    EXPECT_THROW(FrontEnd({.sharpness_reach = 0}), Error);
}

TEST(FrontEnd, RejectsEmptyAndTooLargeImages) {
    FrontEnd front_end({.scale = 16});
    EXPECT_THROW((void)front_end(ImageView{}), Error);
    const Image wide(1025, 1);
    EXPECT_THROW((void)front_end(wide.view()), Error);
    const Image fits(1024, 1);
    EXPECT_NO_THROW((void)front_end(fits.view()));
}

} // namespace
} // namespace sprig

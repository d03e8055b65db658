#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;
using testing::HasSubstr;

/// A contour of `nodes` nodes, each with an edge to the next one.
Network ring(std::size_t nodes) {
    Network network(front_end_schema({}));
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::array<double, 2> place = {static_cast<double>(i), 2 * static_cast<double>(i)};
        const std::array<double, 3> attributes = {static_cast<double>(i), 0.5, 0};
        network.add_node(static_cast<std::uint32_t>(i % 8), place, attributes);
    }
    for (NodeId i = 0; i < nodes; ++i) {
        const auto next = static_cast<NodeId>((i + 1) % nodes);
        network.link(i, next);
        network.add_edge({i, next, 0, 0, 1}, std::array{9.0, i + 0.5});
    }
    return network;
}

TEST(RemoveNodes, RemovesEdgesAndRelinksTheContour) {
    const Network rest = remove_nodes(ring(5), std::vector<NodeId>{1, 2});
    rest.check();
    ASSERT_EQ(rest.node_count(), 3U);
    EXPECT_EQ(rest.type(1), 3U);
    EXPECT_EQ(rest.attribute(1, 0), 3);
    EXPECT_EQ(rest.next(0), 1U);
    EXPECT_EQ(rest.previous(1), 0U);
    EXPECT_EQ(rest.next(2), 0U);
    ASSERT_EQ(rest.edge_count(), 2U) << "3 to 4 and 4 to 0";
    EXPECT_EQ(rest.edge(0), (Edge{1, 2, 0, 0, 1}));
    EXPECT_EQ(rest.displacement(0)[1], 3.5) << "unchanged, not computed again";
}

TEST(RemoveNodes, RemovesNoneOrAll) {
    const Network whole = ring(4);
    EXPECT_EQ(remove_nodes(whole, {}), whole);
    EXPECT_EQ(remove_nodes(whole, std::vector<NodeId>{0, 1, 2, 3}).node_count(), 0U);
    const Network one = remove_nodes(whole, std::vector<NodeId>{0, 1, 3, 3});
    one.check();
    EXPECT_EQ(one.next(0), 0U) << "alone on its contour";
}

TEST(RemoveNodes, RejectsUnknownNodes) {
    try {
        (void)remove_nodes(ring(3), std::vector<NodeId>{3});
        FAIL() << "expected an exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("cannot remove node 3"));
    }
}

TEST(RemoveNodes, KeepsNetworksOfImagesValid) {
    for (const Learner* learner : both())
        for (std::size_t image = 0; image < 20; ++image) {
            const Network network = test::network_of(*learner, image);
            for (NodeId node = 0; node < network.node_count(); ++node) {
                const Network rest = remove_nodes(network, std::span(&node, 1));
                rest.check();
                EXPECT_EQ(rest.node_count() + 1, network.node_count());
            }
        }
}

} // namespace
} // namespace sprig

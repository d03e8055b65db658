#include "sprig/network.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>

#include "network/samples.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using test::chair;
using test::chair_schema;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Network, StoresNodesAndEdges) {
    const Network network = chair();
    EXPECT_EQ(network.node_count(), 3U);
    EXPECT_EQ(network.edge_count(), 2U);
    EXPECT_THAT(network.position(1), ElementsAre(4, 0, 2));
    EXPECT_EQ(network.attribute(2, 0), 0.5);
    EXPECT_EQ(network.next(2), 0U);
    EXPECT_EQ(network.previous(0), 2U);
    EXPECT_THAT(network.displacement(0), ElementsAre(4, 0, 2));
    EXPECT_THAT(network.displacement(1), ElementsAre(1, 1, 1)) << "given, not derived";
    EXPECT_EQ(network.level_count(), 4U);
    EXPECT_NO_THROW(network.check());
}

TEST(Network, IsAValue) {
    Network a = chair();
    const Network b = a;
    EXPECT_EQ(a, b);
    a.clear();
    EXPECT_EQ(b, chair());
    EXPECT_FALSE(a == b);
    EXPECT_EQ(a.node_count(), 0U);
    EXPECT_EQ(a.level_count(), 0U);
}

TEST(Network, ComparesSchemasByContent) {
    auto other_schema = std::make_shared<Schema>(*chair_schema());
    Network a(chair_schema());
    Network b(other_schema);
    EXPECT_EQ(a, b);
    other_schema->layers.emplace_back("beside");
    EXPECT_FALSE(a == b);
}

TEST(Network, SetEdgesReplacesAllEdges) {
    Network one_by_one = chair();
    Network at_once = chair();
    const std::vector<Edge> edges = {{0, 1, 0, 0, 3}, {2, 0, 1, 1, 2}};
    at_once.set_edges(edges);
    EXPECT_THAT(at_once.displacement(1), ElementsAre(-2, -1, 0));
    EXPECT_EQ(at_once.edge_count(), one_by_one.edge_count());
    EXPECT_EQ(at_once.edge(0), edges[0]);
}

TEST(Network, AtLevel) {
    const Network network = chair();
    EXPECT_EQ(at_level(network, 0).edge_count(), 1U);
    EXPECT_EQ(at_level(network, 1).edge_count(), 2U);
    EXPECT_EQ(at_level(network, 3).edge_count(), 1U);
    EXPECT_EQ(at_level(network, 4).edge_count(), 0U);
    EXPECT_EQ(at_level(network, 1).displacement(1)[0], 1) << "a level keeps the displacements";
    EXPECT_EQ(at_level(network, 1).next(2), 0U);
}

TEST(Network, RejectsWrongDimensions) {
    Network network(chair_schema());
    EXPECT_THROW(network.add_node(0, std::vector<double>{1, 2}), Error);
    EXPECT_THROW(network.add_node(0, std::vector<double>{1, 2, 3}, std::vector<double>{1, 2}), Error);
    network.add_node(0, std::vector<double>{1, 2, 3});
    network.add_node(0, std::vector<double>{1, 2, 4});
    EXPECT_THROW(network.add_edge({0, 1, 0, 0, 0}, std::vector<double>{1, 2}), Error);
}

TEST(Network, RejectsInvalidSchemas) {
    EXPECT_THROW(Network(nullptr), Error);
    EXPECT_THROW(Network(std::make_shared<Schema>(Schema{.dimensions = 0})), Error);
    EXPECT_THROW(Network(std::make_shared<Schema>(Schema{.dimensions = 17})), Error);
    EXPECT_THROW((Schema{.layers = {"a", "a"}}.check()), Error);
    // Reserved names are only rejected by to_json.
    const Network reserved_name(std::make_shared<Schema>(Schema{.attributes = {"type"}}));
    EXPECT_THROW((void)to_json(reserved_name), Error);
}

struct Damage {
    const char* reason;
    std::function<void(Network&)> apply;
};

class NetworkCheck : public testing::TestWithParam<Damage> {};

TEST_P(NetworkCheck, ReportsTheReason) {
    Network network = chair();
    GetParam().apply(network);
    try {
        network.check();
        FAIL() << "accepted: " << GetParam().reason;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
    }
}

const std::vector<double> origin = {0, 0, 0};

INSTANTIATE_TEST_SUITE_P(
    Damages, NetworkCheck,
    testing::Values(Damage{"type 9", [](Network& n) { n.add_node(9, origin); }},
                    Damage{
                        "not a finite number",
                        [](Network& n) {
                            n.add_node(0, std::vector<double>{0, std::numeric_limits<double>::infinity(), 0});
                        }},
                    Damage{"cyclic order is broken at node 2", [](Network& n) { n.link(1, 0); }},
                    Damage{"joins 0 to 7",
                           [](Network& n) {
                               n.add_edge({0, 7, 0, 0, 0}, origin);
                           }},
                    Damage{"joins 1 to 1",
                           [](Network& n) {
                               n.add_edge({1, 1, 0, 0, 0}, origin);
                           }},
                    Damage{"layer 5",
                           [](Network& n) {
                               n.add_edge({0, 2, 5, 0, 0}, origin);
                           }},
                    Damage{"ends on level 1 before it begins on level 2",
                           [](Network& n) {
                               n.add_edge({0, 2, 0, 2, 1}, origin);
                           }},
                    Damage{"duplicate edge from 0 to 1 in layer above", [](Network& n) {
                               n.add_edge({0, 1, 0, 5, 6}, origin);
                           }}));

} // namespace
} // namespace sprig

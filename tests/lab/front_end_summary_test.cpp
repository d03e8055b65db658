#include "lab/protocol/experiment_data.h"

#include <gmock/gmock.h>

#include "support/shapes.h"

namespace sprig::lab {
namespace {

TEST(FrontEndSummary, CountsByClass) {
    const Image square = test::from_art({"####", "####", "####", "####"}); // 4 nodes, 14 edges, 2 levels
    const Image line = test::from_art({"#######"});                        // 2 nodes, 2 edges, 1 level
    const Image nothing(4, 4);
    Dataset data;
    data.set_classes({"square", "line", "missing"});
    data.add(square.view(), 0, "");
    data.add(square.view(), 0, "");
    data.add(nothing.view(), 0, "");
    data.add(line.view(), 1, "");
    data.add(line.view(), -1, "");
    FrontEnd front_end;
    const std::vector<std::size_t> all = {0, 1, 2, 3, 4};
    const FrontEndSummary summary = summarise(data, all, front_end);
    ASSERT_EQ(summary.classes.size(), 3U);
    EXPECT_EQ(summary.classes[0].label, "square");
    EXPECT_EQ(summary.classes[0].images, 3U);
    EXPECT_EQ(summary.classes[0].nodes, 8U);
    EXPECT_EQ(summary.classes[0].most_nodes, 4U);
    EXPECT_EQ(summary.classes[0].edges, 28U);
    EXPECT_EQ(summary.classes[0].finest_edges, 24U);
    EXPECT_EQ(summary.classes[0].levels, 4U);
    EXPECT_EQ(summary.classes[1].label, "line");
    EXPECT_EQ(summary.classes[2].label, "?");
    EXPECT_EQ(summary.all.images, 5U);
    EXPECT_EQ(summary.all.nodes, 12U);
    EXPECT_DOUBLE_EQ(summary.all.mean(summary.all.nodes), 12.0 / 5);
    const std::vector<std::size_t> one = {3};
    EXPECT_EQ(summarise(data, one, front_end).all.images, 1U);
    EXPECT_EQ(summarise(data, {}, front_end).all.mean(0), 0);
}

} // namespace
} // namespace sprig::lab

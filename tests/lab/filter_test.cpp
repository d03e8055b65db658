#include "lab/protocol/experiment_data.h"

#include <gmock/gmock.h>

#include "support/shapes.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;

Dataset shapes() {
    const Image ring = test::from_art({"#####", "#...#", "#...#", "#...#", "#####"});
    const Image bar = test::from_art({"##", "##", "##", "##", "##", "##"});
    const Image two_bars = test::from_art({"##..##", "##..##", "##..##", "##..##", "##..##", "##..##"});
    Dataset data;
    data.set_classes({"0", "1"});
    data.add(ring.view(), 0, "a good zero");
    data.add(bar.view(), 0, "a zero without a hole");
    data.add(bar.view(), 1, "a good one");
    data.add(ring.view(), 1, "a one may have any number of holes");
    data.add(two_bars.view(), 1, "a one in two parts");
    data.add(bar.view(), -1, "without a label");
    return data;
}

TEST(Filter, KeepsImagesThatMatchTheirLabel) {
    FrontEnd front_end;
    const FilterResult result = filter(shapes(), {}, front_end);
    EXPECT_THAT(result.kept, ElementsAre(0, 2, 3, 5));
    EXPECT_EQ(result.images, 6U);
    ASSERT_EQ(result.classes.size(), 2U);
    EXPECT_EQ(result.classes[0].images, 2U);
    EXPECT_EQ(result.classes[0].kept, 1U);
    EXPECT_EQ(result.classes[1].label, "1");
    EXPECT_EQ(result.classes[1].images, 3U);
    EXPECT_EQ(result.classes[1].kept, 2U);
}

TEST(Filter, TheCriterionIsAParameter) {
    FrontEnd front_end;
    TopologyRule rule;
    rule.components = 2;
    EXPECT_THAT(filter(shapes(), rule, front_end).kept, ElementsAre(4));
    rule.components = 1;
    rule.holes = {{"1", 1}};
    EXPECT_THAT(filter(shapes(), rule, front_end).kept, ElementsAre(0, 1, 3, 5));
}

TEST(Filter, CanBeStopped) {
    FrontEnd front_end;
    const auto stop = [](std::size_t done, std::size_t) {
        if (done == 2) throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)filter(shapes(), {}, front_end, stop), std::runtime_error);
}

// The count of the literal reading of the paper's criterion; docs/method.md compares it with the paper's.
TEST(Filter, OfMnist) {
    FrontEnd front_end;
    const FilterResult result = filter(load_dataset("mnist:all"), {}, front_end);
    std::vector<std::size_t> kept;
    for (const FilterCount& c : result.classes) kept.push_back(c.kept);
    EXPECT_THAT(kept, ElementsAre(6013, 7850, 6929, 7018, 6780, 5822, 4656, 7227, 3766, 5202));
    EXPECT_EQ(result.kept.size(), 61263U);
}

} // namespace
} // namespace sprig::lab

#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;

TEST(GlobalExplanations, ListEveryUnitOnceInItsTree) {
    for (const Learner* learner : both()) {
        const GlobalExplanation all = explain_global(*learner);
        EXPECT_EQ(all.learner, learner->name());
        EXPECT_EQ(all.steps, learner->steps());
        EXPECT_EQ(all.units.size(), learner->model_size().total());
        ASSERT_EQ(all.classes.size(), learner->classes().size());
        std::set<std::size_t> visited;
        for (const ClassSummary& summary : all.classes) {
            std::vector<std::size_t> open = summary.roots;
            while (!open.empty()) {
                const std::size_t unit = open.back();
                open.pop_back();
                EXPECT_TRUE(visited.insert(unit).second);
                EXPECT_EQ(all.units[unit].label, summary.label);
                for (const std::size_t child : all.children[unit]) {
                    EXPECT_EQ(all.units[child].target, all.units[unit].lineage);
                    open.push_back(child);
                }
            }
        }
        EXPECT_EQ(visited.size(), all.units.size());
    }
}

TEST(GlobalExplanations, CountByPolarityDepthAndMaturity) {
    for (const Learner* learner : both()) {
        const GlobalExplanation all = explain_global(*learner, {.maturity = 5});
        ModelSize size;
        std::size_t mature = 0;
        for (const ClassSummary& summary : all.classes) {
            size.positive += summary.positive;
            size.negative += summary.negative;
            mature += summary.mature.size();
            EXPECT_EQ(std::accumulate(summary.by_depth.begin(), summary.by_depth.end(), std::size_t{0}),
                      summary.positive + summary.negative);
            for (std::size_t i = 0; i < summary.mature.size(); ++i) {
                const UnitView& unit = all.units[summary.mature[i]];
                EXPECT_GE(unit.observations(), 5U);
                if (i > 0) {
                    EXPECT_LE(unit.observations(), all.units[summary.mature[i - 1]].observations());
                }
            }
            EXPECT_GT(summary.observations, 0U);
        }
        EXPECT_EQ(size.positive, learner->model_size().positive);
        EXPECT_EQ(size.negative, learner->model_size().negative);
        EXPECT_EQ(mature, learner->model_size(5).total());
    }
}

TEST(GlobalExplanations, OfConstellationCountEverySampleOnce) {
    const GlobalExplanation all = explain_global(*both().front());
    std::uint64_t samples = 0;
    for (const ClassSummary& summary : all.classes) samples += summary.observations;
    EXPECT_EQ(samples, test::learned) << "no unit was removed yet";
}

TEST(GlobalExplanations, OfAnEmptyModelAreEmpty) {
    Constellation model;
    EXPECT_TRUE(explain_global(model).classes.empty());
    model.add_class("new");
    const GlobalExplanation all = explain_global(model);
    EXPECT_EQ(all.class_summary("new").positive, 0U);
    EXPECT_THROW((void)all.class_summary("other"), Error);
}

} // namespace
} // namespace sprig

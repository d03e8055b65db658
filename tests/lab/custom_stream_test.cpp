#include "lab/studies/paper_stream.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "lab/report/study_files.h"
#include "sprig/error.h"
#include "sprig/learners.h"
#include "support/temp_folder.h"

namespace sprig::lab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

StudyContext short_context() {
    StudyContext context;
    context.make = make_learner;
    context.seeds = {0, 1};
    return context;
}

CustomStream short_stream(std::vector<LearnerChoice> learners) {
    CustomStream custom;
    custom.learners = std::move(learners);
    custom.protocol = {.cycles = 2, .per_block = 2, .held_out_per_class = 3};
    return custom;
}

std::vector<std::string> names_in(const StudyTable& table) {
    std::vector<std::string> names;
    for (const std::vector<Cell>& row : table.rows) names.push_back(row.front().text);
    return names;
}

TEST(CustomStream, HasTablesChartsAndUnitsOfEveryLearner) {
    const StudyResult result = run_custom_stream(
        short_context(), short_stream({{"constellation", "default"}, {"modeller", "best"}}));
    ASSERT_EQ(result.tables.size(), 3U);
    EXPECT_THAT(result.tables[0].header,
                ElementsAre("learner", "cycle", "accuracy", "sd", "units", "singletons", "nodes", "KiB"));
    EXPECT_THAT(names_in(result.tables[0]), ElementsAre("constellation, default", "constellation, default",
                                                        "modeller, best", "modeller, best"));
    EXPECT_EQ(result.tables[1].rows.size(), 10U) << "one for each class";
    EXPECT_THAT(result.tables[2].header,
                ElementsAre("measure", "constellation, default", "sd", "modeller, best", "sd"));
    EXPECT_THAT(names_in(result.tables[2]), Contains("wcr_worst_all"));
    std::vector<std::string> files;
    for (const StudyChart& chart : result.charts) files.push_back(chart.file);
    for (const StudyFigure& figure : result.figures) files.push_back(figure.file);
    EXPECT_THAT(files, ElementsAre("retention-constellation-default", "growth-constellation-default",
                                   "retention-modeller-best", "growth-modeller-best",
                                   "units-constellation-default.svg", "units-modeller-best.svg"));
    EXPECT_THAT(result.figures[1].svg, HasSubstr("modeller, best, seed 0"));
    EXPECT_FALSE(result.failure);
}

TEST(CustomStream, EveryEvaluationIsInAFile) {
    CustomStream custom = short_stream({{"constellation", "default"}});
    const StudyResult result = run_custom_stream(short_context(), custom);
    ASSERT_EQ(result.files.size(), 3U);
    const StudyTable& evaluations = result.files[1];
    EXPECT_EQ(evaluations.name, "evaluations");
    EXPECT_EQ(evaluations.rows.size(), 2U * 2 * 10 * 10) << "seeds, cycles, blocks, classes";
    const StudyTable& growth = result.files[2];
    EXPECT_EQ(growth.name, "growth");
    ASSERT_EQ(growth.rows.size(), 2U * 2 * 10);
    for (const std::vector<Cell>& row : growth.rows) EXPECT_EQ(row.size(), growth.header.size());
    // The last evaluation's units are those that the table shows.
    const auto units =
        static_cast<std::size_t>(std::ranges::find(growth.header, "units") - growth.header.begin());
    const double last = *growth.rows[19][units].number + *growth.rows[39][units].number;
    EXPECT_EQ(*result.tables[0].rows[1][4].number, last / 2);
    custom.protocol.evaluate = EvaluateAt::end;
    const StudyResult short_result = run_custom_stream(short_context(), custom);
    EXPECT_EQ(short_result.files[1].rows.size(), 2U * 10);
    EXPECT_THAT(short_result.charts, IsEmpty()) << "there is one point only";
}

TEST(CustomStream, CachedRunsGiveTheSameResult) {
    const testing_support::TempFolder folder;
    StudyContext context = short_context();
    context.cache = folder.path();
    CustomStream custom = short_stream({{"modeller", "best"}});
    custom.audit = true;
    const auto first = json_of(run_custom_stream(context, custom));
    EXPECT_EQ(json_of(run_custom_stream(context, custom)), first);
}

TEST(CustomStream, TheGuaranteeIsAudited) {
    CustomStream custom = short_stream({{"modeller", "best"}});
    custom.audit = true;
    const StudyResult result = run_custom_stream(short_context(), custom);
    EXPECT_THAT(names_in(result.tables[2]), Contains("audit_anchored_top_by_refinement"));
    EXPECT_FALSE(result.failure) << *result.failure;
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("there is no guarantee"))));
    custom.learners.front().settings = {{"max_error", "1"}};
    EXPECT_THAT(run_custom_stream(short_context(), custom).notes,
                Contains(HasSubstr("there is no guarantee")));
    custom.learners = {{"constellation", "default"}};
    EXPECT_THROW((void)run_custom_stream(short_context(), custom), Error);
}

} // namespace
} // namespace sprig::lab

#include "lab/report/study_files.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "sprig/learners.h"
#include "support/temp_folder.h"

namespace sprig::lab {
namespace {

using Json = nlohmann::ordered_json;

StudyResult a_result() {
    StudyResult result;
    result.tables = {{"t", "T", {"who", "final"}, {{cell("a"), cell(.25, 2)}, {cell("b"), cell("-")}}}};
    result.notes = {"A note."};
    Chart chart{"Title", "x", "y", {{"line", {0, 1}, {1, std::nan("")}, {.1, .2}, true, true}}};
    chart.x_range = {0, std::numeric_limits<double>::infinity()};
    chart.x_names = {"zero", "one"};
    chart.band = 2;
    chart.logarithmic_x = chart.logarithmic_y = true;
    chart.width = 10;
    result.charts = {{"chart", chart, "What is seen."}};
    result.figures = {{"f.svg", "<svg/>", "What is drawn."}};
    result.reasons = {{"t", "a", "final", "Why."}};
    result.experiments = {{"learner", "{\"version\":1}"}};
    result.files = {{"seeds", "S", {"seed"}, {{cell(std::size_t{1})}}}};
    result.failure = "It failed.";
    return result;
}

TEST(ResultJson, ComesBackAsItWas) {
    const Json json = json_of(a_result());
    const StudyResult back = result_of(Json::parse(json.dump()));
    EXPECT_EQ(json_of(back), json);
    EXPECT_EQ(back.tables[0].rows[0][1].number, .25);
    EXPECT_EQ(back.tables[0].rows[1][1].number, std::nullopt);
    EXPECT_TRUE(std::isnan(back.charts[0].chart.lines[0].y[1]));
    EXPECT_EQ(gnuplot_script(back.charts[0].chart), gnuplot_script(a_result().charts[0].chart));
    EXPECT_EQ(back.failure, "It failed.");
}

TEST(ResultJson, RefusesWhatIsNone) {
    Json json = json_of(a_result());
    json.erase("tables");
    EXPECT_THROW((void)result_of(json), Error);
    EXPECT_THROW((void)result_of(Json(3)), Error);
    json = json_of(a_result());
    json["charts"][0]["chart"]["lines"] = "none";
    EXPECT_THROW((void)result_of(json), Error);
}

TEST(AStudyAsOnePiece, IsRunOnceForEachQuestion) {
    const testing_support::TempFolder folder;
    StudyContext context;
    context.chosen = {"constellation", "default"};
    context.make = make_learner;
    context.seeds = {0, 1};
    context.cache = folder.path();
    int runs = 0;
    const Study study = {"counted", "How often?", [&](const StudyContext&) {
                             ++runs;
                             return a_result();
                         }};
    const Json first = json_of(run_as_one_item(study, context));
    EXPECT_EQ(json_of(run_as_one_item(study, context)), first);
    EXPECT_EQ(runs, 1);
    context.seeds = {0, 2};
    (void)run_as_one_item(study, context);
    EXPECT_EQ(runs, 2) << "other seeds are another question";
    context.chosen.settings = {{"join_threshold", "3"}};
    (void)run_as_one_item(study, context);
    EXPECT_EQ(runs, 3) << "so are other parameters";
    context.chosen.settings = {{"directions", "2"}};
    (void)run_as_one_item(study, context);
    EXPECT_EQ(runs, 4) << "and another front end";
}

} // namespace
} // namespace sprig::lab

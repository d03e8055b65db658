#include "lab/studies/studies.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "lab/report/study_files.h"
#include "lab/studies/digits.h"
#include "sprig/error.h"
#include "sprig/learners.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

StudyContext small_context(std::size_t limit) {
    StudyContext context;
    context.chosen = {"constellation", "default"};
    context.make = make_learner;
    context.seeds = {0, 1};
    context.held_out = HeldOut::dev;
    context.limit = limit;
    return context;
}

TEST(Studies, AreComplete) {
    std::vector<std::string> names;
    for (const Study& study : all_studies()) {
        names.emplace_back(study.name);
        EXPECT_NE(study.question, "");
        EXPECT_TRUE(study.run);
        EXPECT_EQ(&study_called(study.name), &study);
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"one-pass", "open-set", "probabilities", "glyphs", "poses",
                                              "ablation", "shift", "interference", "explanations", "pictures",
                                              "pens", "resolutions", "long-run"}));
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

TEST(Studies, AnUnknownNameListsThemAll) {
    try {
        (void)study_called("nonsense");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("'nonsense'"));
        for (const Study& study : all_studies()) EXPECT_THAT(error.what(), HasSubstr(study.name));
    }
}

TEST(Studies, ASettingWithChangedParameters) {
    const LearnerChoice base = {"constellation", "default", {{"a", "1"}, {"b", "2"}}};
    const std::vector<std::pair<std::string, std::string>> more = {{"a", "3"}, {"c", "4"}};
    EXPECT_THAT(base.with(more).settings, ElementsAre(Pair("b", "2"), Pair("a", "3"), Pair("c", "4")));
    EXPECT_EQ(base.with(more).preset, "default");
}

TEST(Studies, HeldOutDigitsAreNeverLearned) {
    StudyContext context = small_context(30);
    const ExperimentData dev = load_digits(context, true);
    EXPECT_EQ(dev.held_out.size(), 30U);
    EXPECT_EQ(dev.held_out.front(), first_dev_image);
    EXPECT_FALSE(dev.test);
    EXPECT_LT(dev.pool.back(), first_dev_image);
    EXPECT_LT(dev.pool.size(), 600U); // the filter took some
    context.held_out = HeldOut::t10k;
    const ExperimentData t10k = load_digits(context, false);
    EXPECT_EQ(t10k.held_out.front(), 0U);
    EXPECT_EQ(t10k.held_out_data().size(), 10000U);
    EXPECT_EQ(t10k.pool.size(), 600U);
}

TEST(Studies, ScoresCountImagesAndClasses) {
    Scores scores = Scores::of_classes(3);
    for (const bool right : {true, true, true}) scores.add(0, right);
    scores.add(2, false);
    EXPECT_EQ(scores.plain(), 0.75);
    EXPECT_EQ(scores.balanced(), 0.5); // the class without images does not count
}

TEST(Studies, TablesAsFiles) {
    StudyTable table{"t", "a title", {"what", "accuracy", "sd"}};
    table.rows.push_back({cell(std::string("a, \"b\"")), cell(0.123456, 2), cell(std::nullopt, 2)});
    EXPECT_EQ(csv_of(table), "what,accuracy,accuracy sd\n\"a, \"\"b\"\"\",0.123456,-\n");
    EXPECT_EQ(table.rows[0][1].text, "0.12");
}

class EveryStudy : public testing::TestWithParam<const char*> {};

/// Runs each study with few images, in one thread and in two: the results are equal.
TEST_P(EveryStudy, RunsAndThreadsChangeNothing) {
    const Study& study = study_called(GetParam());
    StudyContext context = small_context(20);
    const StudyResult one = study.run(context);
    ASSERT_FALSE(one.tables.empty());
    for (const StudyTable& table : one.tables) {
        EXPECT_FALSE(table.name.empty());
        for (const std::vector<Cell>& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
    }
    EXPECT_FALSE(one.tables.front().rows.empty());
    EXPECT_FALSE(one.notes.empty());
    for (const StudyFigure& figure : one.figures) EXPECT_THAT(figure.svg, HasSubstr("<svg"));
    EXPECT_FALSE(one.failure) << *one.failure;
    context.threads = 2;
    EXPECT_EQ(study_json(study, context, one).dump(), study_json(study, context, study.run(context)).dump());
}

/// The reported held-out set is the one that the result depends on.
TEST_P(EveryStudy, ReportsItsHeldOutSet) {
    const Study& study = study_called(GetParam());
    StudyContext context = small_context(20);
    context.seeds = {0};
    const auto dev = study_json(study, context, study.run(context));
    context.held_out = HeldOut::t10k;
    const auto t10k = study_json(study, context, study.run(context));
    if (study.test_images == TestImages::own_images) {
        EXPECT_TRUE(dev["held_out"].is_null());
        EXPECT_EQ(dev, t10k);
    } else {
        EXPECT_EQ(dev["held_out"], "dev");
        if (study.test_images == TestImages::own_images_and_dev) {
            EXPECT_TRUE(t10k["held_out"].is_null());
        } else {
            EXPECT_EQ(t10k["held_out"], "t10k");
        }
        EXPECT_FALSE(dev["tables"] == t10k["tables"] && dev["notes"] == t10k["notes"]);
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryStudy,
                         testing::Values("one-pass", "open-set", "probabilities", "glyphs", "poses",
                                         "ablation", "shift", "interference", "explanations", "pictures",
                                         "pens", "resolutions"),
                         [](const auto& study) {
                             std::string name = study.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Studies, OfALearnerWithoutFit) {
    StudyContext context = small_context(20);
    context.chosen = {"modeller", "best"};
    context.seeds = {0};
    const StudyResult result = study_called("open-set").run(context);
    EXPECT_EQ(result.tables.front().rows.front()[2].text, "-");
    EXPECT_NE(result.tables.front().rows.front()[4].text, "-");
}

TEST(Studies, InterferenceComparesBothLearners) {
    StudyContext context = small_context(20);
    context.seeds = {0};
    const StudyTable table = study_called("interference").run(context).tables.front();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0][3].text, "0");
    EXPECT_THAT(table.rows[1][3].text, Not("0"));
}

TEST(Studies, ShiftTestsEveryLearner) {
    StudyContext context = small_context(100);
    context.seeds = {0};
    context.chosen = {"modeller", "best"}; // has no effect
    const std::vector<StudyTable> tables = study_called("shift").run(context).tables;
    ASSERT_EQ(tables.size(), 3U);
    EXPECT_THAT(tables[0].header,
                ElementsAre("view", "Modeller, paper", "sd", "Modeller, best", "sd", "Constellation", "sd"));
    std::set<std::string> views;
    for (const std::vector<Cell>& row : tables[0].rows) views.insert(row.front().text);
    EXPECT_EQ(views.size(), 14U) << "views of different names";
    const std::vector<Cell>& as_they_are = tables[0].rows[0];
    EXPECT_NE(as_they_are[1].number, as_they_are[3].number) << "the presets differ";
    // Positions relative to the ink are invariant to shifts; positions in the image are not.
    const auto constellation = [&](std::size_t view) { return *tables[1].rows[view][1].number; };
    const auto in_image = [&](std::size_t view) { return *tables[1].rows[view][3].number; };
    constexpr std::size_t moved = 2;
    constexpr std::size_t turned = 5;
    EXPECT_EQ(tables[1].header[3], "frame=image");
    EXPECT_EQ(constellation(0), constellation(moved));
    EXPECT_NE(constellation(0), constellation(turned));
    EXPECT_GT(in_image(0), in_image(moved) + .1);
    EXPECT_EQ(tables[2].header.size(), 15U);
}

TEST(Studies, LongRunLearnsTheSameIntoAFile) {
    StudyContext context = small_context(200);
    context.seeds = {0};
    context.chosen = {"constellation", "fast"};
    const StudyResult result = study_called("long-run").run(context);
    EXPECT_FALSE(result.failure) << *result.failure;
    ASSERT_EQ(result.tables.size(), 2U);
    const StudyTable& tenths = result.tables.front();
    ASSERT_EQ(tenths.rows.size(), 10U);
    EXPECT_EQ(tenths.rows.back().front().text, "200");
    for (const std::vector<Cell>& row : tenths.rows) EXPECT_EQ(row.size(), tenths.header.size());
    const auto units = [&](std::size_t row) { return *tenths.rows[row].back().number; };
    EXPECT_GE(units(0), 10); // of ten classes
    EXPECT_EQ(result.tables.back().rows.size(), 2U);
    EXPECT_THAT(result.notes, testing::Contains(HasSubstr("equal digests")));
}

TEST(Studies, InterferenceIsAFailure) {
    StudyContext context = small_context(20);
    context.seeds = {0};
    // A learner that does not have the guarantee of Constellation.
    context.make = [](const LearnerChoice&, std::uint64_t seed) {
        return make_learner({"modeller", ""}, seed);
    };
    const StudyResult result = study_called("interference").run(context);
    ASSERT_TRUE(result.failure);
    EXPECT_THAT(*result.failure, HasSubstr("constellation"));
}

} // namespace
} // namespace sprig::lab

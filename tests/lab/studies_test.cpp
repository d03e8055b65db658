#include "lab/study.h"

#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "lab/study_digits.h"
#include "lab/study_files.h"
#include "learner/front_end_parameters.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

template <class Params>
void apply(const LearnerSetting& setting, Params& params, FrontEndParams& front_end) {
    for (const auto& [key, value] : setting.settings) {
        if (!learner::set_parameter(front_end, key, value)) set_parameter(params, key, value);
    }
}

std::unique_ptr<Learner> make(const LearnerSetting& setting, std::uint64_t seed) {
    if (setting.learner == "modeller") {
        ModellerParams params = modeller_preset("best");
        FrontEndParams front_end;
        apply(setting, params, front_end);
        return std::make_unique<Modeller>(params, seed, front_end);
    }
    ConstellationPreset preset = constellation_preset(setting.preset);
    apply(setting, preset.params, preset.front_end);
    return std::make_unique<Constellation>(preset);
}

StudyContext small_context(std::size_t limit) {
    StudyContext context;
    context.chosen = {"constellation", "default"};
    context.make = make;
    context.seeds = {0, 1};
    context.held_out = HeldOut::dev;
    context.limit = limit;
    return context;
}

TEST(Studies, AreAllThere) {
    std::vector<std::string> names;
    for (const Study& study : all_studies()) {
        names.emplace_back(study.name);
        EXPECT_STRNE(study.question, "");
        EXPECT_TRUE(study.run);
        EXPECT_EQ(&study_called(study.name), &study);
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"one-pass", "open-set", "probabilities", "glyphs", "poses",
                                              "ablation", "shift", "interference"}));
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

TEST(Studies, ASettingWithOthersSet) {
    const LearnerSetting base = {"constellation", "default", {{"a", "1"}, {"b", "2"}}};
    const std::vector<std::pair<std::string, std::string>> more = {{"a", "3"}, {"c", "4"}};
    EXPECT_THAT(base.with(more).settings, ElementsAre(Pair("b", "2"), Pair("a", "3"), Pair("c", "4")));
    EXPECT_EQ(base.with(more).preset, "default");
}

TEST(Studies, HeldOutDigitsAreNeverLearned) {
    StudyContext context = small_context(30);
    const Digits dev = load_digits(context, true);
    EXPECT_EQ(dev.held_out.size(), 30U);
    EXPECT_EQ(dev.held_out.front(), first_dev_image);
    EXPECT_FALSE(dev.test);
    EXPECT_LT(dev.pool.back(), first_dev_image);
    EXPECT_LT(dev.pool.size(), 600U); // the filter took some
    context.held_out = HeldOut::t10k;
    const Digits t10k = load_digits(context, false);
    EXPECT_EQ(t10k.held_out.front(), 0U);
    EXPECT_EQ(t10k.held_out_data().size(), 10000U);
    EXPECT_EQ(t10k.pool.size(), 600U);
}

TEST(Studies, TalliesCountImagesAndClasses) {
    Tally tally(3);
    for (const bool right : {true, true, true}) tally.add(0, right);
    tally.add(2, false);
    EXPECT_EQ(tally.plain(), 0.75);
    EXPECT_EQ(tally.balanced(), 0.5); // the class without images does not count
}

TEST(Studies, TablesAsFiles) {
    StudyTable table{"t", "a title", {"what", "accuracy", "sd"}};
    table.rows.push_back({cell(std::string("a, \"b\"")), cell(0.123456, 2), cell(std::nullopt, 2)});
    EXPECT_EQ(csv_of(table), "what,accuracy,accuracy sd\n\"a, \"\"b\"\"\",0.123456,-\n");
    EXPECT_EQ(table.rows[0][1].text, "0.12");
}

class EveryStudy : public testing::TestWithParam<const char*> {};

/// Each study is run small, in one thread and in two: it finds something, and the same.
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

/// What the result is said to be about is what it hangs on.
TEST_P(EveryStudy, SaysWhichDigitsItAskedAbout) {
    const Study& study = study_called(GetParam());
    StudyContext context = small_context(20);
    context.seeds = {0};
    const auto dev = study_json(study, context, study.run(context));
    context.held_out = HeldOut::t10k;
    const auto t10k = study_json(study, context, study.run(context));
    if (study.asks_about == AsksAbout::own_images) {
        EXPECT_TRUE(dev["held_out"].is_null());
        EXPECT_EQ(dev, t10k);
    } else {
        EXPECT_EQ(dev["held_out"], "dev");
        EXPECT_EQ(t10k["held_out"], "t10k");
        EXPECT_FALSE(dev["tables"] == t10k["tables"] && dev["notes"] == t10k["notes"]);
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryStudy,
                         testing::Values("one-pass", "open-set", "probabilities", "glyphs", "poses",
                                         "ablation", "shift", "interference"),
                         [](const auto& study) {
                             std::string name = study.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Studies, OfALearnerWhoseScoreDoesNotSayHowWellItExplains) {
    StudyContext context = small_context(20);
    context.chosen = {"modeller", "best"};
    context.seeds = {0};
    const StudyResult result = study_called("open-set").run(context);
    EXPECT_EQ(result.tables.front().rows.front()[2].text, "-");
    EXPECT_NE(result.tables.front().rows.front()[4].text, "-");
}

TEST(Studies, BothLearnersAreAskedAboutInterference) {
    StudyContext context = small_context(20);
    context.seeds = {0};
    const StudyTable table = study_called("interference").run(context).tables.front();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0][3].text, "0");
    EXPECT_THAT(table.rows[1][3].text, Not("0"));
}

TEST(Studies, InterferenceIsNoticed) {
    StudyContext context = small_context(20);
    context.seeds = {0};
    // Somebody who promises what Constellation does, and does not keep it.
    context.make = [](const LearnerSetting&, std::uint64_t seed) { return make({"modeller", ""}, seed); };
    const StudyResult result = study_called("interference").run(context);
    ASSERT_TRUE(result.failure);
    EXPECT_THAT(*result.failure, HasSubstr("constellation"));
}

} // namespace
} // namespace sprig::lab

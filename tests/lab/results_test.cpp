#include "lab/results.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "lab/protocol_support.h"
#include "lab/result_files.h"
#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// One cycle of two classes with four held-out images each, of which `right` are recognised at the end.
SeedRun hand_made(std::uint64_t seed, std::size_t right) {
    SeedRun run{seed, {}, {}, AccuracyMatrix(1, 2)};
    Checkpoint first{0, 0, {{4, 0}, {4, 4}, {.reached = 8, .gave_up = 1}}, {}, {}};
    first.units.all = {1, 0};
    Checkpoint last{0, 1, {{1, right}, {4, 4}, {.reached = 20, .gave_up = 2}}, {}, {}};
    last.units = {{2, 3, 1, 30, 4000}, {2, 2}, {1, 1}, {1, 1}, {0, 1}};
    last.learned.created = 5;
    run.accuracy.set(0, 0, first.drawn.by_class());
    run.accuracy.set(0, 1, last.drawn.by_class());
    run.checkpoints = {first, last};
    run.steps = 10;
    run.anticipated = 4;
    run.learned.work.gave_up = 10;
    run.read.gave_up = 3;
    run.digest = 0xabc;
    run.times.learning = 1.5;
    return run;
}

Description description() {
    return {"counting",
            "best",
            {{"depth", "3"}},
            R"({"directions": 2})",
            {},
            {.cycles = 1, .held_out_per_class = 4},
            {"a", "b"},
            100,
            0};
}

double number(const NamedNumbers& numbers, const std::string& name) {
    for (const auto& [its_name, value] : numbers) {
        if (its_name == name && value) return *value;
    }
    ADD_FAILURE() << "there is no " << name;
    return 0;
}

TEST(Results, OfOneSeed) {
    const NamedNumbers numbers = numbers_of(hand_made(0, 3));
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final"), (0.25 + 0.75) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "early"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "wcr_end"), (0.25 + 1) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "wcr_worst_all"), (0.25 + 1) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "retention_loss"), 0.75 / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "average_forgetting"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "backward_transfer"), -0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "anytime_accuracy"), (1 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "prequential_accuracy"), 0.4);
    EXPECT_EQ(number(numbers, "units"), 5);
    EXPECT_EQ(number(numbers, "units_positive"), 2);
    EXPECT_EQ(number(numbers, "units_negative"), 3);
    EXPECT_EQ(number(numbers, "singletons"), 1);
    EXPECT_EQ(number(numbers, "nodes"), 30);
    EXPECT_EQ(number(numbers, "bytes"), 4000);
    EXPECT_EQ(number(numbers, "units_mature_5"), 4);
    EXPECT_EQ(number(numbers, "units_mature_10"), 2);
    EXPECT_EQ(number(numbers, "units_mature_40"), 1);
    EXPECT_EQ(number(numbers, "units_reached"), 20.0 / 8);
    EXPECT_EQ(number(numbers, "gave_up"), 13);
}

TEST(Results, TheLargeSetTakesTheirPlace) {
    SeedRun run = hand_made(0, 3);
    run.large.push_back({0, {{1, 8}, {2, 8}, {.reached = 99}}});
    const NamedNumbers numbers = numbers_of(run);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final_plain"), 0.9);
    EXPECT_DOUBLE_EQ(number(numbers, "early"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final_drawn"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "early_drawn"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "units_reached"), 2.5);
    const Results results({run});
    EXPECT_THAT(results.final_by_class(), ElementsAre(0.5, 1));
}

TEST(Results, MeansAndDeviationsOverSeeds) {
    const Results results({hand_made(4, 3), hand_made(9, 1)}); // finals .5 and .25
    EXPECT_DOUBLE_EQ(*results.mean_of("accuracy_final"), 0.375);
    EXPECT_DOUBLE_EQ(*results.deviation_of("accuracy_final"), std::sqrt(2 * 0.125 * 0.125));
    EXPECT_THAT(results.final_by_class(), ElementsAre(0.25, 0.5));
    EXPECT_DOUBLE_EQ(results.seconds_per_seed(), 1.5);
    EXPECT_THROW((void)results.mean_of("beauty"), Error);
    EXPECT_FALSE(Results({hand_made(4, 3)}).deviation_of("accuracy_final"));
    EXPECT_THROW(Results({}), Error);
}

TEST(Results, AMeanIsOverTheSeedsThatHaveTheNumber) {
    // A seed in which no class was above the threshold after its block has no within-cycle retention.
    SeedRun poor = hand_made(1, 1);
    poor.accuracy.set(0, 0, {0.25, 0});
    const Results results({hand_made(0, 3), poor});
    EXPECT_FALSE(results.numbers(1)[2].second);
    EXPECT_EQ(results.numbers(1)[2].first, "wcr_end");
    EXPECT_DOUBLE_EQ(*results.mean_of("wcr_end"), (0.25 + 1) / 2);
    EXPECT_FALSE(Results({poor}).mean_of("wcr_end"));
}

TEST(ResultFiles, Evaluations) {
    SeedRun run = hand_made(7, 3);
    run.large.push_back({0, {{1, 2}, {2, 3}, {}}});
    Description what = description();
    what.material = {Pool::train, HeldOut::t10k};
    EXPECT_EQ(evaluations_csv(what, Results({run})), "seed,held_out,cycle,block,class,images,accuracy\n"
                                                     "7,paper,0,0,a,4,1\n"
                                                     "7,paper,0,0,b,4,0\n"
                                                     "7,paper,0,1,a,4,0.25\n"
                                                     "7,paper,0,1,b,4,0.75\n"
                                                     "7,t10k,0,1,a,2,0.5\n"
                                                     "7,t10k,0,1,b,3,0.6666666666666666\n");
}

TEST(ResultFiles, Growth) {
    const std::string csv = growth_csv(Results({hand_made(7, 3)}));
    EXPECT_THAT(csv, StartsWith("seed,cycle,block,units,positive,negative,singletons,nodes,bytes,mature_5,"
                                "mature_10,mature_40,reached_per_observation,"));
    EXPECT_THAT(csv, HasSubstr("\n7,0,0,1,1,0,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0,0\n"));
    EXPECT_THAT(csv, HasSubstr("\n7,0,1,5,2,3,1,30,4000,4,2,1,2.5,0,0,0,0,2,5,0,0,0,0,0\n"));
    const auto header = csv.substr(0, csv.find('\n'));
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), 23) << "as many names as numbers";
}

TEST(ResultFiles, Report) {
    const auto json = report_json(description(), Results({hand_made(4, 3), hand_made(9, 1)}));
    for (const char* key : {"learner", "preset", "seeds", "accuracy_final", "accuracy_final_sd", "early",
                            "wcr_end", "wcr_worst", "retention_loss", "units", "units_positive",
                            "units_negative", "units_reached", "singletons", "nodes", "bytes", "seconds"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["seeds"].dump(), "[4,9]");
    EXPECT_EQ(json["accuracy_final"], 0.375);
    EXPECT_EQ(json["settings"]["depth"], "3");
    EXPECT_EQ(json["runs"][1]["seed"], 9);
    EXPECT_EQ(json["runs"][1]["accuracy_final"], 0.25);
    EXPECT_EQ(json["runs"][1]["digest"], "0000000000000abc");
    EXPECT_EQ(json["runs"][1]["seconds"], 1.5);
    EXPECT_TRUE(report_json(description(), Results({hand_made(4, 3)}))["accuracy_final_sd"].is_null());
}

TEST(ResultFiles, TheSummaryKnowsTheParametersAndNoTimes) {
    const Results results({hand_made(4, 3)});
    const auto json = summary_json(description(), results);
    EXPECT_EQ(json["parameters"]["directions"], 2);
    EXPECT_EQ(json["protocol"]["held_out"], "paper");
    EXPECT_EQ(json["protocol"]["held_out_images"], 8);
    EXPECT_EQ(json["runs"][0]["units"], 5);
    EXPECT_THAT(json.dump(), Not(HasSubstr("seconds")));
    EXPECT_EQ(times_json(results)["runs"][0]["learning"], 1.5);
    Description what = description();
    what.parameters = "{";
    EXPECT_THROW((void)summary_json(what, results), Error);
}

std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(ResultFiles, AreTheSameWhateverTheNumberOfThreads) {
    Material material = shapes_material(60);
    material.large = few_more(material.front_end);
    Description what = description();
    what.classes = material.data.classes();
    what.material = {Pool::train, HeldOut::dev};
    what.protocol = {.cycles = 5, .per_block = 3};
    const auto folder = std::filesystem::path(testing::TempDir()) / "sprig-results-test";
    std::vector<std::string> before;
    for (const std::size_t threads : {1U, 4U}) {
        std::filesystem::create_directories(folder);
        const Results results(
            run_seeds(material, what.protocol, counting(material.front_end), {0, 1, 2, 3, 4, 5}, threads));
        write_results(folder, what, results);
        std::vector<std::string> files;
        for (const char* name : {"evaluations.csv", "growth.csv", "summary.json"})
            files.push_back(content(folder / name));
        EXPECT_THAT(files, testing::Each(Not("")));
        if (before.empty()) before = files;
        EXPECT_EQ(files, before);
        EXPECT_THAT(content(folder / "times.json"), HasSubstr("seconds"));
        std::filesystem::remove_all(folder);
    }
    EXPECT_THROW(write_results(folder / "missing", what, Results({hand_made(0, 1)})), Error);
}

} // namespace
} // namespace sprig::lab

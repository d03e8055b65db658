#include "lab/kept_runs.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/results.h"
#include "lab/run_json.h"
#include "sprig/error.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

/// A run with something in every place that is kept.
SeedRun some_run(std::uint64_t seed = 3) {
    SeedRun run{seed, {}, {}, AccuracyMatrix(1, 2)};
    for (std::size_t block = 0; block < 2; ++block) {
        Checkpoint c{0,
                     block,
                     {{3 + block, 1}, {5, 4}, {1, 2, 3, 4, 5, 6}},
                     {},
                     {1, 2, 3, 4, 5, {7, 8, 9, 10, 11, 12}}};
        c.units = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}, {16, 17, 18, 19, 20}};
        run.accuracy.set(0, block, c.drawn.by_class());
        run.checkpoints.push_back(c);
    }
    run.large.push_back({0, {{7, 8}, {9, 10}, {}}});
    run.steps = 10;
    run.anticipated = 4;
    run.learned = run.checkpoints.back().learned;
    run.read = {1, 1, 2, 3, 5, 8};
    run.digest = 0xfedcba9876543210;
    return run;
}

TEST(RunJson, GivesTheSameRunAgain) {
    const SeedRun run = some_run();
    const SeedRun again = run_of(json_of(run));
    EXPECT_EQ(json_of(again), json_of(run));
    EXPECT_EQ(numbers_of(again), numbers_of(run));
    EXPECT_EQ(again.digest, run.digest);
    EXPECT_EQ(again.read, run.read);
}

TEST(RunJson, RefusesWhatIsNoRun) {
    const Json good = json_of(some_run());
    EXPECT_THROW((void)run_of(Json::array()), Error);
    for (const auto& [key, value] : good.items()) {
        Json bad = good;
        bad.erase(key);
        EXPECT_THROW((void)run_of(bad), Error) << key;
        bad = good;
        bad[key] = "?";
        EXPECT_THROW((void)run_of(bad), Error) << key;
    }
    for (const Json& number : {Json(-1), Json(1.5), Json(3.4e21), Json(true)}) {
        Json bad = good;
        bad["steps"] = number;
        EXPECT_THROW((void)run_of(bad), Error) << number;
        bad = good;
        bad["checkpoints"][0]["drawn"]["right"][0] = number;
        EXPECT_THROW((void)run_of(bad), Error) << number;
    }
    Json too_good = good;
    too_good["checkpoints"][0]["drawn"]["right"][0] = 6;
    EXPECT_THROW((void)run_of(too_good), Error);
    Json endless = good;
    endless["cycles"] = 1'000'000'000'000;
    EXPECT_THROW((void)run_of(endless), Error);
    Json outside = good;
    outside["checkpoints"][0]["block"] = 9;
    EXPECT_THROW((void)run_of(outside), Error);
    Json empty = good;
    empty["checkpoints"] = Json::array();
    EXPECT_THROW((void)run_of(empty), Error);
}

class KeptRunsTest : public testing::Test {
  protected:
    SeedRun get(const Work& work, std::uint64_t seed) {
        return kept_.get(work, seed, [&] {
            ++computed_;
            return some_run(seed);
        });
    }

    testing_support::TempFolder folder_;
    KeptRuns kept_{folder_.path() / "runs"};
    Work work_{"plain", {{"rate", 0.1}}};
    int computed_ = 0;
};

TEST_F(KeptRunsTest, ComputesOnce) {
    EXPECT_FALSE(kept_.has(work_, 3));
    const SeedRun first = get(work_, 3);
    EXPECT_TRUE(kept_.has(work_, 3));
    EXPECT_EQ(json_of(get(work_, 3)), json_of(first));
    EXPECT_EQ(computed_, 1);
}

TEST_F(KeptRunsTest, ComputesAgainWhatChanged) {
    (void)get(work_, 3);
    (void)get(work_, 4);
    EXPECT_EQ(computed_, 2);
    const Work changed{"plain", {{"rate", 0.2}}};
    EXPECT_FALSE(kept_.has(changed, 3));
    (void)get(changed, 3);
    EXPECT_EQ(computed_, 3);
    EXPECT_TRUE(kept_.has(changed, 3));
    EXPECT_FALSE(kept_.has(work_, 3)); // there is one place for both
}

TEST_F(KeptRunsTest, ComputesAgainWhatIsDamaged) {
    (void)get(work_, 3);
    const std::filesystem::path file = folder_.path() / "runs/plain/seed-3.json";
    std::string whole;
    {
        std::ifstream in(file);
        std::getline(in, whole);
    }
    for (const std::string& text : {std::string(), std::string("nonsense"), whole.substr(0, whole.size() / 2),
                                    std::string("{\"what\": {\"rate\": 0.1}, \"run\": 7}")}) {
        std::ofstream(file) << text;
        EXPECT_FALSE(kept_.has(work_, 3)) << text;
        EXPECT_EQ(json_of(get(work_, 3)), json_of(some_run(3)));
    }
    EXPECT_EQ(computed_, 5);
}

TEST_F(KeptRunsTest, AnotherSeedsFileIsNotTaken) {
    (void)get(work_, 3);
    std::filesystem::rename(folder_.path() / "runs/plain/seed-3.json",
                            folder_.path() / "runs/plain/seed-5.json");
    EXPECT_FALSE(kept_.has(work_, 5));
}

TEST_F(KeptRunsTest, WithoutAFolderNothingIsKept) {
    const KeptRuns nowhere;
    int computed = 0;
    for (int i = 0; i < 2; ++i) {
        (void)nowhere.get(work_, 3, [&] {
            ++computed;
            return some_run();
        });
    }
    EXPECT_EQ(computed, 2);
}

TEST_F(KeptRunsTest, SaysWhereItCannotWrite) {
    std::ofstream(folder_.path() / "file") << "in the way";
    const KeptRuns kept(folder_.path() / "file");
    try {
        (void)kept.get(work_, 3, [] { return some_run(); });
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), testing::HasSubstr("file"));
    }
}

} // namespace

} // namespace sprig::lab

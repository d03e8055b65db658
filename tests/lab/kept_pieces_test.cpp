#include "lab/protocol/pieces.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/protocol/results.h"
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
        c.units = {{1, 2, 3, 4, 5},
                   {6, 7, 8, 9, 10},
                   {11, 12, 13, 14, 15},
                   {16, 17, 18, 19, 20},
                   {21, 22, 23, 24, 25}};
        run.accuracy.set(0, block, c.drawn.by_class());
        run.checkpoints.push_back(c);
    }
    run.large.push_back({0, {{7, 8}, {9, 10}, {}}});
    run.samples.push_back({0, 1, {{2, 1}, {9, 10}, {1, 2, 3, 4, 5, 6}, 7, 8}});
    run.steps = 10;
    run.anticipated = 4;
    run.learned = run.checkpoints.back().learned;
    run.read = {1, 1, 2, 3, 5, 8};
    run.digest = 0xfedcba9876543210;
    run.audits = {{"anchored", {10, 20, 30, {1, 2, 3}, {4, 5, 6}}}};
    return run;
}

TEST(RunJson, GivesTheSameRunAgain) {
    const SeedRun run = some_run();
    const SeedRun again = run_of(json_of(run));
    EXPECT_EQ(json_of(again), json_of(run));
    EXPECT_EQ(numbers_of(again), numbers_of(run));
    EXPECT_EQ(again.digest, run.digest);
    EXPECT_EQ(again.read, run.read);
    EXPECT_EQ(again.audits, run.audits);
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

class KeptPiecesTest : public testing::Test {
  protected:
    [[nodiscard]] bool has(const Work& work, std::uint64_t seed) const {
        return kept_.find(work, seed).has_value();
    }

    testing_support::TempFolder folder_;
    KeptPieces kept_{folder_.path() / "runs"};
    Work work_{"plain", {{"rate", 0.1}}};
};

TEST_F(KeptPiecesTest, WhatIsKeptIsFound) {
    EXPECT_FALSE(has(work_, 3));
    kept_.keep(work_, 3, 0.1);
    EXPECT_EQ(kept_.find(work_, 3), Json(0.1));
    EXPECT_FALSE(has(work_, 4));
}

TEST_F(KeptPiecesTest, AFileSaysWhatItIsAbout) {
    kept_.keep(work_, 3, {{"units", 30}});
    const Json json = Json::parse(std::ifstream(folder_.path() / "runs/plain/seed-3.json"));
    EXPECT_EQ(json["what"], work_.what);
    EXPECT_EQ(json["seed"], 3);
    EXPECT_EQ(json["run"]["units"], 30);
}

TEST_F(KeptPiecesTest, AnotherSeedsFileIsNotFound) {
    kept_.keep(work_, 3, 1);
    std::filesystem::copy_file(kept_.file(work_, 3), kept_.file(work_, 4));
    EXPECT_FALSE(has(work_, 4));
}

TEST_F(KeptPiecesTest, WhatChangedIsNotFoundAndIsReplaced) {
    kept_.keep(work_, 3, 1);
    const Work changed{"plain", {{"rate", 0.2}}};
    EXPECT_FALSE(has(changed, 3));
    kept_.keep(changed, 3, 2);
    EXPECT_TRUE(has(changed, 3));
    EXPECT_FALSE(has(work_, 3)) << "there is one place for both";
}

TEST_F(KeptPiecesTest, WhatIsDamagedIsNotFound) {
    const Json gave = {{"units", 30}, {"right", {1, 2, 3}}};
    kept_.keep(work_, 3, gave);
    const std::filesystem::path file = kept_.file(work_, 3);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const std::string whole = text.str();
    for (std::size_t i = 0; i < whole.size() - 1; ++i) { // all but the end of the line
        std::string flipped = whole;
        flipped[i] = static_cast<char>(flipped[i] ^ 1);
        std::ofstream(file) << flipped;
        EXPECT_FALSE(has(work_, 3)) << flipped;
        std::ofstream(file) << whole.substr(0, i);
        EXPECT_FALSE(has(work_, 3)) << i;
    }
    for (const char* other : {"nonsense", "[1, 2]", "{}", "{\"what\": {\"rate\": 0.1}, \"run\": 7}"}) {
        std::ofstream(file) << other;
        EXPECT_FALSE(has(work_, 3)) << other;
    }
    kept_.keep(work_, 3, gave);
    EXPECT_EQ(kept_.find(work_, 3), gave);
}

TEST_F(KeptPiecesTest, WithoutAFolderNothingIsKept) {
    const KeptPieces nowhere;
    nowhere.keep(work_, 3, 1);
    EXPECT_FALSE(nowhere.find(work_, 3));
}

TEST_F(KeptPiecesTest, SaysWhatCannotBeKeptAndThatTheRestIs) {
    std::ofstream(folder_.path() / "file") << "in the way";
    const KeptPieces kept(folder_.path() / "file");
    try {
        kept.keep(work_, 3, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), testing::HasSubstr("file/plain/seed-3.json cannot be kept: "));
        EXPECT_THAT(error.what(), testing::HasSubstr("Not a directory"));
        EXPECT_THAT(error.what(), testing::HasSubstr("goes on from there"));
    }
}

} // namespace

} // namespace sprig::lab

#include "lab/protocol/work_items.h"

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

/// A run with a value in every field.
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
    run.views.push_back({{{7, 8}, {9, 10}}, {{1, 2}, {3, 4}}});
    run.steps = 10;
    run.prequential_correct = 4;
    run.learned = run.checkpoints.back().learned;
    run.read = {1, 1, 2, 3, 5, 8};
    run.digest = 0xfedcba9876543210;
    run.audits = {{"anchored", {10, 20, 30, {1, 2, 3}, {4, 5, 6}}}};
    return run;
}

TEST(RunJson, RoundTrip) {
    const SeedRun run = some_run();
    const SeedRun again = run_of(json_of(run));
    EXPECT_EQ(json_of(again), json_of(run));
    EXPECT_EQ(numbers_of(again), numbers_of(run));
    EXPECT_EQ(again.digest, run.digest);
    EXPECT_EQ(again.read, run.read);
    EXPECT_EQ(again.audits, run.audits);
}

TEST(RunJson, RejectsInvalidRuns) {
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

class ResultCacheTest : public testing::Test {
  protected:
    [[nodiscard]] bool has(const CacheKey& key, std::uint64_t seed) const {
        return cache_.find(key, seed).has_value();
    }

    testing_support::TempFolder folder_;
    ResultCache cache_{folder_.path() / "runs"};
    CacheKey key_{"plain", {{"rate", 0.1}}};
};

TEST_F(ResultCacheTest, FindsStoredResults) {
    EXPECT_FALSE(has(key_, 3));
    cache_.store(key_, 3, 0.1);
    EXPECT_EQ(cache_.find(key_, 3), Json(0.1));
    EXPECT_FALSE(has(key_, 4));
}

TEST_F(ResultCacheTest, FilesContainTheirInputs) {
    cache_.store(key_, 3, {{"units", 30}});
    const Json json = Json::parse(std::ifstream(folder_.path() / "runs/plain/seed-3.json"));
    EXPECT_EQ(json["what"], key_.inputs);
    EXPECT_EQ(json["seed"], 3);
    EXPECT_EQ(json["run"]["units"], 30);
}

TEST_F(ResultCacheTest, IgnoresFilesOfOtherSeeds) {
    cache_.store(key_, 3, 1);
    std::filesystem::copy_file(cache_.file(key_, 3), cache_.file(key_, 4));
    EXPECT_FALSE(has(key_, 4));
}

TEST_F(ResultCacheTest, OtherInputsAreNotFoundAndReplaceTheFile) {
    cache_.store(key_, 3, 1);
    const CacheKey changed{"plain", {{"rate", 0.2}}};
    EXPECT_FALSE(has(changed, 3));
    cache_.store(changed, 3, 2);
    EXPECT_TRUE(has(changed, 3));
    EXPECT_FALSE(has(key_, 3)) << "both have the same file";
}

TEST_F(ResultCacheTest, IgnoresDamagedFiles) {
    const Json result = {{"units", 30}, {"right", {1, 2, 3}}};
    cache_.store(key_, 3, result);
    const std::filesystem::path file = cache_.file(key_, 3);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const std::string whole = text.str();
    for (std::size_t i = 0; i < whole.size() - 1; ++i) { // all but the end of the line
        std::string flipped = whole;
        flipped[i] = static_cast<char>(flipped[i] ^ 1);
        std::ofstream(file) << flipped;
        EXPECT_FALSE(has(key_, 3)) << flipped;
        std::ofstream(file) << whole.substr(0, i);
        EXPECT_FALSE(has(key_, 3)) << i;
    }
    for (const char* other : {"nonsense", "[1, 2]", "{}", "{\"what\": {\"rate\": 0.1}, \"run\": 7}"}) {
        std::ofstream(file) << other;
        EXPECT_FALSE(has(key_, 3)) << other;
    }
    cache_.store(key_, 3, result);
    EXPECT_EQ(cache_.find(key_, 3), result);
}

TEST_F(ResultCacheTest, StoresNothingWithoutAFolder) {
    const ResultCache nowhere;
    nowhere.store(key_, 3, 1);
    EXPECT_FALSE(nowhere.find(key_, 3));
}

TEST_F(ResultCacheTest, ReportsAFileThatCannotBeStored) {
    std::ofstream(folder_.path() / "file") << "in the way";
    const ResultCache cache(folder_.path() / "file");
    try {
        cache.store(key_, 3, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), testing::HasSubstr("cannot store "));
        EXPECT_THAT(error.what(), testing::HasSubstr("file/plain/seed-3.json: "));
        EXPECT_THAT(error.what(), testing::HasSubstr("Not a directory"));
        EXPECT_THAT(error.what(), testing::HasSubstr("resumes from them"));
    }
}

} // namespace

} // namespace sprig::lab

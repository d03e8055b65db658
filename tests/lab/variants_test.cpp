#include "lab/studies/digits.h"

#include <atomic>
#include <fstream>

#include <gmock/gmock.h>

#include "sprig/constellation.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

/// Few digits, so that a variant takes little time.
class VariantsTest : public testing::Test {
  protected:
    VariantsTest() {
        context_.chosen = {"constellation", "default"};
        context_.make = [](const LearnerChoice& setting, std::uint64_t) {
            ConstellationPreset preset = constellation_preset(setting.preset);
            for (const auto& [key, value] : setting.settings) set_parameter(preset.params, key, value);
            return std::make_unique<Constellation>(preset);
        };
        context_.seeds = {4, 7};
        context_.threads = 2;
        context_.limit = 20;
        context_.study = "test";
        context_.cache = folder_.path();
    }

    /// Two settings with the same front end and one with another. Counts how often a held-out image is
    /// changed.
    std::vector<Results> run() {
        const LearnerChoice base = context_.chosen;
        const std::vector<std::pair<std::string, std::string>> change = {{"join_threshold", "4"}};
        data_.views = {{"counted", [this](ImageView image, std::size_t) {
                            ++changed_;
                            return Image(image);
                        }}};
        return run_variants(
            context_, data_,
            {{"base", base}, {"other", {"constellation", "fast"}}, {"narrow", base.with(change)}});
    }

    testing_support::TempFolder folder_;
    StudyContext context_;
    ExperimentData data_ = load_digits(
        [] {
            StudyContext context;
            context.limit = 20;
            return context;
        }(),
        true);
    std::atomic<int> changed_ = 0;
};

void expect_equal(const std::vector<Results>& a, const std::vector<Results>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t v = 0; v < a.size(); ++v) {
        ASSERT_EQ(a[v].runs().size(), b[v].runs().size());
        for (std::size_t s = 0; s < a[v].runs().size(); ++s)
            EXPECT_EQ(json_of(a[v].runs()[s]), json_of(b[v].runs()[s]));
    }
}

std::size_t bytes_of(const Results& results) {
    return results.runs().front().checkpoints.back().units.all.bytes;
}

TEST_F(VariantsTest, AreCachedByNameAndSeed) {
    const auto first = run();
    EXPECT_NE(bytes_of(first[0]), bytes_of(first[2])) << "the settings change nothing";
    EXPECT_TRUE(std::filesystem::exists(folder_ / "test/narrow/seed-7.json"));
    EXPECT_EQ(changed_, 40) << "every image once for each front end";
    expect_equal(run(), first);
    EXPECT_EQ(changed_, 40) << "nothing was missing";
    context_.cache.clear();
    expect_equal(run(), first);
}

TEST_F(VariantsTest, OnlyMissingNetworksAreBuilt) {
    const auto first = run();
    std::ofstream(folder_ / "test/other/seed-4.json") << "damaged";
    expect_equal(run(), first);
    EXPECT_EQ(changed_, 60) << "networks of the other front end are not needed";
}

TEST_F(VariantsTest, OtherDigitsAreComputedAgain) {
    (void)run();
    data_.held_out.pop_back();
    data_.passes_filter.pop_back();
    (void)run();
    EXPECT_EQ(changed_, 40 + 38);
}

} // namespace

} // namespace sprig::lab

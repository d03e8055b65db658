#include "lab/studies/digits.h"

#include <atomic>
#include <fstream>

#include <gmock/gmock.h>

#include "sprig/constellation.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

/// Digits that are few, so that a variant takes no time.
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
        context_.keep = folder_.path();
    }

    /// Two settings that see alike, one that sees otherwise; how often a held-out image is shown is counted.
    std::vector<std::vector<VariantRun>> run() {
        const LearnerChoice base = context_.chosen;
        const std::vector<std::pair<std::string, std::string>> change = {{"join_threshold", "4"}};
        Views views;
        views.held_out = {{"counted", [this](ImageView image, std::size_t) {
                               ++shown_;
                               return Image(image);
                           }}};
        return run_variants(
            context_, digits_,
            {{"base", base}, {"accurate", {"constellation", "accurate"}}, {"narrow", base.with(change)}},
            views);
    }

    testing_support::TempFolder folder_;
    StudyContext context_;
    Digits digits_ = load_digits(
        [] {
            StudyContext context;
            context.limit = 20;
            return context;
        }(),
        true);
    std::atomic<int> shown_ = 0;
};

void expect_equal(const std::vector<std::vector<VariantRun>>& a,
                  const std::vector<std::vector<VariantRun>>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t v = 0; v < a.size(); ++v) {
        ASSERT_EQ(a[v].size(), b[v].size());
        for (std::size_t s = 0; s < a[v].size(); ++s) {
            EXPECT_EQ(a[v][s].census.bytes, b[v][s].census.bytes);
            EXPECT_EQ(a[v][s].scores.front().plain, b[v][s].scores.front().plain);
            EXPECT_EQ(a[v][s].scores.front().filtered_balanced, b[v][s].scores.front().filtered_balanced);
        }
    }
}

TEST_F(VariantsTest, AreKeptByNameAndSeed) {
    const auto first = run();
    EXPECT_NE(first[0][0].census.bytes, first[2][0].census.bytes) << "settings that change nothing";
    EXPECT_TRUE(std::filesystem::exists(folder_ / "test/narrow/seed-7.json"));
    EXPECT_EQ(shown_, 40) << "every image once for each way of seeing";
    expect_equal(run(), first);
    EXPECT_EQ(shown_, 40) << "nothing was missing";
    context_.keep.clear();
    expect_equal(run(), first);
}

TEST_F(VariantsTest, OnlyWhatIsMissingIsSeen) {
    const auto first = run();
    std::ofstream(folder_ / "test/accurate/seed-4.json") << "damaged";
    expect_equal(run(), first);
    EXPECT_EQ(shown_, 60) << "those of the other front end are not needed";
}

TEST_F(VariantsTest, OtherDigitsAreOtherWork) {
    (void)run();
    digits_.held_out.pop_back();
    digits_.typical.pop_back();
    (void)run();
    EXPECT_EQ(shown_, 40 + 38);
}

} // namespace

} // namespace sprig::lab

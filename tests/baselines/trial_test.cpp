#include "lab/baselines/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/baselines/study_baselines.h"
#include "lab/protocol_support.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using testing::ElementsAre;

/// Records its calls, and always predicts the last class.
class RecordingStrategy : public Strategy {
  public:
    explicit RecordingStrategy(std::vector<std::vector<float>>& seen, std::string& log)
        : seen_(seen), log_(log) {}

    void observe(const Samples& images, std::size_t label) override {
        latest_ = label;
        log_ += std::to_string(label);
        for (std::size_t i = 0; i < images.size(); ++i)
            seen_.emplace_back(images.row(i).begin(), images.row(i).end());
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        log_ += '?';
        answers.assign(images.size(), latest_);
    }
    [[nodiscard]] MemoryUse memory_use() const override { return {10, 20, seen_.size(), 2}; }

  private:
    std::vector<std::vector<float>>& seen_;
    std::string& log_;
    std::size_t latest_ = 0;
};

struct Recorded {
    lab::SeedRun run;
    std::vector<std::vector<float>> seen;
    std::string log;
};

Recorded run_recorded(const lab::ExperimentData& data, const lab::Protocol& protocol,
                      std::uint64_t seed = 1) {
    std::vector<std::vector<float>> seen;
    std::string log;
    lab::SeedRun run = run_trial(
        data, protocol, [&](const Task&) { return std::make_unique<RecordingStrategy>(seen, log); }, seed);
    return {std::move(run), seen, log};
}

TEST(Trial, TeachesBlocksInTheOrderOfTheStream) {
    const Recorded recorded = run_recorded(lab::shapes_data(), lab::short_protocol());
    EXPECT_EQ(recorded.log,
              "?0??1??2??0??1??2?"); // predicts the block, learns it, predicts the held-out images
    EXPECT_EQ(recorded.run.steps, 12);
}

TEST(Trial, UsesTheSameImagesAsOtherLearners) {
    const lab::ExperimentData data = lab::shapes_data();
    const lab::Protocol protocol = lab::short_protocol();
    const Recorded recorded = run_recorded(data, protocol, 4);
    const lab::Draw drawn = lab::draw(data.dataset, data.pool, 4, 4, 4);
    std::size_t next = 0;
    for (std::size_t cycle = 0; cycle < 2; ++cycle) {
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = 0; i < 2; ++i) {
                const ImageView image = data.dataset.image(drawn.stream[c][(2 * cycle) + i]);
                const std::vector<float>& row = recorded.seen.at(next++);
                ASSERT_EQ(row.size(), image.size());
                for (std::size_t p = 0; p < row.size(); ++p)
                    ASSERT_EQ(row[p], static_cast<float>(image.pixels[p]) / 255);
            }
        }
    }
}

TEST(Trial, CountsRightAnswers) {
    const lab::SeedRun run = run_recorded(lab::shapes_data(), lab::short_protocol()).run;
    ASSERT_EQ(run.checkpoints.size(), 6);
    EXPECT_THAT(run.accuracy.at(0, 1), ElementsAre(0, 1, 0));
    EXPECT_THAT(run.accuracy.last(), ElementsAre(0, 0, 1));
    // The first block is predicted before anything was learned, and the answer 0 is right by chance.
    EXPECT_EQ(run.prequential_correct, 2);
    EXPECT_EQ(run.checkpoints.back().units.all.bytes, 30);
    EXPECT_EQ(run.checkpoints.back().units.all.singletons, 12);
    EXPECT_EQ(run.checkpoints.back().units.all.positive, 2);
}

TEST(Trial, EvaluatesOnlyAtTheEndIfConfigured) {
    lab::Protocol protocol = lab::short_protocol();
    protocol.evaluate = lab::EvaluateAt::end;
    const Recorded recorded = run_recorded(lab::shapes_data(), protocol);
    EXPECT_EQ(recorded.log, "012012?");
    EXPECT_EQ(recorded.run.checkpoints.size(), 1);
}

TEST(Trial, CanBeStoppedAtEveryBlock) {
    struct Stop {};
    std::vector<std::vector<float>> seen;
    std::string log;
    std::size_t ticks = 0;
    const auto tick = [&] {
        if (++ticks == 3) throw Stop{};
    };
    EXPECT_THROW((void)run_trial(
                     lab::shapes_data(), lab::short_protocol(),
                     [&](const Task&) { return std::make_unique<RecordingStrategy>(seen, log); }, 0, tick),
                 Stop);
    EXPECT_EQ(log, "?0??1?");
}

TEST(Trial, ImagesOfDifferentSizesAreRejected) {
    Dataset data;
    data.set_classes({"a"});
    data.add(Image(3, 3).view(), 0);
    data.add(Image(4, 3).view(), 0);
    EXPECT_THROW((void)pixels_of(data, {{0, 1}}), Error);
}

TEST(Study, NamesTheMethodsIfOneIsUnknown) {
    lab::StudyContext context;
    context.seeds = {0};
    context.methods = {"plain", "nonsense"};
    try {
        (void)study_baselines().run(context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), testing::HasSubstr("'nonsense'"));
        EXPECT_THAT(error.what(), testing::HasSubstr("er-ace"));
    }
}

} // namespace

} // namespace sprig::baselines

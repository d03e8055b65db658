#include "lab/baselines/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/baselines/study_baselines.h"
#include "lab/protocol_support.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using testing::ElementsAre;

/// Writes down what it is shown and asked, and always gives the latest answer.
class Diarist : public Strategy {
  public:
    explicit Diarist(std::vector<std::vector<float>>& seen, std::string& diary)
        : seen_(seen), diary_(diary) {}

    void observe(const Samples& images, std::size_t label) override {
        latest_ = label;
        diary_ += std::to_string(label);
        for (std::size_t i = 0; i < images.size(); ++i)
            seen_.emplace_back(images.row(i).begin(), images.row(i).end());
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        diary_ += '?';
        answers.assign(images.size(), latest_);
    }
    [[nodiscard]] Kept kept() const override { return {10, 20, seen_.size(), 2}; }

  private:
    std::vector<std::vector<float>>& seen_;
    std::string& diary_;
    std::size_t latest_ = 0;
};

struct Told {
    lab::SeedRun run;
    std::vector<std::vector<float>> seen;
    std::string diary;
};

Told tell(const lab::Material& material, const lab::Protocol& protocol, std::uint64_t seed = 1) {
    std::vector<std::vector<float>> seen;
    std::string diary;
    lab::SeedRun run = run_trial(
        material, protocol, [&](const Task&) { return std::make_unique<Diarist>(seen, diary); }, seed);
    return {std::move(run), seen, diary};
}

TEST(Trial, ShowsBlocksInTheStreamsOrder) {
    const Told told = tell(lab::shapes_material(), lab::short_protocol());
    EXPECT_EQ(told.diary,
              "?0??1??2??0??1??2?"); // asked about the block, shown it, asked about the held-out ones
    EXPECT_EQ(told.run.steps, 12);
}

TEST(Trial, ShowsTheImagesThatLearnersOfNetworksSee) {
    const lab::Material material = lab::shapes_material();
    const lab::Protocol protocol = lab::short_protocol();
    const Told told = tell(material, protocol, 4);
    const lab::Draw drawn = lab::draw(material.data, material.pool, 4, 4, 4);
    std::size_t next = 0;
    for (std::size_t cycle = 0; cycle < 2; ++cycle) {
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = 0; i < 2; ++i) {
                const ImageView image = material.data.image(drawn.stream[c][(2 * cycle) + i]);
                const std::vector<float>& row = told.seen.at(next++);
                ASSERT_EQ(row.size(), image.size());
                for (std::size_t p = 0; p < row.size(); ++p)
                    ASSERT_EQ(row[p], static_cast<float>(image.pixels[p]) / 255);
            }
        }
    }
}

TEST(Trial, CountsWhatWasRight) {
    const lab::SeedRun run = tell(lab::shapes_material(), lab::short_protocol()).run;
    ASSERT_EQ(run.checkpoints.size(), 6);
    EXPECT_THAT(run.accuracy.at(0, 1), ElementsAre(0, 1, 0));
    EXPECT_THAT(run.accuracy.last(), ElementsAre(0, 0, 1));
    // The first block is asked about before anything was learned, and the answer 0 is right by chance.
    EXPECT_EQ(run.anticipated, 2);
    EXPECT_EQ(run.checkpoints.back().units.all.bytes, 30);
    EXPECT_EQ(run.checkpoints.back().units.all.singletons, 12);
    EXPECT_EQ(run.checkpoints.back().units.all.positive, 2);
}

TEST(Trial, AsksAtTheEndAloneIfTold) {
    lab::Protocol protocol = lab::short_protocol();
    protocol.evaluate = lab::EvaluateAt::end;
    const Told told = tell(lab::shapes_material(), protocol);
    EXPECT_EQ(told.diary, "012012?");
    EXPECT_EQ(told.run.checkpoints.size(), 1);
}

TEST(Trial, CanBeStoppedAtEveryBlock) {
    struct Stop {};
    std::vector<std::vector<float>> seen;
    std::string diary;
    std::size_t ticks = 0;
    const auto tick = [&] {
        if (++ticks == 3) throw Stop{};
    };
    EXPECT_THROW((void)run_trial(
                     lab::shapes_material(), lab::short_protocol(),
                     [&](const Task&) { return std::make_unique<Diarist>(seen, diary); }, 0, tick),
                 Stop);
    EXPECT_EQ(diary, "?0??1?");
}

TEST(Trial, ImagesOfSeveralSizesAreRefused) {
    Dataset data;
    data.set_classes({"a"});
    data.add(Image(3, 3).view(), 0);
    data.add(Image(4, 3).view(), 0);
    EXPECT_THROW((void)pixels_of(data, {{0, 1}}), Error);
}

TEST(Study, NamesItsMethodsIfOneIsUnknown) {
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

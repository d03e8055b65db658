#include "lab/protocol/protocol.h"

#include <set>

#include <gmock/gmock.h>

#include "lab/protocol_support.h"
#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;

/// Writes down what is asked ("?") and what is taught (the class's first letter).
class Diarist : public test::CountingLearner {
  public:
    Diarist(std::uint64_t seed, const FrontEndParams& params, std::string& diary)
        : CountingLearner(seed, params), diary_(diary) {}

    LearnReport learn(const Network& network, std::string_view label) override {
        diary_ += label.front();
        return CountingLearner::learn(network, label);
    }
    [[nodiscard]] std::unique_ptr<Reader> reader() const override {
        class DiaristsReader : public test::CountingReader {
          public:
            DiaristsReader(const CountingReader& reader, std::string& diary)
                : CountingReader(reader), diary_(diary) {}
            const Prediction& predict(const Network& network) override {
                diary_ += '?';
                return CountingReader::predict(network);
            }

          private:
            std::string& diary_;
        };
        const std::unique_ptr<Reader> plain = CountingLearner::reader();
        return std::make_unique<DiaristsReader>(dynamic_cast<const test::CountingReader&>(*plain), diary_);
    }

  private:
    std::string& diary_;
};

std::string diary_of(const Material& material, const Protocol& protocol) {
    std::string diary;
    (void)run_seed(
        material, protocol,
        [&](std::uint64_t seed) { return std::make_unique<Diarist>(seed, material.front_end, diary); }, 0);
    return diary;
}

/// Notes the classes it is told of, in their order.
class Roster : public test::CountingLearner {
  public:
    Roster(std::uint64_t seed, const FrontEndParams& front_end, std::vector<std::string>& classes)
        : CountingLearner(seed, front_end), classes_(classes) {}

    void add_class(std::string_view label) override {
        classes_.emplace_back(label);
        CountingLearner::add_class(label);
    }

  private:
    std::vector<std::string>& classes_;
};

TEST(Protocol, EachSampleIsPredictedThenLearnedOnce) {
    Protocol protocol = short_protocol();
    protocol.evaluate = EvaluateAt::end;
    EXPECT_EQ(diary_of(shapes_material(), protocol), "?b?b?s?s?r?r"
                                                     "?b?b?s?s?r?r"
                                                     "????????????");
    protocol.evaluate = EvaluateAt::cycles;
    EXPECT_EQ(diary_of(shapes_material(), protocol), "?b?b?s?s?r?r????????????"
                                                     "?b?b?s?s?r?r????????????");
    protocol.evaluate = EvaluateAt::blocks;
    EXPECT_THAT(diary_of(shapes_material(), protocol),
                testing::StartsWith("?b?b?????????????s?s????????????"));
}

/// Keeps what it was taught: what no learner of this project does.
class Hoarder : public test::CountingLearner {
  public:
    Hoarder(std::uint64_t seed, const FrontEndParams& params, std::vector<Network>& hoard)
        : CountingLearner(seed, params), hoard_(hoard) {}
    LearnReport learn(const Network& network, std::string_view label) override {
        hoard_.push_back(network);
        return CountingLearner::learn(network, label);
    }

  private:
    std::vector<Network>& hoard_;
};

TEST(Protocol, TheStreamIsWhatTheSeedDraws) {
    const Material material = shapes_material();
    std::vector<Network> taught;
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<Hoarder>(seed, material.front_end, taught);
    };
    (void)run_seed(material, short_protocol(), factory, 11);
    const ImagesByClass drawn = draw(material.data, material.pool, 11, 4, 4).stream;
    FrontEnd front_end(material.front_end);
    std::vector<Network> expected;
    for (const std::size_t cycle : {0U, 1U}) {
        for (const auto& of_class : drawn) {
            expected.push_back(front_end(material.data.image(of_class[2 * cycle])));
            expected.push_back(front_end(material.data.image(of_class[(2 * cycle) + 1])));
        }
    }
    EXPECT_EQ(taught, expected);
    EXPECT_NE(taught[0], taught[1]); // or nothing was compared
}

TEST(Protocol, EveryStepIsATick) {
    for (const EvaluateAt evaluate : {EvaluateAt::blocks, EvaluateAt::cycles, EvaluateAt::end}) {
        Material material = shapes_material();
        material.large = few_more(material.front_end);
        Protocol protocol = short_protocol();
        protocol.evaluate = evaluate;
        std::size_t ticks = 0;
        (void)run_seed(material, protocol, counting(material.front_end), 0, [&] { ++ticks; });
        EXPECT_EQ(ticks, protocol.ticks(material)) << name_of(evaluate);
        EXPECT_EQ(ticks, diary_of(material, protocol).size()) << name_of(evaluate);
    }
}

TEST(Protocol, WhenTheLargeSetIsAsked) {
    const auto cycles_of = [](const Protocol& protocol) {
        std::vector<std::size_t> asked;
        for (std::size_t cycle = 0; cycle < protocol.cycles; ++cycle) {
            if (protocol.evaluates_large(cycle)) asked.push_back(cycle);
        }
        return asked;
    };
    EXPECT_THAT(cycles_of({}), ElementsAre(0, 1, 2, 5, 10, 19));
    EXPECT_THAT(cycles_of({.cycles = 8}), ElementsAre(0, 1, 2, 5, 7));
    EXPECT_THAT(cycles_of({.evaluate = EvaluateAt::cycles}), ElementsAre(0, 1, 2, 5, 10, 19));
    EXPECT_THAT(cycles_of({.evaluate = EvaluateAt::end}), ElementsAre(19));
}

TEST(Protocol, WhatIsFoundAlongTheStream) {
    const Material material = shapes_material();
    const SeedRun run = run_seed(material, short_protocol(), counting(material.front_end), 7);
    EXPECT_EQ(run.seed, 7U);
    // A class that was never taught is never recognised; the others always are.
    EXPECT_THAT(run.accuracy.at(0, 0), ElementsAre(1, 0, 0));
    EXPECT_THAT(run.accuracy.at(0, 1), ElementsAre(1, 1, 0));
    EXPECT_THAT(run.accuracy.at(0, 2), ElementsAre(1, 1, 1));
    EXPECT_TRUE(run.accuracy.is_complete());
    EXPECT_EQ(run.steps, 12U);
    EXPECT_EQ(run.anticipated, 9U); // all but the first of each class
    ASSERT_EQ(run.checkpoints.size(), 6U);
    const Checkpoint& second = run.checkpoints[1];
    EXPECT_EQ(second.cycle, 0U);
    EXPECT_EQ(second.block, 1U);
    EXPECT_EQ(second.units.all.total(), 2U);
    EXPECT_EQ(second.units.mature_5.total(), 0U);
    EXPECT_EQ(second.learned.created, 2U);
    EXPECT_EQ(second.drawn.work.reached, 24U); // two units for each of twelve images
    EXPECT_DOUBLE_EQ(second.drawn.reached_per_observation(), 2);
    EXPECT_EQ(run.checkpoints.back().cycle, 1U);
    EXPECT_EQ(run.checkpoints.back().block, 2U);
    EXPECT_EQ(run.learned.created, 3U);
    // Held out: 12 images x (1 + 2 + 3 + 3 + 3 + 3 units); before learning: 0 1 1 2 2 3, then six times 3.
    EXPECT_EQ(run.read.reached, (12U * 15U) + 9U + 18U);
    EXPECT_TRUE(run.large.empty());
}

TEST(Protocol, UnitsGrowUp) {
    const Material material = shapes_material(60);
    const Protocol protocol = {.cycles = 8, .per_block = 5, .held_out_per_class = 1};
    const SeedRun run = run_seed(material, protocol, counting(material.front_end), 0);
    const auto mature = [&](std::size_t cycle) {
        const Growth& g = run.checkpoints[(cycle * 3) + 2].units;
        return std::vector<std::size_t>{g.mature_5.total(), g.mature_10.total(), g.mature_40.total()};
    };
    EXPECT_THAT(mature(0), ElementsAre(3, 0, 0));
    EXPECT_THAT(mature(1), ElementsAre(3, 3, 0));
    EXPECT_THAT(mature(6), ElementsAre(3, 3, 0));
    EXPECT_THAT(mature(7), ElementsAre(3, 3, 3));
}

TEST(Protocol, ScoresByClassAndByImage) {
    const Scores scores = {{1, 0, 3}, {1, 2, 5}, {.reached = 12}};
    EXPECT_THAT(scores.by_class(), ElementsAre(1, 0, 0.6));
    EXPECT_DOUBLE_EQ(scores.balanced(), 1.6 / 3);
    EXPECT_DOUBLE_EQ(scores.plain(), 4.0 / 8);
    EXPECT_DOUBLE_EQ(scores.reached_per_observation(), 12.0 / 8);
}

TEST(Protocol, TheLargeSetIsAskedAsAWhole) {
    Material material = shapes_material();
    material.large = few_more(material.front_end);
    const SeedRun run = run_seed(material, short_protocol(), counting(material.front_end), 0);
    ASSERT_EQ(run.large.size(), 2U);
    EXPECT_EQ(run.large[1].cycle, 1U);
    EXPECT_THAT(run.large[1].scores.images, ElementsAre(1, 2, 3));
    EXPECT_THAT(run.large[1].scores.right, ElementsAre(1, 2, 3));
    EXPECT_EQ(run.large[1].scores.work.reached, 18U);
}

TEST(Protocol, ClassesMayBeDrawnWithTheirOrder) {
    const Material material = shapes_material();
    Protocol protocol = short_protocol();
    protocol.drawn_classes = 2;
    std::set<std::vector<std::string>> orders;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        std::vector<std::string> classes;
        const SeedRun run = run_seed(
            material, protocol,
            [&](std::uint64_t of) { return std::make_unique<Roster>(of, material.front_end, classes); },
            seed);
        EXPECT_EQ(run.accuracy.classes(), 2U);
        EXPECT_EQ(run.steps, 2U * 2U * 2U);
        EXPECT_EQ(run.checkpoints.back().drawn.images.size(), 2U);
        orders.insert(classes);
    }
    EXPECT_EQ(orders.size(), 6U) << "two of three classes, in both orders";
}

TEST(Protocol, ALargeSetHasAllClasses) {
    Material material = shapes_material();
    material.large = few_more(material.front_end);
    Protocol protocol = short_protocol();
    protocol.drawn_classes = 2;
    EXPECT_THROW((void)run_seed(material, protocol, counting(material.front_end), 0), Error);
}

TEST(Protocol, SomeCyclesAreAskedAfterEveryImage) {
    const Material material = shapes_material();
    Protocol protocol = short_protocol();
    protocol.sampled_cycles = {1, 5};
    std::size_t ticks = 0;
    const SeedRun run = run_seed(material, protocol, counting(material.front_end), 0, [&] { ++ticks; });
    EXPECT_EQ(ticks, protocol.ticks(material));
    ASSERT_EQ(run.samples.size(), 6U) << "two images of each of three classes";
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
        EXPECT_EQ(run.samples[i].cycle, 1U);
        EXPECT_EQ(run.samples[i].sample, i);
    }
    // The last one sees what the last block's evaluation sees.
    EXPECT_EQ(run.samples.back().drawn.right, run.checkpoints.back().drawn.right);
}

TEST(Protocol, TheFewestAndTheMostUnitsLookedForAreNoted) {
    const Material material = shapes_material();
    const SeedRun run = run_seed(material, short_protocol(), counting(material.front_end), 0);
    const Scores& scores = run.checkpoints.back().drawn;
    EXPECT_LE(scores.least_reached, scores.most_reached);
    EXPECT_GT(scores.most_reached, 0U);
    EXPECT_LE(static_cast<double>(scores.least_reached), scores.reached_per_observation());
    EXPECT_GE(static_cast<double>(scores.most_reached), scores.reached_per_observation());
}

TEST(Protocol, TheLearnerGetsTheSeed) {
    const Material material = shapes_material();
    std::vector<std::uint64_t> asked;
    const auto runs = run_seeds(
        material, short_protocol(),
        [&](std::uint64_t seed) {
            asked.push_back(seed);
            return counting(material.front_end)(seed);
        },
        {5, 3}, 1);
    EXPECT_THAT(asked, ElementsAre(5, 3));
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].seed, 5U);
    EXPECT_EQ(runs[1].seed, 3U);
    EXPECT_NE(runs[0].digest, runs[1].digest);
}

/// Refuses its third network, as a learner does that is shown another family.
class Refuser : public test::CountingLearner {
  public:
    using CountingLearner::CountingLearner;
    LearnReport learn(const Network& network, std::string_view label) override {
        if (steps() == 2) throw bad_input("no third one");
        return CountingLearner::learn(network, label);
    }
};

TEST(Protocol, WhatTheLearnerRefusesReachesTheCaller) {
    const Material material = shapes_material();
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<Refuser>(seed, material.front_end);
    };
    try {
        (void)run_seeds(material, short_protocol(), factory, {0, 1, 2}, 2);
        ADD_FAILURE() << "the refusal is lost";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_STREQ(error.what(), "no third one");
    }
}

/// Finds at the end that it contradicts itself.
class Doubter : public test::CountingLearner {
  public:
    using CountingLearner::CountingLearner;
    void check() const override { throw failed("this cannot be"); }
};

TEST(Protocol, AModelThatContradictsItselfGivesNoResult) {
    const Material material = shapes_material();
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<Doubter>(seed, material.front_end);
    };
    EXPECT_THROW((void)run_seed(material, short_protocol(), factory, 0), Error);
}

TEST(Protocol, ALearnerSeesWithItsOwnFrontEnd) {
    const Material material = shapes_material();
    EXPECT_NO_THROW((void)run_seed(material, short_protocol(), counting({.directions = 4}), 0));
}

TEST(Protocol, ALargeHeldOutSetSeenWithAnotherFrontEndIsRefused) {
    Material material = shapes_material();
    material.large.emplace(material.data.classes().size());
    EXPECT_THROW((void)run_seed(material, short_protocol(), counting({.directions = 4}), 0), Error);
}

TEST(Protocol, CanBeStoppedAtAnyStep) {
    const Material material = shapes_material();
    std::size_t ticks = 0;
    const auto stop = [&] {
        if (++ticks == 30) throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)run_seed(material, short_protocol(), counting(material.front_end), 0, stop),
                 std::runtime_error);
}

} // namespace
} // namespace sprig::lab

#include "lab/protocol/protocol.h"

#include <set>

#include <gmock/gmock.h>

#include "lab/protocol_support.h"
#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;

/// Logs every prediction ("?") and every learning step (the first letter of the class).
class LoggingLearner : public test::CountingLearner {
  public:
    LoggingLearner(std::uint64_t seed, const FrontEndParams& params, std::string& log)
        : CountingLearner(seed, params), log_(log) {}

    LearnReport learn(const Network& network, std::string_view label) override {
        log_ += label.front();
        return CountingLearner::learn(network, label);
    }
    [[nodiscard]] std::unique_ptr<Reader> reader() const override {
        class LoggingReader : public test::CountingReader {
          public:
            LoggingReader(const CountingReader& reader, std::string& log)
                : CountingReader(reader), log_(log) {}
            const Prediction& predict(const Network& network) override {
                log_ += '?';
                return CountingReader::predict(network);
            }

          private:
            std::string& log_;
        };
        const std::unique_ptr<Reader> plain = CountingLearner::reader();
        return std::make_unique<LoggingReader>(dynamic_cast<const test::CountingReader&>(*plain), log_);
    }

  private:
    std::string& log_;
};

std::string log_of(const ExperimentData& data, const Protocol& protocol) {
    std::string log;
    (void)run_seed(
        data, protocol,
        [&](std::uint64_t seed) { return std::make_unique<LoggingLearner>(seed, data.front_end, log); }, 0);
    return log;
}

/// Records the classes that are added.
class ClassRecorder : public test::CountingLearner {
  public:
    ClassRecorder(std::uint64_t seed, const FrontEndParams& front_end, std::vector<std::string>& classes)
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
    EXPECT_EQ(log_of(shapes_data(), protocol), "?b?b?s?s?r?r"
                                               "?b?b?s?s?r?r"
                                               "????????????");
    protocol.evaluate = EvaluateAt::cycles;
    EXPECT_EQ(log_of(shapes_data(), protocol), "?b?b?s?s?r?r????????????"
                                               "?b?b?s?s?r?r????????????");
    protocol.evaluate = EvaluateAt::blocks;
    EXPECT_THAT(log_of(shapes_data(), protocol), testing::StartsWith("?b?b?????????????s?s????????????"));
}

/// Stores all networks that it learns.
class NetworkRecorder : public test::CountingLearner {
  public:
    NetworkRecorder(std::uint64_t seed, const FrontEndParams& params, std::vector<Network>& networks)
        : CountingLearner(seed, params), networks_(networks) {}
    LearnReport learn(const Network& network, std::string_view label) override {
        networks_.push_back(network);
        return CountingLearner::learn(network, label);
    }

  private:
    std::vector<Network>& networks_;
};

TEST(Protocol, TheStreamIsWhatTheSeedDraws) {
    const ExperimentData data = shapes_data();
    std::vector<Network> taught;
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<NetworkRecorder>(seed, data.front_end, taught);
    };
    (void)run_seed(data, short_protocol(), factory, 11);
    const ImagesByClass drawn = draw(data.dataset, data.pool, 11, 4, 4).stream;
    FrontEnd front_end(data.front_end);
    std::vector<Network> expected;
    for (const std::size_t cycle : {0U, 1U}) {
        for (const auto& of_class : drawn) {
            expected.push_back(front_end(data.dataset.image(of_class[2 * cycle])));
            expected.push_back(front_end(data.dataset.image(of_class[(2 * cycle) + 1])));
        }
    }
    EXPECT_EQ(taught, expected);
    EXPECT_NE(taught[0], taught[1]); // or nothing was compared
}

TEST(Protocol, EveryStepIsATick) {
    for (const EvaluateAt evaluate : {EvaluateAt::blocks, EvaluateAt::cycles, EvaluateAt::end}) {
        ExperimentData data = shapes_data();
        data.large = few_more(data.front_end);
        Protocol protocol = short_protocol();
        protocol.evaluate = evaluate;
        std::size_t ticks = 0;
        (void)run_seed(data, protocol, counting(data.front_end), 0, [&] { ++ticks; });
        EXPECT_EQ(ticks, protocol.ticks(data)) << name_of(evaluate);
        EXPECT_EQ(ticks, log_of(data, protocol).size()) << name_of(evaluate);
    }
}

TEST(Protocol, WhenTheLargeSetIsTested) {
    const auto cycles_of = [](const Protocol& protocol) {
        std::vector<std::size_t> tested;
        for (std::size_t cycle = 0; cycle < protocol.cycles; ++cycle) {
            if (protocol.evaluates_large(cycle)) tested.push_back(cycle);
        }
        return tested;
    };
    EXPECT_THAT(cycles_of({}), ElementsAre(0, 1, 2, 5, 10, 19));
    EXPECT_THAT(cycles_of({.cycles = 8}), ElementsAre(0, 1, 2, 5, 7));
    EXPECT_THAT(cycles_of({.evaluate = EvaluateAt::cycles}), ElementsAre(0, 1, 2, 5, 10, 19));
    EXPECT_THAT(cycles_of({.evaluate = EvaluateAt::end}), ElementsAre(19));
}

TEST(Protocol, ResultsAlongTheStream) {
    const ExperimentData data = shapes_data();
    const SeedRun run = run_seed(data, short_protocol(), counting(data.front_end), 7);
    EXPECT_EQ(run.seed, 7U);
    // A class that was never taught is never recognised; the others always are.
    EXPECT_THAT(run.accuracy.at(0, 0), ElementsAre(1, 0, 0));
    EXPECT_THAT(run.accuracy.at(0, 1), ElementsAre(1, 1, 0));
    EXPECT_THAT(run.accuracy.at(0, 2), ElementsAre(1, 1, 1));
    EXPECT_TRUE(run.accuracy.is_complete());
    EXPECT_EQ(run.steps, 12U);
    EXPECT_EQ(run.prequential_correct, 9U); // all but the first of each class
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

TEST(Protocol, UnitsMature) {
    const ExperimentData data = shapes_data(60);
    const Protocol protocol = {.cycles = 8, .per_block = 5, .held_out_per_class = 1};
    const SeedRun run = run_seed(data, protocol, counting(data.front_end), 0);
    const auto mature = [&](std::size_t cycle) {
        const ModelSizes& g = run.checkpoints[(cycle * 3) + 2].units;
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

TEST(Protocol, TheWholeLargeSetIsTested) {
    ExperimentData data = shapes_data();
    data.large = few_more(data.front_end);
    const SeedRun run = run_seed(data, short_protocol(), counting(data.front_end), 0);
    ASSERT_EQ(run.large.size(), 2U);
    EXPECT_EQ(run.large[1].cycle, 1U);
    EXPECT_THAT(run.large[1].scores.images, ElementsAre(1, 2, 3));
    EXPECT_THAT(run.large[1].scores.right, ElementsAre(1, 2, 3));
    EXPECT_EQ(run.large[1].scores.work.reached, 18U);
}

TEST(Protocol, EveryViewIsTestedAtTheEnd) {
    ExperimentData data = shapes_data();
    data.held_out = {57, 58, 59}; // a bar, a square and a ring
    data.passes_filter = {true, false, true};
    View view{"unchanged"};
    FrontEnd front_end(data.front_end);
    for (const std::size_t i : data.held_out) view.networks.push_back(front_end(data.dataset.image(i)));
    data.views = {view, view};
    std::size_t ticks = 0;
    const SeedRun run = run_seed(data, short_protocol(), counting(data.front_end), 0, [&] { ++ticks; });
    EXPECT_EQ(ticks, short_protocol().ticks(data));
    ASSERT_EQ(run.views.size(), 2U);
    EXPECT_THAT(run.views[1].all.images, ElementsAre(1, 1, 1));
    EXPECT_THAT(run.views[1].all.right, ElementsAre(1, 1, 1));
    EXPECT_THAT(run.views[1].filtered.images, ElementsAre(1, 0, 1));
    EXPECT_EQ(run.views[1].filtered.balanced(), 1) << "the class without images does not count";
}

TEST(Protocol, ClassesMayBeDrawnWithTheirOrder) {
    const ExperimentData data = shapes_data();
    Protocol protocol = short_protocol();
    protocol.drawn_classes = 2;
    std::set<std::vector<std::string>> orders;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        std::vector<std::string> classes;
        const SeedRun run = run_seed(
            data, protocol,
            [&](std::uint64_t of) { return std::make_unique<ClassRecorder>(of, data.front_end, classes); },
            seed);
        EXPECT_EQ(run.accuracy.classes(), 2U);
        EXPECT_EQ(run.steps, 2U * 2U * 2U);
        EXPECT_EQ(run.checkpoints.back().drawn.images.size(), 2U);
        orders.insert(classes);
    }
    EXPECT_EQ(orders.size(), 6U) << "two of three classes, in both orders";
}

TEST(Protocol, ALargeSetHasAllClasses) {
    ExperimentData data = shapes_data();
    data.large = few_more(data.front_end);
    Protocol protocol = short_protocol();
    protocol.drawn_classes = 2;
    EXPECT_THROW((void)run_seed(data, protocol, counting(data.front_end), 0), Error);
}

TEST(Protocol, SomeCyclesAreTestedAfterEveryImage) {
    const ExperimentData data = shapes_data();
    Protocol protocol = short_protocol();
    protocol.sampled_cycles = {1, 5};
    std::size_t ticks = 0;
    const SeedRun run = run_seed(data, protocol, counting(data.front_end), 0, [&] { ++ticks; });
    EXPECT_EQ(ticks, protocol.ticks(data));
    ASSERT_EQ(run.samples.size(), 6U) << "two images of each of three classes";
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
        EXPECT_EQ(run.samples[i].cycle, 1U);
        EXPECT_EQ(run.samples[i].sample, i);
    }
    // The last one agrees with the evaluation of the last block.
    EXPECT_EQ(run.samples.back().drawn.right, run.checkpoints.back().drawn.right);
}

TEST(Protocol, MinimumAndMaximumOfUnitsSearchedFor) {
    const ExperimentData data = shapes_data();
    const SeedRun run = run_seed(data, short_protocol(), counting(data.front_end), 0);
    const Scores& scores = run.checkpoints.back().drawn;
    EXPECT_LE(scores.least_reached, scores.most_reached);
    EXPECT_GT(scores.most_reached, 0U);
    EXPECT_LE(static_cast<double>(scores.least_reached), scores.reached_per_observation());
    EXPECT_GE(static_cast<double>(scores.most_reached), scores.reached_per_observation());
}

TEST(Protocol, TheLearnerGetsTheSeed) {
    const ExperimentData data = shapes_data();
    std::vector<std::uint64_t> tested;
    const auto make = [&](std::uint64_t seed) {
        tested.push_back(seed);
        return counting(data.front_end)(seed);
    };
    const SeedRun five = run_seed(data, short_protocol(), make, 5);
    const SeedRun three = run_seed(data, short_protocol(), make, 3);
    EXPECT_THAT(tested, ElementsAre(5, 3));
    EXPECT_EQ(five.seed, 5U);
    EXPECT_EQ(three.seed, 3U);
    EXPECT_NE(five.digest, three.digest);
}

/// Rejects its third network.
class RejectingLearner : public test::CountingLearner {
  public:
    using CountingLearner::CountingLearner;
    LearnReport learn(const Network& network, std::string_view label) override {
        if (steps() == 2) throw bad_input("no third one");
        return CountingLearner::learn(network, label);
    }
};

TEST(Protocol, ErrorsOfTheLearnerReachTheCaller) {
    const ExperimentData data = shapes_data();
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<RejectingLearner>(seed, data.front_end);
    };
    try {
        (void)run_seed(data, short_protocol(), factory, 0);
        ADD_FAILURE() << "the error is lost";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_STREQ(error.what(), "no third one");
    }
}

/// Fails its consistency check.
class InconsistentLearner : public test::CountingLearner {
  public:
    using CountingLearner::CountingLearner;
    void check() const override { throw failed("this cannot be"); }
};

TEST(Protocol, AnInconsistentModelIsAnError) {
    const ExperimentData data = shapes_data();
    const auto factory = [&](std::uint64_t seed) {
        return std::make_unique<InconsistentLearner>(seed, data.front_end);
    };
    EXPECT_THROW((void)run_seed(data, short_protocol(), factory, 0), Error);
}

TEST(Protocol, TheFrontEndIsTheLearners) {
    const ExperimentData data = shapes_data();
    EXPECT_NO_THROW((void)run_seed(data, short_protocol(), counting({.directions = 4}), 0));
}

TEST(Protocol, ALargeHeldOutSetOfAnotherFrontEndIsRejected) {
    ExperimentData data = shapes_data();
    data.large.emplace(data.dataset.classes().size());
    EXPECT_THROW((void)run_seed(data, short_protocol(), counting({.directions = 4}), 0), Error);
}

TEST(Protocol, CanBeStoppedAtAnyStep) {
    const ExperimentData data = shapes_data();
    std::size_t ticks = 0;
    const auto stop = [&] {
        if (++ticks == 30) throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)run_seed(data, short_protocol(), counting(data.front_end), 0, stop),
                 std::runtime_error);
}

} // namespace
} // namespace sprig::lab

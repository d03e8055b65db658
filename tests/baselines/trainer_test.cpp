#include "lab/baselines/trainer.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baselines/networks.h"
#include "lab/baselines/expert_routing.h"

namespace sprig::baselines {

namespace {

using MakeRule = std::function<std::unique_ptr<Rule>()>;

class Training : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_networks()) GTEST_SKIP() << "built without LibTorch";
    }
};

std::unique_ptr<Net> small_net(std::uint64_t key = 1) {
    return make_net({64, {}, {16}, 4}, 1e-3, key);
}

std::unique_ptr<Rule> plain_rule() {
    return std::make_unique<Rule>();
}

void teach(Strategy& strategy, std::size_t cycles = 3) {
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle)
        for (std::size_t label = 0; label < 4; ++label) strategy.observe(bars(label, 5, cycle), label);
}

/// The weights after a few blocks.
std::vector<float> weights_after(const MakeRule& rule, Schedule schedule) {
    std::unique_ptr<Net> owned = small_net();
    Net& net = *owned;
    Trainer trainer(bar_task(), std::move(owned), rule(), schedule);
    teach(trainer);
    return {net.weights().begin(), net.weights().end()};
}

const Schedule every_7 = {5, 20, 7};

TEST_F(Training, APenaltyOfZeroIsPlainTraining) {
    const std::vector<float> plain = weights_after(plain_rule, every_7);
    EXPECT_EQ(weights_after([] { return synaptic_intelligence(0); }, every_7), plain);
    EXPECT_EQ(weights_after([] { return memory_aware_synapses(0); }, every_7), plain);
    EXPECT_EQ(weights_after([] { return learning_without_forgetting(0); }, every_7), plain);
}

TEST_F(Training, APenaltyAboveZeroIsNot) {
    const std::vector<float> plain = weights_after(plain_rule, every_7);
    EXPECT_NE(weights_after([] { return synaptic_intelligence(1000); }, every_7), plain);
    EXPECT_NE(weights_after([] { return memory_aware_synapses(.03); }, every_7), plain);
    EXPECT_NE(weights_after([] { return learning_without_forgetting(3); }, every_7), plain);
}

TEST_F(Training, ConsolidatingAfterEveryStepHasNoEffect) {
    const Schedule every_1 = {5, 20, 1};
    const std::vector<float> plain = weights_after(plain_rule, every_1);
    EXPECT_EQ(weights_after([] { return synaptic_intelligence(1000); }, every_1), plain);
    EXPECT_EQ(weights_after([] { return memory_aware_synapses(.03); }, every_1), plain);
    EXPECT_EQ(weights_after([] { return learning_without_forgetting(3); }, every_1), plain);
}

TEST_F(Training, AStrongPenaltyHoldsTheWeights) {
    const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i] - b[i]), 2);
        return sum;
    };
    const Schedule by_block = {5, 20, 20};
    const std::unique_ptr<Net> net = small_net();
    const std::vector<float> start(net->weights().begin(), net->weights().end());
    const double free = distance(weights_after(plain_rule, by_block), start);
    EXPECT_LT(distance(weights_after([] { return memory_aware_synapses(100); }, by_block), start), free);
    EXPECT_LT(distance(weights_after([] { return synaptic_intelligence(1e6); }, by_block), start), free);
}

TEST_F(Training, AnEmptyBufferIsPlainTraining) {
    const std::vector<float> plain = weights_after(plain_rule, {});
    EXPECT_EQ(weights_after([] { return naive_replay(0, 1); }, {}), plain);
    EXPECT_EQ(weights_after([] { return dark_experience(0, 1, 1, 1); }, {}), plain);
    EXPECT_EQ(weights_after([] { return dark_experience(4, 0, 0, 1); }, {}), plain);
    EXPECT_NE(weights_after([] { return naive_replay(4, 1); }, {}), plain);
    EXPECT_NE(weights_after([] { return dark_experience(4, 1, 1, 1); }, {}), plain);
}

TEST_F(Training, AsymmetricReplayIgnoresOtherKnownClasses) {
    const std::unique_ptr<Net> net = small_net();
    const std::unique_ptr<Rule> rule = asymmetric_replay(0, 4, 1);
    Labelled fresh(64);
    fresh.add(bars(1, 5), 1);
    rule->add_loss(*net, fresh); // classes never seen take part in the loss
    EXPECT_THAT(net->gradient(), testing::Contains(testing::Ne(0.0F)));
    net->step();
    for (std::size_t label = 0; label < 4; ++label) {
        Labelled block(64);
        block.add(bars(label, 1), label);
        rule->after_block(*net, block);
    }
    rule->add_loss(*net, fresh); // all classes were seen, and the buffer is empty
    EXPECT_THAT(net->gradient(), testing::Each(0.0F));
}

TEST_F(Training, ReplayForgetsLess) {
    const auto right = [](const MakeRule& rule) {
        Trainer trainer(bar_task(), small_net(), rule(), {5, 20, 0});
        teach(trainer, 2);
        std::size_t count = 0;
        std::vector<std::size_t> answers;
        for (std::size_t label = 0; label < 4; ++label) {
            trainer.predict(bars(label, 10, 99), answers);
            count += static_cast<std::size_t>(std::ranges::count(answers, label));
        }
        return count;
    };
    EXPECT_GT(right([] { return naive_replay(8, 1); }), right(plain_rule));
}

TEST_F(Training, PredictingDoesNotChangeTheModel) {
    const auto after = [](bool asks) {
        std::unique_ptr<Net> owned = small_net();
        Net& net = *owned;
        Trainer trainer(bar_task(), std::move(owned), dark_experience(4, 1, 1, 1), {5, 20, 0});
        std::vector<std::size_t> answers;
        for (std::size_t label = 0; label < 4; ++label) {
            trainer.observe(bars(label, 5), label);
            if (asks) trainer.predict(bars(label, 9, 5), answers);
        }
        return std::vector<float>(net.weights().begin(), net.weights().end());
    };
    EXPECT_EQ(after(true), after(false));
}

TEST_F(Training, OneAtATimeTakesBatchesOfOne) {
    // Five batches of one image give the same as five blocks of one image.
    const auto weights = [](bool as_blocks) {
        std::unique_ptr<Net> owned = small_net();
        Net& net = *owned;
        Trainer trainer(bar_task(), std::move(owned), plain_rule(), {1, 4, 0});
        const Samples images = bars(1, 5);
        Samples one(images.width());
        for (std::size_t i = 0; as_blocks && i < 5; ++i) {
            one.clear();
            one.add(images.row(i));
            trainer.observe(one, 1);
        }
        if (!as_blocks) trainer.observe(images, 1);
        return std::vector<float>(net.weights().begin(), net.weights().end());
    };
    EXPECT_EQ(weights(true), weights(false));
}

/// Records the number of images at each consolidation.
class ConsolidationRecorder : public Rule {
  public:
    explicit ConsolidationRecorder(std::vector<std::size_t>& images) : images_(images) {}
    void consolidate(Net& /*net*/, const Samples& fresh) override { images_.push_back(fresh.size()); }

  private:
    std::vector<std::size_t>& images_;
};

TEST_F(Training, AConsolidationGetsTheImagesOfTheBlockSoFar) {
    std::vector<std::size_t> images;
    Trainer trainer(bar_task(), small_net(), std::make_unique<ConsolidationRecorder>(images), {1, 2, 4});
    for (std::size_t block = 0; block < 2; ++block) trainer.observe(bars(block, 5, block), block);
    EXPECT_THAT(images, testing::ElementsAre(2, 4, 1, 3, 5)) << "every second image, across blocks";
}

TEST_F(Training, ReportsItsMemoryUse) {
    const auto memory = [](const MakeRule& rule) {
        Trainer trainer(bar_task(), small_net(), rule(), {5, 2, 1});
        teach(trainer, 1);
        return trainer.memory_use();
    };
    const std::size_t weights = (64 * 16) + 16 + (16 * 4) + 4;
    EXPECT_EQ(memory(plain_rule).bytes(), 12 * weights);
    EXPECT_EQ(memory([] { return synaptic_intelligence(1); }).model, (12 + 12) * weights);
    EXPECT_EQ(memory([] { return memory_aware_synapses(1); }).model, (12 + 8) * weights);
    EXPECT_EQ(memory([] { return learning_without_forgetting(1); }).model, (12 + 4) * weights);
    EXPECT_EQ(memory([] { return naive_replay(3, 1); }).data, 3 * (64 + 1));
    EXPECT_EQ(memory([] { return dark_experience(3, 1, 1, 1); }).data, 3 * (64 + 1 + (4 * 4)));
    EXPECT_EQ(memory([] { return naive_replay(3, 1); }).images, 3);
}

TEST_F(Training, ExpertsAreMadeForUnknownImages) {
    const std::unique_ptr<Strategy> eager = expert_routing(bar_task(), {0, 5, 20, 30});
    const std::unique_ptr<Strategy> reluctant = expert_routing(bar_task(), {1e9, 5, 20, 30});
    const std::unique_ptr<Strategy> capped = expert_routing(bar_task(), {-1e9, 5, 2, 3});
    for (Strategy* strategy : {eager.get(), reluctant.get(), capped.get()}) teach(*strategy);
    EXPECT_GT(eager->memory_use().parts, 1);
    EXPECT_EQ(reluctant->memory_use().parts, 1);
    EXPECT_EQ(capped->memory_use().parts, 4);
    std::vector<std::size_t> answers;
    eager->predict(bars(1, 6, 42), answers);
    EXPECT_EQ(answers.size(), 6);
}

TEST_F(Training, WithTheMaximumOfExpertsUnknownImagesAreNotLearned) {
    for (const bool learns_when_full : {false, true}) {
        // The threshold of the only expert accepts nothing; two classes are taught.
        ExpertOptions options{.reluctance = -1e9, .most = 0, .learns_when_full = learns_when_full};
        const std::unique_ptr<Strategy> strategy = expert_routing(bar_task(), options);
        for (std::size_t label = 0; label < 2; ++label) strategy->observe(bars(label, 5, label), label);
        EXPECT_EQ(strategy->memory_use().parts, 1);
        std::vector<std::size_t> answers;
        strategy->predict(bars(1, 10, 42), answers);
        EXPECT_EQ(std::ranges::count(answers, 1) > 0, learns_when_full);
    }
}

TEST_F(Training, WithoutExpertsTheAnswerIsClass0) {
    const std::unique_ptr<Strategy> none = expert_routing(bar_task(), {});
    std::vector<std::size_t> answers;
    none->predict(bars(2, 3), answers);
    EXPECT_THAT(answers, testing::ElementsAre(0, 0, 0));
}

TEST_F(Training, AtOnceDoesNotDependOnTheOrderOfClasses) {
    const std::unique_ptr<Strategy> learner = learn_at_once(bar_task(), small_net(), {10, 40});
    teach(*learner);
    EXPECT_EQ(learner->memory_use().images, 60);
    std::vector<std::size_t> answers;
    for (std::size_t label = 0; label < 4; ++label) {
        learner->predict(bars(label, 10, 99), answers);
        EXPECT_GE(std::ranges::count(answers, label), 9) << label;
    }
}

} // namespace

} // namespace sprig::baselines

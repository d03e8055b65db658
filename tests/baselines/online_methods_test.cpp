#include "lab/baselines/online_methods.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/stored_images.h"
#include "sprig/error.h"

// Properties of every method, including those that are fitted again.

namespace sprig::baselines {
namespace {

using testing::AnyOf;
using testing::Each;

constexpr std::size_t side = 14;
constexpr Task task = {.width = side * side, .side = side, .classes = 4, .seed = 11};

struct NamedMethod {
    std::string name;
    std::function<std::unique_ptr<Strategy>()> make;
    bool order_free = false; ///< whether the order of the images does not matter
};

std::vector<NamedMethod> methods() {
    return {{"nearest mean", [] { return make_nearest_mean(task); }, true},
            {"naive Bayes", [] { return make_naive_bayes(task, 0.02); }, true},
            {"LDA", [] { return make_streaming_lda(task, 1500); }, true},
            {"LDA on features", [] { return make_random_feature_lda(task, 100, 200); }, true},
            {"one neighbour", [] { return make_nearest_neighbours(task, 1); }},
            {"three neighbours", [] { return make_nearest_neighbours(task, 3); }},
            {"passive-aggressive", [] { return make_passive_aggressive(task, 0.004); }},
            {"support vectors",
             [] {
                 return make_pixel_support_vectors(task, {10, 0.02});
             }},
            {"support vectors on gradients", [] {
                 return make_hog_support_vectors(task, {3, 0.3});
             }}};
}

/// Teaches a block of five images of each of the classes in turn.
void teach(Strategy& method, Clouds& clouds, const std::vector<std::size_t>& labels, float spread = 0.3F) {
    for (const std::size_t label : labels) method.observe(clouds.draw(label, 5, spread), label);
}

TEST(EveryMethod, LearnsSeparableClasses) {
    constexpr float narrow = 0.1F;
    for (const NamedMethod& method : methods()) {
        Clouds clouds(task.width, task.classes, 2);
        const auto strategy = method.make();
        // Many cycles, because the linear classifier is biased towards the last class at first.
        for (int cycle = 0; cycle < 40; ++cycle) teach(*strategy, clouds, {0, 1, 2, 3}, narrow);
        for (std::size_t c = 0; c < task.classes; ++c)
            EXPECT_THAT(predict(*strategy, clouds.draw(c, 20, narrow)), Each(c)) << method.name;
    }
}

TEST(EveryMethod, PredictsOnlySeenClasses) {
    for (const NamedMethod& method : methods()) {
        Clouds clouds(task.width, task.classes, 2);
        const Samples of_first = clouds.draw(0, 20);
        const auto strategy = method.make();
        EXPECT_THAT(predict(*strategy, of_first), Each(0U)) << method.name;
        teach(*strategy, clouds, {2});
        EXPECT_THAT(predict(*strategy, of_first), Each(2U)) << method.name;
        teach(*strategy, clouds, {3});
        EXPECT_THAT(predict(*strategy, of_first), Each(AnyOf(2U, 3U))) << method.name;
        EXPECT_THAT(predict(*strategy, clouds.draw(1, 20)), Each(AnyOf(2U, 3U))) << method.name;
        EXPECT_EQ(predict(*strategy, Samples(task.width)).size(), 0U) << method.name;
    }
}

TEST(EveryMethod, PredictingDoesNotChangeTheModel) {
    for (const NamedMethod& method : methods()) {
        Clouds clouds(task.width, task.classes, 2);
        const Samples probes = clouds.draw(1, 100, 1.2F);
        const auto asked = method.make();
        const auto not_asked = method.make();
        for (const std::size_t label : Labels{0, 1, 2, 1, 3, 0}) {
            const Samples block = clouds.draw(label, 5, 1.2F);
            asked->observe(block, label);
            not_asked->observe(block, label);
            const MemoryUse before = asked->memory_use();
            const std::vector<std::size_t> answers = predict(*asked, probes);
            EXPECT_EQ(predict(*asked, probes), answers) << method.name;
            EXPECT_EQ(asked->memory_use().model, before.model) << method.name;
            EXPECT_EQ(asked->memory_use().data, before.data) << method.name;
        }
        EXPECT_EQ(predict(*asked, probes), predict(*not_asked, probes)) << method.name;
    }
}

TEST(EveryMethod, ABlockIsTheSameAsItsImagesOneByOne) {
    for (const NamedMethod& method : methods()) {
        Clouds clouds(task.width, task.classes, 2);
        const Samples probes = clouds.draw(1, 100, 1.2F);
        const auto whole = method.make();
        const auto single = method.make();
        for (const std::size_t label : Labels{0, 1, 2, 0, 1, 2}) {
            const Samples block = clouds.draw(label, 5, 1.2F);
            whole->observe(block, label);
            whole->observe(Samples(task.width), 3); // an empty block
            for (std::size_t i = 0; i < block.size(); ++i) {
                Samples one(task.width);
                one.add(block.row(i));
                single->observe(one, label);
            }
        }
        const std::vector<std::size_t> answers = predict(*whole, probes);
        EXPECT_EQ(answers, predict(*single, probes)) << method.name;
        EXPECT_THAT(answers, Each(testing::Lt(3U))) << method.name;
        // The prediction for an image does not depend on the other images in the call.
        for (std::size_t i = 0; i < probes.size(); ++i) {
            const auto row = probes.row(i);
            EXPECT_EQ(predict_one(*whole, Row(row.begin(), row.end())), answers[i]) << method.name;
        }
    }
}

TEST(EveryMethod, OrderFreeMethodsDoNotDependOnTheOrder) {
    for (const NamedMethod& method : methods()) {
        if (!method.order_free) continue;
        Clouds clouds(task.width, task.classes, 2);
        std::vector<Samples> blocks;
        for (std::size_t i = 0; i < 12; ++i) blocks.push_back(clouds.draw(i % task.classes, 5, 1.2F));
        const auto forwards = method.make();
        const auto backwards = method.make();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            forwards->observe(blocks[i], i % task.classes);
            const std::size_t last = blocks.size() - 1 - i;
            backwards->observe(blocks[last], last % task.classes);
        }
        for (std::size_t c = 0; c < task.classes; ++c) {
            const Samples probes = clouds.draw(c, 100, 1.2F);
            EXPECT_EQ(predict(*forwards, probes), predict(*backwards, probes)) << method.name;
        }
    }
}

TEST(EveryMethod, RejectsImagesAndClassesOfAnotherTask) {
    const Samples narrow = samples({Row(3)});
    const Samples right = samples({Row(task.width)});
    for (const NamedMethod& method : methods()) {
        const auto strategy = method.make();
        std::vector<std::size_t> answers;
        EXPECT_THROW(strategy->observe(narrow, 0), Error) << method.name;
        EXPECT_THROW(strategy->observe(right, task.classes), Error) << method.name;
        EXPECT_THROW(strategy->predict(narrow, answers), Error) << method.name;
        EXPECT_EQ(strategy->memory_use().bytes(), strategy->memory_use().model) << method.name;
        EXPECT_EQ(strategy->memory_use().images, 0U) << method.name;
    }
}

TEST(EveryMethod, OnlyRandomFeaturesDependOnTheSeed) {
    Clouds clouds(task.width, task.classes, 2);
    const Samples probes = clouds.draw(1, 300, 2.0F);
    Task other = task;
    other.seed = 12;
    const auto differs = [&](const auto& one, const auto& another) {
        Clouds stream(task.width, task.classes, 2);
        for (const std::size_t label : Labels{0, 1, 2, 3}) {
            const Samples block = stream.draw(label, 5, 2.0F);
            one->observe(block, label);
            another->observe(block, label);
        }
        return predict(*one, probes) != predict(*another, probes);
    };
    EXPECT_TRUE(differs(make_random_feature_lda(task, 50, 200), make_random_feature_lda(other, 50, 200)));
    EXPECT_FALSE(differs(make_random_feature_lda(task, 50, 200), make_random_feature_lda(task, 50, 200)));
    EXPECT_FALSE(differs(make_streaming_lda(task, 1500), make_streaming_lda(other, 1500)));
}

} // namespace
} // namespace sprig::baselines

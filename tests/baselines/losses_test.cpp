#include "lab/baselines/net.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sprig::baselines {

namespace {

using Loss = std::function<double(const std::vector<float>&)>;

/// The numerical derivative of a loss by each output.
std::vector<double> slopes(std::vector<float> outputs, const Loss& loss) {
    constexpr float step = 1e-3F;
    std::vector<double> result;
    for (float& output : outputs) {
        const float was = output;
        output = was + step;
        const double above = loss(outputs);
        output = was - step;
        result.push_back((above - loss(outputs)) / (2 * static_cast<double>(step)));
        output = was;
    }
    return result;
}

void expect_slopes(const std::vector<float>& by_output, const std::vector<float>& outputs, const Loss& loss) {
    const std::vector<double> expected = slopes(outputs, loss);
    ASSERT_EQ(by_output.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(by_output[i], expected[i], 1e-3) << i;
}

const std::vector<float> logits = {0.5F, -1, 2, 0.1F, 0.3F, -0.7F};
const std::vector<std::size_t> labels = {2, 0};

double share(const float* row, std::size_t which, double temperature, const std::vector<bool>& counted) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c)
        if (counted[c]) sum += std::exp(static_cast<double>(row[c]) / temperature);
    return std::exp(static_cast<double>(row[which]) / temperature) / sum;
}

TEST(Losses, CrossEntropyIsTheMeanOverRows) {
    std::vector<float> by_output(6);
    add_cross_entropy(logits, labels, 0.5F, by_output);
    expect_slopes(by_output, logits, [](const std::vector<float>& o) {
        const std::vector<bool> all(3, true);
        return -0.5 * (std::log(share(o.data(), 2, 1, all)) + std::log(share(o.data() + 3, 0, 1, all))) / 2;
    });
}

TEST(Losses, ClassesThatAreNotCountedAreNotChanged) {
    const std::vector<bool> counted = {true, false, true};
    std::vector<float> by_output(6);
    add_cross_entropy(logits, labels, 1, by_output, counted);
    EXPECT_EQ(by_output[1], 0);
    EXPECT_EQ(by_output[4], 0);
    expect_slopes(by_output, logits, [&](const std::vector<float>& o) {
        return -(std::log(share(o.data(), 2, 1, counted)) + std::log(share(o.data() + 3, 0, 1, counted))) / 2;
    });
}

TEST(Losses, ASingleCountedClassHasNoGradient) {
    std::vector<float> by_output(3);
    add_cross_entropy(std::vector<float>{1, 2, 3}, std::vector<std::size_t>{1}, 1, by_output,
                      {false, true, false});
    EXPECT_THAT(by_output, testing::Each(0.0F));
}

TEST(Losses, SquaredDistanceIsTheMeanOverAllOutputs) {
    const std::vector<float> wanted = {0, 1, 2, 3, 4, 5};
    std::vector<float> by_output(6);
    add_squared_distance(logits, wanted, 3, by_output);
    expect_slopes(by_output, logits, [&](const std::vector<float>& o) {
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) sum += std::pow(static_cast<double>(o[i] - wanted[i]), 2);
        return 3 * sum / 6;
    });
}

TEST(Losses, DistillationComparesSoftmaxesAtATemperature) {
    const std::vector<float> wanted = {1, 0, -1, 0.5F, 0.5F, 0};
    std::vector<float> by_output(6);
    add_distillation(logits, wanted, 3, 2, 1, by_output);
    expect_slopes(by_output, logits, [&](const std::vector<float>& o) {
        const std::vector<bool> all(3, true);
        double sum = 0;
        for (std::size_t r = 0; r < 2; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                const double then = share(wanted.data() + (3 * r), c, 2, all);
                sum += then * std::log(then / share(o.data() + (3 * r), c, 2, all));
            }
        }
        return 4 * sum / 2;
    });
}

TEST(Losses, AreAddedToTheExistingDerivatives) {
    std::vector<float> by_output(6, 10);
    add_squared_distance(logits, logits, 1, by_output);
    EXPECT_THAT(by_output, testing::Each(10.0F));
}

TEST(Losses, ArgmaxIsTheFirstOfEqualOutputs) {
    std::vector<std::size_t> answers;
    argmax(std::vector<float>{1, 3, 3, 0, -1, -2}, 3, answers);
    EXPECT_THAT(answers, testing::ElementsAre(1, 0));
}

} // namespace

} // namespace sprig::baselines

#include "lab/baselines/net.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baselines/networks.h"

namespace sprig::baselines {

namespace {

TEST(Net, IsAvailableIfItWasBuilt) {
    EXPECT_EQ(has_networks(), SPRIG_HAS_TORCH);
}

/// Runs for a dense and a convolutional network, and for an autoencoder.
class AnyNet : public testing::TestWithParam<Shape> {
  protected:
    void SetUp() override {
        if (!has_networks()) GTEST_SKIP() << "built without LibTorch";
    }
};

double loss_of(std::span<const float> outputs) {
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const double difference = static_cast<double>(outputs[i]) - static_cast<double>(i % 3);
        sum += difference * difference;
    }
    return sum / static_cast<double>(outputs.size());
}

void add_gradient(Net& net, const Samples& inputs) {
    const std::span<const float> outputs = net.forward(inputs);
    std::vector<float> wanted;
    for (std::size_t i = 0; i < outputs.size(); ++i) wanted.push_back(static_cast<float>(i % 3));
    std::vector<float> by_output(outputs.size());
    add_squared_distance(outputs, wanted, 1, by_output);
    net.backward(by_output);
}

TEST_P(AnyNet, GradientIsTheNumericalDerivative) {
    const std::unique_ptr<Net> net = make_net(GetParam(), 1e-3, 1);
    const Samples inputs = bars(1, 3);
    add_gradient(*net, inputs);
    const std::vector<float> gradient(net->gradient().begin(), net->gradient().end());
    constexpr float step = 2e-3F;
    const double here = loss_of(net->outputs(inputs));
    std::size_t compared = 0;
    for (std::size_t i = 0; i < gradient.size(); i += 1 + (gradient.size() / 50)) {
        float& weight = net->weights()[i];
        const float was = weight;
        weight = was + step;
        const double right = (loss_of(net->outputs(inputs)) - here) / static_cast<double>(step);
        weight = was - step;
        const double left = (here - loss_of(net->outputs(inputs))) / static_cast<double>(step);
        weight = was;
        if (std::abs(right - left) > 5e-3) continue; // a kink of a ReLU lies between
        ++compared;
        EXPECT_NEAR(gradient[i], (left + right) / 2, 5e-3) << i;
    }
    EXPECT_GT(compared, 25);
}

TEST_P(AnyNet, GradientsAddUpUntilAStep) {
    const std::unique_ptr<Net> net = make_net(GetParam(), 1e-3, 1);
    add_gradient(*net, bars(0, 2));
    const std::vector<float> once(net->gradient().begin(), net->gradient().end());
    add_gradient(*net, bars(0, 2));
    for (std::size_t i = 0; i < once.size(); ++i) ASSERT_FLOAT_EQ(net->gradient()[i], 2 * once[i]);
    net->step();
    EXPECT_THAT(net->gradient(), testing::Each(0.0F));
}

TEST_P(AnyNet, StepsLowerTheLoss) {
    const std::unique_ptr<Net> net = make_net(GetParam(), 1e-3, 2);
    const Samples inputs = bars(2, 4);
    const double before = loss_of(net->outputs(inputs));
    for (int i = 0; i < 20; ++i) {
        add_gradient(*net, inputs);
        net->step();
    }
    EXPECT_LT(loss_of(net->outputs(inputs)), before);
}

TEST_P(AnyNet, TheSameKeyGivesTheSameNet) {
    const auto outputs = [&](std::uint64_t key) {
        const std::unique_ptr<Net> net = make_net(GetParam(), 1e-3, key);
        for (int i = 0; i < 3; ++i) {
            add_gradient(*net, bars(1, 3));
            net->step();
        }
        const std::span<const float> all = net->outputs(bars(3, 2));
        return std::vector<float>(all.begin(), all.end());
    };
    EXPECT_EQ(outputs(5), outputs(5));
    EXPECT_NE(outputs(5), outputs(6));
}

TEST_P(AnyNet, OutputsDoNotDisturbTheGradient) {
    const std::unique_ptr<Net> net = make_net(GetParam(), 1e-3, 1);
    const std::span<const float> outputs = net->forward(bars(0, 2));
    const std::vector<float> by_output(outputs.size(), 1);
    (void)net->outputs(bars(1, 7));
    net->backward(by_output);
    const std::vector<float> disturbed(net->gradient().begin(), net->gradient().end());
    const std::unique_ptr<Net> other = make_net(GetParam(), 1e-3, 1);
    (void)other->forward(bars(0, 2));
    other->backward(by_output);
    EXPECT_THAT(other->gradient(), testing::ElementsAreArray(disturbed));
}

std::string name_of(const testing::TestParamInfo<Shape>& info) {
    if (info.param.sigmoid) return "Autoencoder";
    return info.param.filters.empty() ? "Dense" : "Convolutional";
}

INSTANTIATE_TEST_SUITE_P(Shapes, AnyNet,
                         testing::Values(Shape{64, {}, {16, 16}, 4}, Shape{64, {4}, {16}, 4},
                                         Shape{64, {}, {8}, 64, true}),
                         name_of);

TEST(Net, BytesAreWeightsAndAdamsMoments) {
    if (!has_networks()) GTEST_SKIP() << "built without LibTorch";
    const std::unique_ptr<Net> net = make_net({64, {}, {16}, 4}, 1e-3, 0);
    const std::size_t weights = (64 * 16) + 16 + (16 * 4) + 4;
    EXPECT_EQ(net->weights().size(), weights);
    EXPECT_EQ(net->bytes(), 3 * 4 * weights);
}

} // namespace

} // namespace sprig::baselines

// How likely it is that an image shows a known class.

#include <cmath>

#include <gtest/gtest.h>

#include "constellation/known.h"
#include "core/keyed.h"
#include "sprig/front_end.h"
#include "support.h"

namespace sprig {
namespace {

using constellation::known_probability;
using test::row_of;

Image random_pixels(std::uint64_t number) {
    Image image(28, 28);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = random::uniform(random::mix({number, i})) < 0.3 ? 255 : 0;
    return image;
}

TEST(Known, IsAProbabilityThatRisesWithTheFit) {
    for (const std::uint64_t samples : {1U, 2U, 30U, 1000U}) {
        double last = -1;
        for (double fit = -50; fit < 50; fit += 0.25) {
            const double known = known_probability(fit, 5, samples);
            EXPECT_GE(known, last);
            EXPECT_GE(known, 0);
            EXPECT_LE(known, 1);
            last = known;
        }
        EXPECT_LT(known_probability(1, 5, samples), 0.05);
        EXPECT_GT(known_probability(6, 5, samples), 0.85);
    }
}

TEST(Known, IsMoreDecidedWithMoreSamples) {
    EXPECT_GT(known_probability(5, 5, 100), known_probability(5, 5, 1));
    EXPECT_LT(known_probability(2, 5, 100), known_probability(2, 5, 1));
}

TEST(Known, OfExtremeFits) {
    EXPECT_EQ(known_probability(-1e300, 5, 1), 0);
    EXPECT_EQ(known_probability(1e300, 5, 1), 1);
    EXPECT_EQ(known_probability(0, 0, 1), 1) << "a blank observation of a blank unit";
    EXPECT_EQ(known_probability(-3, 0, 1), 0);
}

TEST(Known, IsUnsetWithoutSamples) {
    Constellation model(ConstellationParams{}, {});
    EXPECT_FALSE(model.reader()->predict(row_of({0, 1})).known);
    model.add_class("later");
    EXPECT_FALSE(model.reader()->predict(row_of({0, 1})).known);
    model.learn(row_of({0, 1}), "later");
    EXPECT_TRUE(model.reader()->predict(row_of({0, 1})).known);
}

/// Learning a class changes nothing for images whose best class is another one.
TEST(Known, DependsOnTheBestClassAlone) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        const Dataset digits = load_dataset("mnist:train:0-399");
        Constellation model(constellation_preset(preset));
        FrontEnd front_end(model.front_end());
        std::vector<Network> networks;
        for (std::size_t i = 0; i < digits.size(); ++i) networks.push_back(front_end(digits.image(i)));
        for (std::size_t i = 0; i < 300; ++i)
            if (digits.label(i) < 9) model.learn(networks[i], digits.label_name(i));
        const auto before = model.reader();
        for (std::size_t i = 0; i < 300; ++i)
            if (digits.label(i) == 9) model.learn(networks[i], digits.label_name(i));
        const auto after = model.reader();
        std::size_t compared = 0;
        for (std::size_t i = 300; i < 400; ++i) {
            const Prediction was = before->predict(networks[i]);
            const Prediction& is = after->predict(networks[i]);
            if (after->classes()[*is.best] == "9") continue;
            EXPECT_EQ(is.known, was.known);
            ++compared;
        }
        EXPECT_GT(compared, 50U);
    }
}

TEST(Known, IsHighForLearnedImagesAndLowForNoise) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        for (const std::size_t samples : {std::size_t{10}, std::size_t{400}}) {
            const Dataset digits = load_dataset("mnist:train:0-399");
            Constellation model(constellation_preset(preset));
            FrontEnd front_end(model.front_end());
            for (std::size_t i = 0; i < samples; ++i)
                model.learn(front_end(digits.image(i)), digits.label_name(i));
            const auto reader = model.reader();
            double learned = 0;
            double noise = 0;
            for (std::size_t i = 0; i < samples; ++i)
                learned += *reader->predict(front_end(digits.image(i))).known;
            constexpr std::size_t noises = 50;
            for (std::size_t i = 0; i < noises; ++i)
                noise += *reader->predict(front_end(random_pixels(i).view())).known;
            EXPECT_GT(learned / static_cast<double>(samples), 0.85) << preset << ' ' << samples;
            EXPECT_LT(noise / noises, 0.15) << preset << ' ' << samples;
        }
    }
}

} // namespace
} // namespace sprig

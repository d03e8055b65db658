#include "model/assessor.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

namespace sprig {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Prediction predicted(std::vector<double> probabilities, double margin, std::optional<double> fit = {}) {
    Prediction prediction;
    prediction.best =
        static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
    prediction.probabilities = std::move(probabilities);
    prediction.margin = margin;
    prediction.fit = fit;
    return prediction;
}

/// Three classes, four images of two of them: a correct at .8 and .6, a classified as b at .5, b correct at
/// .9.
Assessor four_images() {
    Assessor assessor({"a", "b", "c"});
    assessor.add(predicted({0.8, 0.1, 0.1}, 4), "a");
    assessor.add(predicted({0.6, 0.2, 0.2}, 2), "a");
    assessor.add(predicted({0.4, 0.5, 0.1}, 3), "a");
    assessor.add(predicted({0.1, 0.9, 0}, 5), "b");
    return assessor;
}

TEST(Assessor, CountsByClassAndByAnswer) {
    const Assessment result = four_images().result();
    EXPECT_EQ(result.images, 4U);
    EXPECT_EQ(result.right, 3U);
    EXPECT_EQ(result.accuracy, 0.75);
    EXPECT_DOUBLE_EQ(*result.balanced_accuracy, (2.0 / 3 + 1) / 2) << "there are no images of c";
    EXPECT_THAT(result.confusion,
                ElementsAre(ElementsAre(2, 1, 0), ElementsAre(0, 1, 0), ElementsAre(0, 0, 0)));
    ASSERT_EQ(result.classes.size(), 3U);
    EXPECT_EQ(result.classes[0].label, "a");
    EXPECT_EQ(result.classes[0].images, 3U);
    EXPECT_EQ(result.classes[0].right, 2U);
    EXPECT_EQ(result.classes[0].answers, 2U);
    EXPECT_EQ(result.classes[1].answers, 2U);
    EXPECT_EQ(result.classes[1].accuracy(), 1);
    EXPECT_EQ(result.classes[2].accuracy(), std::nullopt);
}

TEST(Assessor, AssessesProbabilities) {
    const Assessment result = four_images().result();
    EXPECT_NEAR(*result.log_loss, -(std::log(0.8) + std::log(0.6) + std::log(0.4) + std::log(0.9)) / 4,
                1e-12);
    // The squares of .2 .1 .1, of .4 .2 .2, of .6 .5 .1 and of .1 .1 0.
    EXPECT_NEAR(*result.brier, (0.06 + 0.24 + 0.62 + 0.02) / 4, 1e-12);
    // Each in a bin of its own (fifteenths: 12, 9, 7, 13): off by .2, .4, .5 and .1.
    EXPECT_NEAR(*result.calibration_error, (0.2 + 0.4 + 0.5 + 0.1) / 4, 1e-12);
    ASSERT_EQ(result.reliability.size(), default_bins);
    EXPECT_EQ(result.reliability[7].images, 1U);
    EXPECT_EQ(result.reliability[7].accuracy, 0);
    EXPECT_DOUBLE_EQ(result.reliability[7].confidence, 0.5);
}

TEST(Assessor, RanksAnswersByConfidence) {
    const Assessment result = four_images().result();
    // By margin: right (5), right (4), wrong (3), right (2). By probability the wrong one is last.
    ASSERT_EQ(result.coverage.size(), 8U);
    EXPECT_EQ(result.coverage.front().coverage, 1);
    EXPECT_EQ(result.coverage.front().by_margin, 0.75);
    EXPECT_EQ(result.coverage.front().by_probability, 0.75);
    EXPECT_EQ(result.coverage[6].coverage, 0.7) << "three of four";
    EXPECT_DOUBLE_EQ(result.coverage[6].by_margin, 2.0 / 3);
    EXPECT_EQ(result.coverage[6].by_probability, 1);
    EXPECT_EQ(result.coverage.back().by_margin, 1);
}

TEST(Assessor, CountsUnknownClassesSeparately) {
    Assessor assessor = four_images();
    assessor.add(predicted({0.5, 0.3, 0.2}, 1), "z");
    assessor.add(predicted({0.7, 0.2, 0.1}, 6), "y");
    assessor.add(predicted({0.7, 0.2, 0.1}, 6), "z");
    const Assessment result = assessor.result();
    EXPECT_EQ(result.images, 4U);
    EXPECT_EQ(result.accuracy, 0.75);
    EXPECT_EQ(result.unknown_images, 3U);
    EXPECT_THAT(result.unknown, ElementsAre(Pair("z", 2), Pair("y", 1)));
    // Margins 4 2 3 5 against 1 6 6: 4 of 12 pairs. Probabilities .8 .6 .5 .9 against .5 .7 .7:
    // 3 + 1 + 1/2 + 3 of 12.
    EXPECT_DOUBLE_EQ(result.unknown_detection->by_margin, 4.0 / 12);
    EXPECT_DOUBLE_EQ(result.unknown_detection->by_probability, 7.5 / 12);
    EXPECT_EQ(result.unknown_detection->by_fit, std::nullopt);
    EXPECT_EQ(four_images().result().unknown_detection, std::nullopt);
}

TEST(Assessor, DetectsUnknownClassesByFit) {
    Assessor assessor({"a", "b"});
    assessor.add(predicted({0.9, 0.1}, 1, 3.0), "a");
    assessor.add(predicted({0.9, 0.1}, 1, 1.0), "b");
    assessor.add(predicted({0.9, 0.1}, 1, 2.0), "z");
    EXPECT_EQ(assessor.result().unknown_detection->by_fit, 0.5);
}

TEST(Assessor, WithoutImages) {
    const Assessment result = Assessor({"a"}).result();
    EXPECT_EQ(result.accuracy, std::nullopt);
    EXPECT_EQ(result.balanced_accuracy, std::nullopt);
    EXPECT_EQ(result.brier, std::nullopt);
    EXPECT_THAT(result.coverage, IsEmpty());
    // For a model without classes, every image is of an unknown class.
    Assessor empty({});
    empty.add(Prediction{}, "a");
    EXPECT_EQ(empty.result().unknown_images, 1U);
}

TEST(Assessor, RejectsPredictionsWithOtherClasses) {
    Assessor assessor({"a", "b"});
    EXPECT_THROW(assessor.add(predicted({1}, 0), "a"), Error);
    EXPECT_THROW(assessor.add(Prediction{}, "a"), Error);
    EXPECT_EQ(assessor.result().images, 0U);
}

TEST(Assessor, WritesJson) {
    Assessor assessor = four_images();
    assessor.add(predicted({0.5, 0.3, 0.2}, 1), "z");
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(assessor.result()));
    EXPECT_EQ(json["accuracy"], 0.75);
    EXPECT_EQ(json["classes"][0]["label"], "a");
    EXPECT_EQ(json["classes"][2]["accuracy"], nullptr);
    EXPECT_EQ(json["confusion"][0][1], 1);
    EXPECT_EQ(json["reliability"].size(), default_bins);
    EXPECT_EQ(json["coverage"][0]["by_margin"], 0.75);
    EXPECT_EQ(json["unknown"]["images"], 1);
    EXPECT_EQ(json["unknown"]["classes"][0]["label"], "z");
    EXPECT_EQ(json["unknown"]["auroc"]["by_margin"], 1);
    EXPECT_EQ(nlohmann::json::parse(to_json(Assessor({}).result()))["accuracy"], nullptr);
}

} // namespace
} // namespace sprig

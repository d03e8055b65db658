#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "sprig/learner.h"

namespace sprig {
namespace {

/// Knows no cheaper way to decide than to predict.
class PlainReader final : public Reader {
  public:
    [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
    const Prediction& predict(const Network&) override {
        ++asked;
        return prediction;
    }
    [[nodiscard]] Explanation explain(const Network&) override { return {prediction, {}}; }
    [[nodiscard]] std::unique_ptr<Reader> clone() const override {
        return std::make_unique<PlainReader>(*this);
    }

    Prediction prediction;
    int asked = 0;

  private:
    std::vector<std::string> classes_ = {"a", "b"};
};

TEST(Reader, WithoutABetterWayADecisionIsThatOfAPrediction) {
    PlainReader reader;
    const Network network(front_end_schema({}));
    EXPECT_FALSE(reader.decide(network).best.has_value());
    reader.prediction.best = 1;
    reader.prediction.work.reached = 7;
    const Decision& decision = reader.decide(network);
    EXPECT_EQ(decision.best, 1U);
    EXPECT_EQ(decision.work.reached, 7U);
    EXPECT_EQ(reader.asked, 2);
    EXPECT_EQ(reader.clone()->decide(network).best, 1U);
}

TEST(Reader, WithoutABetterWayNothingCanBeSupposed) {
    PlainReader reader;
    const Network network(front_end_schema({}));
    reader.prediction.scores = {1, 2};
    EXPECT_TRUE(reader.suppositions(network, 0, 1).empty());
    EXPECT_EQ(reader.scores_if(network, {}), reader.prediction.scores);
    EXPECT_EQ(reader.least_needed(network, 0, {}, 5), 0U);
    const Supposition one;
    EXPECT_THROW((void)reader.scores_if(network, std::span(&one, 1)), Error);
}

} // namespace
} // namespace sprig

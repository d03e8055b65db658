#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "sprig/learner.h"

namespace sprig {
namespace {

/// A reader that uses the defaults of all optional functions.
class PlainReader final : public Reader {
  public:
    [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
    const Prediction& predict(const Network&) override {
        ++predictions;
        return prediction;
    }
    [[nodiscard]] Explanation explain(const Network&) override { return {prediction, {}}; }
    [[nodiscard]] std::unique_ptr<Reader> clone() const override {
        return std::make_unique<PlainReader>(*this);
    }

    Prediction prediction;
    int predictions = 0;

  private:
    std::vector<std::string> classes_ = {"a", "b"};
};

TEST(Reader, DecidesByPredictingByDefault) {
    PlainReader reader;
    const Network network(front_end_schema({}));
    EXPECT_FALSE(reader.decide(network).best.has_value());
    reader.prediction.best = 1;
    reader.prediction.work.reached = 7;
    const Decision& decision = reader.decide(network);
    EXPECT_EQ(decision.best, 1U);
    EXPECT_EQ(decision.work.reached, 7U);
    EXPECT_EQ(reader.predictions, 2);
    EXPECT_EQ(reader.clone()->decide(network).best, 1U);
}

TEST(Reader, SupportsNoAdditionsByDefault) {
    PlainReader reader;
    const Network network(front_end_schema({}));
    reader.prediction.scores = {1, 2};
    EXPECT_TRUE(reader.possible_additions(network, 0, 1).empty());
    EXPECT_EQ(reader.scores_with(network, {}), reader.prediction.scores);
    EXPECT_EQ(reader.fewest_needed(network, 0, {}, 5), 0U);
    const Addition one;
    EXPECT_THROW((void)reader.scores_with(network, std::span(&one, 1)), Error);
}

} // namespace
} // namespace sprig

// The Student-t read-out, compared with the textbook formula on the raw data.

#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig {
namespace {

/// The log predictive density of a Gaussian with unknown mean and spread, with a prior on the spread.
double log_predictive(double at, const std::vector<double>& values, const ModellerParams& params) {
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) mean += value / n;
    double squares = params.prior_weight * params.spread_floor * params.spread_floor;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double degrees = params.prior_weight + n;
    const double scale = std::sqrt(squares / degrees * (1 + (1 / n)));
    const double z = (at - mean) / scale;
    return std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2) - std::log(scale) -
           (0.5 * std::log(degrees)) - ((degrees + 1) / 2 * std::log1p(z * z / degrees));
}

Network dot(double x, double y) {
    return test::network_of({{0, x, y}}, {});
}

TEST(Student, MatchesTheTextbookFormula) {
    ModellerParams params = modeller_preset("best");
    params.read_out = ModellerParams::ReadOut::student;
    params.spawn_reliability = 0; // one unit per class, without upstreams
    const std::vector<std::vector<double>> own = {{3, 4, 6, 3}, {10, 10, 12, 9}};
    const std::vector<std::vector<double>> foreign = {{8, 9, 14}, {11, 13, 20}};
    Modeller modeller(params);
    modeller.add_class("own");
    for (std::size_t i = 0; i < own[0].size(); ++i) modeller.learn(dot(own[0][i], own[1][i]), "own");
    for (std::size_t i = 0; i < foreign[0].size(); ++i)
        modeller.learn(dot(foreign[0][i], foreign[1][i]), "other");
    ASSERT_EQ(modeller.model_size().total(), 2U);
    const std::unique_ptr<Reader> reader = modeller.reader();
    // It fired in all samples of both classes.
    const double rates = std::log((4 + params.smoothing) / (4 + (2 * params.smoothing))) -
                         std::log((3 + params.smoothing) / (3 + (2 * params.smoothing)));
    for (const auto& [x, y] : std::vector<std::pair<double, double>>{{3, 10}, {5, 12}, {12, 18}, {27, 0}}) {
        const double places = log_predictive(x, own[0], params) - log_predictive(x, foreign[0], params) +
                              log_predictive(y, own[1], params) - log_predictive(y, foreign[1], params);
        // The logarithms of the gamma function are approximated to 1e-5 each.
        EXPECT_NEAR(reader->predict(dot(x, y)).scores[0], rates + (params.position_weight * places), 1e-4);
    }
}

} // namespace
} // namespace sprig

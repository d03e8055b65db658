#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constellation/assignment.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

/// Added to a bound before it is compared with a score: larger than any accumulated rounding error.
inline constexpr double rounding_margin = 1e-6;

/// Computes the log-likelihood of an observation under a unit, relative to pure clutter, in nats. Each node
/// of the unit is placed on an observed node of its type or is absent. The score is the log-probability that
/// all nodes are absent plus the gain of each placement. Has working memory: one per thread.
class UnitScorer {
  public:
    explicit UnitScorer(const ConstellationParams& params, const FeatureSet& set)
        : params_(params), set_(set) {}

    /// An upper bound of the score. Cheap: it does not compare features.
    [[nodiscard]] static double bound(const Predictive& unit, const ObservationFeatures& observed);

    /// The score, given its upper bound. Returns minus infinity as soon as the score is known to be below
    /// `floor`.
    double score(const Predictive& unit, const ObservationFeatures& observed, double bound,
                 double floor = -std::numeric_limits<double>::infinity());
    double score(const Predictive& unit, const ObservationFeatures& observed) {
        return score(unit, observed, std::numeric_limits<double>::infinity());
    }

    /// The same score; also records the placement of each node of the unit, unless the result is minus
    /// infinity.
    double place(const Predictive& unit, const ObservationFeatures& observed,
                 double bound = std::numeric_limits<double>::infinity(),
                 double floor = -std::numeric_limits<double>::infinity());
    /// By node of the unit: its observed node, or `unassigned`.
    [[nodiscard]] std::span<const std::uint32_t> placed() const { return placed_; }
    /// By node of the unit: the gain of its placement.
    [[nodiscard]] std::span<const double> gains() const { return gains_; }

  private:
    /// The two columns with the largest gains for a node.
    struct Choice {
        double best = 0;
        double next = 0;
        std::uint32_t column = unassigned; ///< of `best`
        std::uint32_t next_column = unassigned;

        [[nodiscard]] double regret() const { return best - next; }
    };

    template <bool has_default_layout>
    void fill_table(const Predictive& unit, const ObservationFeatures& observed, std::size_t type);
    bool assign_choices(double& sum);
    template <bool recorded>
    double place_all(const Predictive& unit, const ObservationFeatures& observed, double bound, double floor);
    void record(const Predictive& unit, const ObservationFeatures& observed, std::size_t type);
    double place_type(const Predictive& unit, const ObservationFeatures& observed, std::size_t type);

    const ConstellationParams& params_;
    const FeatureSet& set_;
    GainTable table_;
    Assigner assigner_;
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> placed_;
    std::vector<double> gains_;
};

} // namespace sprig::constellation

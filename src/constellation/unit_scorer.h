#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constellation/assignment.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

/// Computes the log-likelihood of an observation under a unit, relative to pure clutter, in nats. Each node
/// of the unit is placed on an observed node of its type or is absent. The score is the log-probability that
/// all nodes are absent plus the gain of each placement. Has working memory: one per thread.
class UnitScorer {
  public:
    explicit UnitScorer(const ConstellationParams& params, const FeatureSet& set)
        : params_(params), set_(set) {}

    double score(const Predictive& unit, const ObservationFeatures& observed);
    /// The same; also records the placement of each node of the unit.
    double place(const Predictive& unit, const ObservationFeatures& observed);
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

    /// A node of the unit and an observed node of its type.
    struct Pair {
        std::uint32_t node = 0;
        std::uint32_t seen = 0;
    };

    void collect_pairs(const Predictive& unit, const ObservationFeatures& observed);
    void compute_gains(const Predictive& unit, const ObservationFeatures& observed);
    [[nodiscard]] double best_sum(const double* gains, std::uint32_t rows, std::uint32_t columns);
    double assign_columns(const double* gains, std::uint32_t rows, std::uint32_t columns);
    void choose_columns();
    bool assign_choices(double& sum);
    template <bool recorded>
    double place_all(const Predictive& unit, const ObservationFeatures& observed);

    const ConstellationParams& params_;
    const FeatureSet& set_;
    std::vector<Pair> pairs_;        ///< by type, observed node, and node
    std::vector<double> pair_gains_; ///< by pair
    GainTable table_;                ///< of one type, if it needs an assignment
    Assigner assigner_;
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> placed_;
    std::vector<double> gains_;
};

} // namespace sprig::constellation

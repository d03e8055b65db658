#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constellation/assignment.h"
#include "constellation/logarithm.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

struct TypePairs;

/// The gains of the nodes of one type: rows are nodes of the unit, columns observed nodes. They are computed
/// in pairs, so that some are there twice.
struct TypeGains {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    /// By column: all rows, two in a pair. Or, if there is only one row, two columns in a pair.
    const Lanes* lanes = nullptr;

    /// The number of pairs in a column.
    [[nodiscard]] std::size_t stride() const { return (rows + std::size_t{1}) / 2; }
    [[nodiscard]] double at(std::uint32_t row, std::uint32_t column) const {
        return rows == 1 ? lanes[column / 2][column % 2] : lanes[(column * stride()) + (row / 2)][row % 2];
    }
};

/// Computes the log-likelihood of an observation under a unit, relative to pure clutter, in nats. Each node
/// of the unit is placed on an observed node of its type or is absent. The score is the log-probability that
/// all nodes are absent plus the gain of each placement. Has working memory: one per thread.
class UnitScorer {
  public:
    explicit UnitScorer(const ConstellationParams& params, const FeatureSet& set)
        : optimal_(params.assignment == ConstellationParams::Assignment::optimal), set_(set) {}

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

    template <typename Layout, typename Use>
    void each_type(const Predictive& unit, const ObservationFeatures& observed, const Layout& layout,
                   Use use) const;
    template <typename Layout>
    TypeGains compute_gains(const TypePairs& pairs, const Layout& layout);
    template <typename Layout>
    double best_sum(const TypePairs& pairs, const Layout& layout);
    template <typename Layout>
    double score_with(const Predictive& unit, const ObservationFeatures& observed, const Layout& layout);
    template <typename Layout>
    double place_with(const Predictive& unit, const ObservationFeatures& observed, const Layout& layout);
    double choose_one(const TypeGains& gains);
    double assign_columns(const TypeGains& gains);
    void choose_columns(const TypeGains& gains);
    bool assign_choices(std::uint32_t rows, double& sum);

    bool optimal_; ///< whether the assignment is optimal, or greedy
    const FeatureSet& set_;
    LogarithmTerms<Lanes> terms_;
    std::vector<Lanes> lanes_; ///< the gains of one type
    GainTable table_;          ///< the same, if it needs an assignment
    Assigner assigner_;
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> placed_;
    std::vector<double> gains_;
};

} // namespace sprig::constellation

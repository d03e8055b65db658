#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constellation/assignment.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

/// Explains observations by units: each node of the unit is placed on a node of its type, or missing. The
/// result says how much likelier the observation is by this unit than as mere clutter, in nats: the absence
/// of every node, and what each placement gains over it. Has working memory: one for each thread.
class Explainer {
  public:
    explicit Explainer(const ConstellationParams& params, const FeatureSet& set)
        : params_(params), set_(set) {}

    /// No explanation by this unit is better than this. Cheap: it looks at counts only.
    [[nodiscard]] static double bound(const Predictive& unit, const Sight& sight);

    /// How well the unit explains the observation, given how well it might (`bound`); as soon as it is
    /// certain to stay below `floor`, the search is given up and minus infinity returned.
    double explain(const Predictive& unit, const Sight& sight, double bound,
                   double floor = -std::numeric_limits<double>::infinity());
    /// The same from the beginning.
    double explain(const Predictive& unit, const Sight& sight) {
        return explain(unit, sight, std::numeric_limits<double>::infinity());
    }

    /// The same once more, and remembers where each node of the unit was placed: an index into the sight, or
    /// `nowhere` ...
    double place(const Predictive& unit, const Sight& sight);
    [[nodiscard]] std::span<const std::uint32_t> placed() const { return placed_; }
    /// ... and what each placement gained.
    [[nodiscard]] std::span<const double> gains() const { return gains_; }

  private:
    /// Where a node would gain most, and where next to most.
    struct Wish {
        double best = 0;
        double next = 0;
        std::uint32_t column = nowhere;
        std::uint32_t next_column = nowhere;

        [[nodiscard]] double regret() const { return best - next; }
    };

    void tabulate(const Predictive& unit, const Sight& sight, std::size_t type);
    bool fulfil_wishes(double& sum);
    double place_type(const Predictive& unit, const Sight& sight, std::size_t type);

    const ConstellationParams& params_;
    const FeatureSet& set_;
    GainTable table_;
    Assigner assigner_;
    std::vector<Wish> wishes_;
    std::vector<std::uint32_t> placed_;
    std::vector<double> gains_;
};

} // namespace sprig::constellation

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "constellation/observation_features.h"
#include "constellation/predictive.h"
#include "constellation/sketch.h"

namespace sprig::constellation {

/// A SIMD vector of eight small integers.
using Shorts = std::int16_t __attribute__((vector_size(16)));
inline constexpr std::size_t short_lanes = 8;

/// By lane: the smaller value.
inline Shorts smaller(Shorts a, Shorts b) {
    return a < b ? a : b;
}

/// What a unit and an observation have of each type, for a bound that is computed for many units at once: it
/// compares neither positions nor other features. Numbers are in eighths of a nat, rounded up.
///
/// A placement gains g + s, of the node of the unit and of the observed node. No s is below a constant c, so
/// that it gains at most max(0, g + c) + (s - c), where both terms are not negative. Of the nodes of a type
/// at most as many gain as both have, and the sums of the largest terms are bounded by straight lines.

/// Of a unit. By type, in blocks of eight: the numbers of nodes, the largest term, the sum of all terms. Also
/// has the sketch of the unit.
class UnitSummary {
  public:
    UnitSummary(const Predictive& unit, double least_surprise, Sketch sketch);

    [[nodiscard]] const Sketch& sketch() const { return sketch_; }

    /// Whether the numbers are small enough. Otherwise the bound is infinite.
    [[nodiscard]] bool is_usable() const { return is_usable_; }
    [[nodiscard]] double all_absent() const { return all_absent_; }
    [[nodiscard]] std::span<const Shorts> values() const { return values_; }
    [[nodiscard]] std::uint32_t nodes(std::size_t type) const {
        return static_cast<std::uint32_t>(values_[3 * (type / short_lanes)][type % short_lanes]);
    }
    [[nodiscard]] static double nats(double units) { return units / 8; }
    [[nodiscard]] static std::size_t blocks(std::size_t types) {
        return (types + short_lanes - 1) / short_lanes;
    }

  private:
    double all_absent_;
    bool is_usable_ = true;
    std::vector<Shorts> values_;
    Sketch sketch_;
};

/// Of an observation in one pose. By type, in blocks of eight: the number of nodes, the sum of all terms, and
/// the slopes and intercepts of two lines above the sums of the largest terms.
class ObservationSummary {
  public:
    void assign(const ObservationFeatures& observed, double least_surprise);

    /// The sum over the types of the bounds of their gains. Only if both are usable.
    [[nodiscard]] double greatest_gain(const Shorts* unit) const;
    /// The same for each type, as whole numbers: see UnitSummary::nats.
    void gains_by_type(const Shorts* unit, std::vector<std::int16_t>& gains) const;
    [[nodiscard]] bool is_usable() const { return is_usable_; }

  private:
    struct Block {
        Shorts count;
        Shorts all;
        Shorts first_slope;
        Shorts first_intercept;
        Shorts second_slope;
        Shorts second_intercept;
    };
    [[nodiscard]] static Shorts gains_of(const Shorts* unit, const Block& seen);
    void set_type(Block& block, std::size_t lane, std::span<const double> ranked_surprises,
                  double least_surprise);

    bool is_usable_ = true;
    std::vector<Block> blocks_;
    std::vector<double> sums_;
};

} // namespace sprig::constellation

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constellation/known.h"
#include "constellation/posed_observation.h"
#include "constellation/screening.h"
#include "constellation/unit.h"
#include "constellation/unit_scorer.h"
#include "core/lazy.h"

namespace sprig::constellation {

[[nodiscard]] std::uint64_t digest_of(const Unit& unit);

/// A unit and its precomputed predictive distribution. Immutable: readers share it.
struct LearnedUnit {
    LearnedUnit(Unit learned, const ConstellationParams& params, const FeatureSet& set, std::size_t types)
        : unit(std::move(learned)), predictive(unit, params, set, types) {}

    // For bounds. They are made when they are first needed: a unit that learns again soon may never need
    // them.
    [[nodiscard]] const std::vector<double>& ranked_gains() const {
        return ranked_gains_.get([&] { return predictive.ranked_gains(); });
    }
    [[nodiscard]] const UnitLanes& lanes(const FeatureSet& set) const {
        return lanes_.get([&] { return UnitLanes(predictive, ranked_gains(), set); });
    }

    /// Of everything that was learned.
    [[nodiscard]] std::uint64_t digest() const {
        return digest_.get([&] { return digest_of(unit); });
    }

    /// See known.h.
    [[nodiscard]] double expected_fit(const ConstellationParams& params, const FeatureSet& set) const {
        return expected_fit_.get([&] { return constellation::expected_fit(unit, predictive, params, set); });
    }

    Unit unit;
    Predictive predictive;

  private:
    Lazy<std::uint64_t> digest_;
    Lazy<double> expected_fit_;
    Lazy<std::vector<double>> ranked_gains_;
    Lazy<UnitLanes> lanes_;
};

/// The score per node at which a sample joins a unit of a class that has this many samples.
[[nodiscard]] double join_threshold(const ConstellationParams& params, std::uint64_t samples);

/// Throws Error(failed) if a unit is inconsistent with itself, the features or the sample count of its class.
void check_unit(const Unit& unit, const FeatureSet& set, std::size_t types, std::uint64_t samples,
                const std::string& label);

/// The lineage of the unit created by the given sample of a class.
[[nodiscard]] Lineage lineage_of(std::string_view label, std::uint64_t sample);

/// The model of one class. It is independent of all other classes.
class ClassModel {
  public:
    explicit ClassModel(std::string label);
    /// Restores a stored model; `check` tells whether it is consistent.
    ClassModel(std::string label, std::uint64_t samples,
               std::vector<std::shared_ptr<const LearnedUnit>> units);

    [[nodiscard]] const std::string& label() const { return label_; }
    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    [[nodiscard]] const std::vector<std::shared_ptr<const LearnedUnit>>& units() const { return units_; }

    /// Learns one sample of the class.
    void learn(PosedObservation& sample, UnitScorer& scorer, const ConstellationParams& params,
               LearnReport& report);

    /// Throws Error(failed) if the model is inconsistent.
    void check(const FeatureSet& set, std::size_t types) const;
    [[nodiscard]] std::uint64_t digest() const;

  private:
    /// The best-scoring unit for a sample.
    struct Best {
        std::size_t unit = 0; ///< units_.size() if there is none
        std::size_t pose = 0;
        double log_likelihood = 0;
        std::vector<std::uint32_t> placed; ///< see UnitScorer::placed
    };
    [[nodiscard]] Best best_unit(PosedObservation& sample, UnitScorer& scorer) const;
    [[nodiscard]] Best best_unit_in_any_pose(PosedObservation& sample, UnitScorer& scorer) const;
    void remove_excess_units(const ConstellationParams& params, LearnReport& report);
    void remove(std::size_t unit, LearnReport& report);

    std::string label_;
    std::uint64_t key_; ///< hash of the label
    std::uint64_t samples_ = 0;
    std::vector<std::shared_ptr<const LearnedUnit>> units_; ///< by sample of creation
};

} // namespace sprig::constellation

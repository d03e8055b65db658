#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constellation/learned_unit.h"
#include "constellation/posed_observation.h"
#include "constellation/unit_scorer.h"

namespace sprig::constellation {

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
    void learn(PosedObservation& sample, UnitScorer& scorer, const UnitContext& context, LearnReport& report);

    /// Makes all units ready to be scored, or packs those of one sample. Has no effect on what they are.
    void unpack(const UnitContext& context);
    void pack(const UnitContext& context);
    /// The number of nodes of units that could be packed.
    [[nodiscard]] std::size_t unpacked_nodes() const;

    /// Throws Error(failed) if the model is inconsistent.
    void check(const UnitContext& context) const;
    [[nodiscard]] std::uint64_t digest(const FeatureSet& set) const;

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
    [[nodiscard]] const ReadyUnit& ready(std::size_t unit) const { return *units_[unit]->ready(); }
    void remove_excess_units(const ConstellationParams& params, LearnReport& report);
    void remove(std::size_t unit, LearnReport& report);

    std::string label_;
    std::uint64_t key_; ///< hash of the label
    std::uint64_t samples_ = 0;
    std::vector<std::shared_ptr<const LearnedUnit>> units_; ///< by sample of creation
};

} // namespace sprig::constellation

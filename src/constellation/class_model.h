#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constellation/explainer.h"
#include "constellation/unit.h"

namespace sprig::constellation {

/// A unit and what reading needs of it. Never changed once made: readers share it.
struct LearnedUnit {
    LearnedUnit(Unit learned, const ConstellationParams& params, const FeatureSet& set, std::size_t types)
        : unit(std::move(learned)), predictive(unit, params, set, types) {}

    Unit unit;
    Predictive predictive;
};

/// Throws Error(failed) if a unit contradicts itself, the features or the samples of its class.
void check_unit(const Unit& unit, const FeatureSet& set, std::size_t types, std::uint64_t samples,
                const std::string& label);

/// The name of the unit that a sample of a class founds.
[[nodiscard]] Lineage lineage_of(std::string_view label, std::uint64_t sample);

/// All that is learned of one class. It knows of no other class.
class ClassModel {
  public:
    explicit ClassModel(std::string label);
    /// One that was kept somewhere. Whether it contradicts itself is told by `check`.
    ClassModel(std::string label, std::uint64_t samples,
               std::vector<std::shared_ptr<const LearnedUnit>> units);

    [[nodiscard]] const std::string& label() const { return label_; }
    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    [[nodiscard]] const std::vector<std::shared_ptr<const LearnedUnit>>& units() const { return units_; }

    /// One more sample of the class, seen in one or more poses.
    void learn(std::span<const Sight> sights, Explainer& explainer, const ConstellationParams& params,
               LearnReport& report);

    /// Throws Error(failed) if the content contradicts itself.
    void check(const FeatureSet& set, std::size_t types) const;
    [[nodiscard]] std::uint64_t digest() const;

  private:
    /// The unit that explains a sample best, and how.
    struct Best {
        std::size_t unit = 0; ///< as many as there are: none
        std::size_t pose = 0;
        double explained = 0;
    };
    [[nodiscard]] Best best_unit(std::span<const Sight> sights, Explainer& explainer) const;
    void retire(const ConstellationParams& params, LearnReport& report);
    void remove(std::size_t unit, LearnReport& report);

    std::string label_;
    std::uint64_t key_; ///< the label's
    std::uint64_t samples_ = 0;
    std::vector<std::shared_ptr<const LearnedUnit>> units_; ///< by birth
};

} // namespace sprig::constellation

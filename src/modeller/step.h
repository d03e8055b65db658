#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "match/full_search.h"
#include "match/partial_search.h"
#include "match/population.h"
#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// Whether a unit (or class) is there and as its conditioners say (active), there and not so (inactive), or
/// not there.
enum class State : std::uint8_t { unobserved, active, inactive };

/// What the learning steps of all classes use again: searches with their memory.
struct StepMemory {
    explicit StepMemory(const ModellerParams& params);

    match::FullSearch full;
    match::PartialSearch partial;
    match::PopulationSearch population;
    std::vector<State> states;                    ///< by unit
    std::vector<std::uint32_t> placed_at;         ///< by node slot: the observed node
    std::vector<double> reliability;              ///< by unit: as it was before this step
    std::vector<std::vector<std::uint64_t>> used; ///< by depth: the observed nodes of the chain so far
    std::vector<std::uint32_t> pins;
    std::vector<std::uint32_t> placed;
};

/// One observation, one class, one learning step. Everything that a class learns it learns here, from its
/// own units alone.
class Step {
  public:
    /// `number` is the model's step, `seed` its seed; `is_own`: the observation is of this class.
    Step(ClassModel& model, const match::Observation& observation, bool is_own, std::uint64_t number,
         std::uint64_t seed, const ModellerParams& params, StepMemory& memory);

    LearnReport run();

  private:
    // Traversal
    void process(UnitId id);
    bool match(UnitId id);
    bool refine(UnitId id, const match::Query& query, bool conditioned);
    const match::PartialMatch& match_in_part(const Unit& unit, const match::Query& query);
    [[nodiscard]] match::Query query_for(const Unit& unit);
    [[nodiscard]] bool is_conditioned(const Unit& unit) const;
    [[nodiscard]] State target_state(const Unit& unit) const;
    [[nodiscard]] std::uint32_t count_above(const Unit& unit) const;
    void grow_memory();

    // Generation
    void generate();
    void generate_upstream(UnitId target, Birth birth);
    [[nodiscard]] bool has_active_upstream(const Unit& unit, Polarity polarity) const;
    [[nodiscard]] Source whole_observation() const;
    [[nodiscard]] Source remainder(UnitId target) const;
    void settle_newborn(UnitId id, const Source& source);

    // Statistics
    void fold();
    void fold_unit(Unit& unit, State state);

    // Retiring
    void maintain();
    [[nodiscard]] bool is_to_be_removed(const Unit& unit, double satisfied) const;
    [[nodiscard]] bool is_to_be_merged(const Unit& unit, double satisfied) const;
    [[nodiscard]] bool draw(const Unit& unit, std::uint64_t purpose, double probability) const;

    ClassModel& model_;
    const match::Observation& observation_;
    bool is_own_;
    std::uint64_t number_;
    std::uint64_t seed_;
    const ModellerParams& params_;
    StepMemory& memory_;
    LearnReport report_;
};

} // namespace sprig::modeller

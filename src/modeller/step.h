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

/// The state of a unit in one observation: it does not match (unobserved), or it matches and its target is
/// (active) or is not (inactive) in the state that the unit conditions. A class is active in its own samples.
enum class State : std::uint8_t { unobserved, active, inactive };

/// Memory that the learning steps of all classes share.
struct StepWorkspace {
    explicit StepWorkspace(const ModellerParams& params);

    match::FullSearch full;
    match::PartialSearch partial;
    match::PopulationSearch population;
    std::vector<State> states;                    ///< by unit
    std::vector<std::uint32_t> placed_at;         ///< by node slot: the observed node
    std::vector<double> reliability;              ///< by unit: before this step
    std::vector<std::vector<std::uint64_t>> used; ///< by depth: observed nodes assigned to the chain
    std::vector<std::uint32_t> pins;
    std::vector<std::uint32_t> placed;
};

/// One learning step of one class on one observation. It reads and changes only the units of this class.
class Step {
  public:
    /// `number` and `seed` are the model's; `is_own`: the observation is a sample of this class.
    Step(ClassModel& model, const match::Observation& observation, bool is_own, std::uint64_t number,
         std::uint64_t seed, const ModellerParams& params, StepWorkspace& workspace);

    LearnReport run();

  private:
    // Traversal
    void process(UnitId id);
    bool match(UnitId id);
    bool refine(UnitId id, const match::Query& query, bool conditioned);
    const match::PartialMatch& match_partially(const Unit& unit, const match::Query& query);
    [[nodiscard]] match::Query query_for(const Unit& unit);
    [[nodiscard]] bool is_conditioned(const Unit& unit) const;
    [[nodiscard]] State target_state(const Unit& unit) const;
    [[nodiscard]] std::uint32_t count_upstream(const Unit& unit) const;
    void resize_workspace();

    // Generation
    void generate();
    void generate_upstream(UnitId target, Birth birth);
    [[nodiscard]] bool has_active_upstream(const Unit& unit, Polarity polarity) const;
    [[nodiscard]] UnitContent whole_observation() const;
    [[nodiscard]] UnitContent remainder(UnitId target) const;
    void initialise_unit(UnitId id, const UnitContent& content);

    // Statistics
    void update_statistics();
    void update_unit(Unit& unit, State state);

    // Removal and reintegration
    void maintain();
    [[nodiscard]] bool should_remove(const Unit& unit, double activity) const;
    [[nodiscard]] bool should_merge(const Unit& unit, double activity) const;
    [[nodiscard]] bool draw(const Unit& unit, std::uint64_t purpose, double probability) const;

    ClassModel& model_;
    const match::Observation& observation_;
    bool is_own_;
    std::uint64_t number_;
    std::uint64_t seed_;
    const ModellerParams& params_;
    StepWorkspace& workspace_;
    LearnReport report_;
};

} // namespace sprig::modeller

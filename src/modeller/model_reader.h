#pragma once

#include <memory>
#include <vector>

#include "match/full_search.h"
#include "match/partial_search.h"
#include "modeller/read_plan.h"

namespace sprig::modeller {

/// Reads a plan: places the units, each after its target, and adds up what they say.
class ModelReader final : public Reader {
  public:
    ModelReader(std::shared_ptr<const ReadPlan> plan, const ModellerParams& params,
                std::shared_ptr<const Schema> schema);
    ModelReader(const ModelReader& other);

    [[nodiscard]] const std::vector<std::string>& classes() const override { return plan_->labels; }
    const Prediction& predict(const Network& network) override;
    [[nodiscard]] Explanation explain(const Network& network) override;
    [[nodiscard]] std::vector<Supposition> suppositions(const Network& network, std::size_t in_favour,
                                                        std::size_t against) override;
    [[nodiscard]] std::vector<double> scores_if(const Network& network,
                                                std::span<const Supposition> added) override;
    [[nodiscard]] std::unique_ptr<Reader> clone() const override;

  private:
    void place_all(const Network& network);
    void suppose(std::span<const Supposition> added);
    void read(const Network& network);
    [[nodiscard]] double gain_of(const PlanUnit& unit) const;
    [[nodiscard]] bool can_be_looked_for(const PlanUnit& unit) const;
    bool place(const PlanUnit& unit, std::size_t index);
    void set_values();
    void add_partial_degrees(std::vector<double>& degree);
    [[nodiscard]] match::Query query_for(const PlanUnit& unit);
    void count_trees();
    void mark_used(const PlanUnit& unit, std::size_t index);

    std::shared_ptr<const ReadPlan> plan_;
    ModellerParams params_;
    std::shared_ptr<const Schema> schema_;
    match::Observation observation_;
    match::FullSearch full_;
    match::PartialSearch partial_;
    std::vector<std::uint8_t> present_; ///< by unit
    /// By unit: whether it is to be taken as there even if it is not found; it then has no place, and nothing
    /// can be looked for beside it.
    std::vector<std::uint8_t> supposed_;
    std::vector<double> values_;        ///< by unit
    std::vector<double> trees_;         ///< by class
    std::vector<std::uint32_t> places_; ///< by node of the plan
    std::vector<std::uint64_t> used_;   ///< by unit, so many words each
    std::vector<std::uint32_t> pins_;
    std::vector<std::uint32_t> placed_;
    Prediction prediction_;
};

} // namespace sprig::modeller

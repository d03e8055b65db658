#pragma once

#include <memory>
#include <vector>

#include "match/full_search.h"
#include "match/partial_search.h"
#include "modeller/read_plan.h"

namespace sprig::modeller {

/// Predicts with a plan: matches the units, each after its target, and sums their values.
class ModelReader final : public Reader {
  public:
    ModelReader(std::shared_ptr<const ReadPlan> plan, const ModellerParams& params,
                std::shared_ptr<const Schema> schema);
    ModelReader(const ModelReader& other);

    [[nodiscard]] const std::vector<std::string>& classes() const override { return plan_->labels; }
    const Prediction& predict(const Network& network) override;
    [[nodiscard]] Explanation explain(const Network& network) override;
    [[nodiscard]] std::vector<Addition> possible_additions(const Network& network, std::size_t in_favour,
                                                           std::size_t against) override;
    [[nodiscard]] std::vector<double> scores_with(const Network& network,
                                                  std::span<const Addition> added) override;
    [[nodiscard]] std::unique_ptr<Reader> clone() const override;

  private:
    void match_all(const Network& network);
    void set_additions(std::span<const Addition> added);
    void read(const Network& network);
    [[nodiscard]] double gain_of(const PlanUnit& unit) const;
    [[nodiscard]] bool is_searchable(const PlanUnit& unit) const;
    bool match_unit(const PlanUnit& unit, std::size_t index);
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
    /// By unit: whether it counts as present although it did not match. Such a unit has no assignment, so its
    /// upstreams cannot be searched.
    std::vector<std::uint8_t> added_;
    std::vector<double> values_;        ///< by unit
    std::vector<double> trees_;         ///< by class
    std::vector<std::uint32_t> places_; ///< by node of the plan: the observed node
    std::vector<std::uint64_t> used_;   ///< by unit: bit set of observed nodes assigned to its chain
    std::vector<std::uint32_t> pins_;
    std::vector<std::uint32_t> placed_;
    Prediction prediction_;
};

} // namespace sprig::modeller

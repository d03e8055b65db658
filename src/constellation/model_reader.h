#pragma once

#include <memory>
#include <string>
#include <vector>

#include "constellation/packed_bound.h"
#include "constellation/snapshot.h"
#include "learner/require_schema.h"

namespace sprig::constellation {

class ModelReader final : public Reader {
  public:
    explicit ModelReader(std::shared_ptr<const Snapshot> snapshot);
    ModelReader(const ModelReader& other);
    ~ModelReader() override = default;
    ModelReader& operator=(const ModelReader&) = delete;

    [[nodiscard]] const std::vector<std::string>& classes() const override { return *snapshot_->labels; }
    const Prediction& predict(const Network& network) override;
    const Decision& decide(const Network& network) override;
    void set_budget(std::size_t units) override { budget_ = units; }
    [[nodiscard]] Explanation explain(const Network& network) override;
    // The effect of additional nodes: additions.cpp
    [[nodiscard]] std::vector<Addition> possible_additions(const Network& network, std::size_t in_favour,
                                                           std::size_t against) override;
    [[nodiscard]] std::vector<double> scores_with(const Network& network,
                                                  std::span<const Addition> added) override;
    [[nodiscard]] std::size_t fewest_needed(const Network& network, std::size_t label,
                                            std::span<const Addition> of, double score) override;
    [[nodiscard]] std::unique_ptr<Reader> clone() const override;

  private:
    /// A unit in one pose, and an upper bound of the score of its class if this is its best unit.
    struct BoundedUnit {
        double bound = 0;
        std::uint32_t label = 0;
        std::uint32_t unit = 0;
        std::uint32_t pose = 0;
        bool is_scored = false;

        bool operator<(const BoundedUnit& other) const { return bound < other.bound; }
        bool operator>(const BoundedUnit& other) const { return bound > other.bound; }
    };

    /// A unit in a pose, among the summaries.
    struct UnitPlace {
        std::uint32_t block = 0;
        std::uint32_t row = 0;
        std::uint32_t pose = 0;

        bool operator==(const UnitPlace&) const = default;
    };
    struct NearUnit {
        std::uint32_t distance = 0; ///< of its sketch from that of the observation
        UnitPlace place;

        bool operator<(const NearUnit& other) const { return distance < other.distance; }
    };

    void set_observation(const Network& network);
    [[nodiscard]] std::size_t node_count() const { return observed_.first().size(); }
    /// What a class of one unit scores less if it is known to match in one of the poses only, at most.
    [[nodiscard]] double log_poses() const;
    [[nodiscard]] const FeatureSet& feature_set() const { return observed_.first().set(); }
    [[nodiscard]] const UnitContext& context() const { return *snapshot_->context; }
    [[nodiscard]] ScreenedPair screened(const ReadyUnit& unit, std::size_t pose) {
        return screened_pair(unit.predictive, unit.ranked_gains(), unit.lanes(feature_set()), observed_,
                             pose);
    }
    [[nodiscard]] ScreenedPair ranked(const ReadyUnit& unit, std::size_t pose) {
        return ranked_pair(unit.predictive, unit.ranked_gains(), unit.lanes(feature_set()), observed_, pose);
    }
    double score_in_any_pose(const ReadyUnit& unit, double floor);
    double score_unit(const ReadyUnit& unit, double floor);
    double score_class(std::size_t label);
    void score_all();
    // Steps of a decision.
    void queue_units();
    BoundedUnit next_in_queue();
    void screen(BoundedUnit& next, double floor);
    void score(BoundedUnit& candidate);
    void find_candidates();
    void score_candidates();
    // Of a model with many units: many_units.cpp
    [[nodiscard]] bool has_many_units() const;
    void score_nearest();
    void find_among_many();
    void summarise_observation();
    void measure_distances();
    void keep_nearest(std::size_t count);
    void look_at_nearest();
    void look_at_others();
    [[nodiscard]] BoundedUnit bounded(const SummaryTable& table, const UnitPlace& place) const;
    void look_at(BoundedUnit unit);
    void tighten(BoundedUnit& next);
    void raise_floor(const BoundedUnit& promising);
    void set_fit();
    [[nodiscard]] const ObservationFeatures& best_pose(const ReadyUnit& unit);
    void explain_class(std::size_t label, std::vector<Contribution>& contributions);
    /// A node as its unit expects it, in the unit's best pose.
    [[nodiscard]] AddedNode added_node(const ReadyUnit& known, NodeId node);
    [[nodiscard]] std::vector<AddedNode> added_nodes(const ReadyUnit& known, std::span<const NodeId> nodes);
    [[nodiscard]] std::vector<AddedNode> added_nodes(const Addition& addition);
    [[nodiscard]] std::vector<NodeId> missing_nodes(const ReadyUnit& known,
                                                    const ObservationFeatures& observed, double score);
    /// The log-likelihood under one unit in one pose, including the weight of the unit, and the gain of each
    /// of some additions alone, in descending order.
    struct UnitGains {
        double log_likelihood = 0;
        std::vector<double> gains;
    };
    [[nodiscard]] std::vector<UnitGains> unit_gains(std::size_t label, std::span<const Addition> additions);

    std::shared_ptr<const Snapshot> snapshot_;
    learner::RequiredSchema required_schema_;
    PosedObservation observed_;
    UnitScorer scorer_;
    Unpacker unpacker_;
    PackedBound packed_bound_;
    std::size_t packed_bound_pose_ = 0;         ///< the pose that it was last used for
    UnitScorer greedy_scorer_;                  ///< for lower bounds
    std::vector<ObservationSummary> summaries_; ///< by pose
    std::vector<Sketch> sketches_;              ///< by pose
    std::vector<NearUnit> nearest_;
    double most_promising_ = 0; ///< the highest of the closest bounds
    std::size_t budget_ = 0;    ///< see Reader::set_budget
    Prediction prediction_;
    Decision decision_;
    std::vector<double> log_likelihoods_; ///< by unit of the class scored last, including the log share
    std::vector<double> by_pose_;         ///< scores of the unit scored last; minus infinity: negligible
    std::vector<double> pose_bounds_;     ///< upper bounds of them
    std::size_t best_unit_ = 0;           ///< of the class whose score was computed last
    std::vector<std::size_t> best_units_; ///< by class: its best unit in the last prediction
    std::vector<BoundedUnit> queue_;      ///< a heap: units that may be the best, the highest bound first
    std::vector<BoundedUnit> candidates_; ///< units that have been screened
    double highest_ = 0;                  ///< the highest known lower bound of a class's score
};

} // namespace sprig::constellation

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "constellation/class_model.h"

namespace sprig::constellation {

/// A model as it was when it was asked for: it shares the units, which never change.
struct Snapshot {
    ConstellationParams params;
    std::shared_ptr<const Schema> schema;
    std::vector<std::string> labels;
    struct Class {
        std::vector<std::shared_ptr<const LearnedUnit>> units;
        std::vector<double> log_shares; ///< by unit: of the class's samples that are in units still there
    };
    std::vector<Class> classes;
};

class ModelReader final : public Reader {
  public:
    explicit ModelReader(std::shared_ptr<const Snapshot> snapshot);
    ModelReader(const ModelReader& other);
    ~ModelReader() override = default;
    ModelReader& operator=(const ModelReader&) = delete;

    [[nodiscard]] const std::vector<std::string>& classes() const override { return snapshot_->labels; }
    const Prediction& predict(const Network& network) override;
    const Decision& decide(const Network& network) override;
    [[nodiscard]] Explanation explain(const Network& network) override;
    // What if: supposing.cpp
    [[nodiscard]] std::vector<Supposition> suppositions(const Network& network, std::size_t in_favour,
                                                        std::size_t against) override;
    [[nodiscard]] std::vector<double> scores_if(const Network& network,
                                                std::span<const Supposition> added) override;
    [[nodiscard]] std::size_t least_needed(const Network& network, std::size_t label,
                                           std::span<const Supposition> of, double score) override;
    [[nodiscard]] std::unique_ptr<Reader> clone() const override;

  private:
    void look_at(const Network& network);
    [[nodiscard]] std::size_t nodes_seen() const { return sights_.front().size(); }
    double explain_unit(const Predictive& unit, double floor);
    double score_class(std::size_t label);
    double bound_class(std::size_t label);
    bool may_reach(std::size_t label, double floor);
    [[nodiscard]] const Sight& best_pose(const Predictive& unit);
    void explain_class(std::size_t label, std::vector<Contribution>& contributions);
    /// A node that a unit expects, as it sees it, and the pose in which it looks for it.
    struct Supposed {
        std::uint32_t type = 0;
        std::span<const double> features;
        Pose pose;
    };
    [[nodiscard]] Supposed supposed(const LearnedUnit& known, NodeId node);
    [[nodiscard]] std::vector<Supposed> supposed(std::span<const Supposition> added);
    /// What one unit explains in one pose, its weight included, and what each of some nodes alone would gain
    /// for it, the greatest first.
    struct Prospect {
        double explained = 0;
        std::vector<double> gains;
    };
    [[nodiscard]] std::vector<Prospect> prospects(std::size_t label, std::span<const Supposed> nodes);

    std::shared_ptr<const Snapshot> snapshot_;
    std::vector<Sight> sights_; ///< by pose
    Explainer explainer_;
    Prediction prediction_;
    Decision decision_;
    std::vector<double> explanations_; ///< by unit of the class that was scored last, its share included
    std::vector<double> by_pose_;      ///< of one unit
    std::vector<double> unit_bounds_;  ///< by unit of all classes, then pose
    std::vector<std::size_t> first_bound_;
    std::vector<std::pair<double, std::size_t>> order_; ///< minus the bound, and the class
};

} // namespace sprig::constellation

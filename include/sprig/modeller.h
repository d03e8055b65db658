#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

namespace modeller {
class Access;
class Testing;
} // namespace modeller

/// All parameters of the Modeller. The defaults are the preset `best`; see `modeller_preset`.
struct ModellerParams {
    // Matching
    /// Maximum displacement error of a match, in px; no limit by default.
    double max_error = std::numeric_limits<double>::infinity();
    /// Maximum number of assignments that an exact search tries.
    std::uint64_t search_budget = 100'000;
    /// Number of seeds that a partial match tries.
    int seeds = 8;
    /// A unit is refined if at least this fraction of it matches; below that it counts as absent.
    double match_threshold = 0.5;
    /// How partial matches are searched: greedily, or with the paper's random population.
    enum class Growth : std::uint8_t { greedy, population };
    Growth growth = Growth::greedy;

    // Growing structure
    /// What happens to the part that refinement cuts from a first-level unit: it is dropped, moved to a new
    /// upstream unit if the refined unit is unreliable, or always moved to one.
    enum class Residuals : std::uint8_t { dropped, while_unreliable, always };
    Residuals residuals = Residuals::dropped;
    /// Units less reliable than this get new upstream units.
    double spawn_reliability = 0.9;
    /// Units above the first level are refined only if they are at least this reliable.
    double refine_reliability = 0.9;
    /// Whether negative units (suppressors) are created.
    bool suppressors = true;
    /// What to do with a match far from the unit's typical position: `match` rejects it if its centroid is
    /// too far off (the paper's pos-gate), `nodes` if any node is, and `suppressors` creates no suppressor
    /// for it (the paper's pos-skip).
    enum class PositionGate : std::uint8_t { none, match, suppressors, nodes };
    PositionGate position_gate = PositionGate::none;

    // Removing structure
    /// Units that are active in a smaller fraction of their target's cases than this are removed.
    double significance = 0.1;
    /// Units that are active in a larger fraction than this are merged into their target.
    double reintegration_threshold = 0.9;
    /// Factor by which the removal threshold grows with depth d: 1, (d + 1) / 2 or 1 + ln d.
    enum class DepthScaling : std::uint8_t { none, half_linear, logarithmic };
    DepthScaling depth_scaling = DepthScaling::half_linear;
    /// Maximum probabilities per step of removing and of merging a unit.
    double removal_rate = 0.85;
    double reintegration_rate = 0.5;
    /// Factors of the two rates on steps where the target is not in the state that the unit conditions.
    double stale_removal = 0.5;
    double stale_reintegration = 0;
    /// Merge a unit only if it also exceeds the threshold in the time since it was attached to its target.
    bool reintegrate_since_birth = false;
    /// Whether running means are updated only when the unit is active, or on every full match.
    bool means_of_active_only = true;

    // Reading out
    enum class ReadOut : std::uint8_t { geometric, student, presence, graded, precedence };
    ReadOut read_out = ReadOut::student;
    /// Chains are matched unit by unit, each anchored on its target, or as one pattern per chain.
    enum class Chains : std::uint8_t { anchored, unified };
    Chains chains = Chains::anchored;
    /// Divides the score of a class by the number of its first-level units that are present: they describe
    /// the same shape, and a plain sum would count it several times.
    bool average_trees = true;
    double position_weight = 1;
    double orientation_weight = 1;
    double concentration = 2;  ///< kappa of the orientations
    double spread_floor = 1.5; ///< px
    double smoothing = 0.25;   ///< added to each count in the firing rates
    double prior_weight = 2;   ///< weight of the prior spread of the Student-t, in observations
    /// Minimum number of observations of a unit that contributes to the score.
    std::uint64_t maturity = 4;
    /// First-level units contribute from their first observation on, so one image of a class is enough.
    bool first_level_at_once = true;
    /// Whether negative units contribute to the score.
    bool read_suppressors = true;

    bool operator==(const ModellerParams&) const = default;
    /// Throws Error(usage) if a value is out of range.
    void check() const;
};

/// `best`, `paper` or `paper-literal`; throws Error(usage) for any other name.
[[nodiscard]] ModellerParams modeller_preset(std::string_view name);
/// Sets one parameter from text, for example ("significance", "0.2"). Throws Error(usage) if the name or the
/// value is invalid.
void set_parameter(ModellerParams& params, std::string_view name, std::string_view value);
/// All parameters as JSON text, with the same names.
[[nodiscard]] std::string to_json(const ModellerParams& params);

/// The paper's learner. Each class has units that condition the class or one another. They are created by
/// variation, refinement and differentiation, and retired by removal and reintegration.
class Modeller final : public Learner {
  public:
    explicit Modeller(const ModellerParams& params = {}, std::uint64_t seed = 0,
                      const FrontEndParams& front_end = {});
    ~Modeller() override;
    Modeller(Modeller&&) = delete;
    Modeller& operator=(Modeller&&) = delete;
    Modeller(const Modeller&) = delete;
    Modeller& operator=(const Modeller&) = delete;

    [[nodiscard]] const ModellerParams& params() const;
    void add_class(std::string_view label) override;
    LearnReport learn(const Network& network, std::string_view label) override;
    [[nodiscard]] std::unique_ptr<Reader> reader() const override;
    /// A reader with different read-out parameters. The model does not change.
    [[nodiscard]] std::unique_ptr<Reader> reader(const ModellerParams& params) const;
    [[nodiscard]] std::vector<std::string> classes() const override;
    [[nodiscard]] std::uint64_t steps() const override;
    [[nodiscard]] std::vector<UnitView> units() const override;
    [[nodiscard]] ModelSize model_size(std::uint64_t observations = 0) const override;
    void check() const override;
    [[nodiscard]] std::uint64_t digest() const override;
    [[nodiscard]] const FrontEndParams& front_end() const override;
    [[nodiscard]] std::string_view name() const override { return "modeller"; }
    [[nodiscard]] int version() const override { return 1; }
    [[nodiscard]] std::string parameters() const override;
    [[nodiscard]] std::uint64_t seed() const override;

  private:
    friend class modeller::Access;
    friend class modeller::Testing;
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace sprig

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

/// Everything the Modeller decides. `modeller_preset` gives the three settings that are measured; the values
/// here are those of `best`.
struct ModellerParams {
    // Matching
    /// No displacement may be further off than this, px; nothing is refused by default.
    double max_error = std::numeric_limits<double>::infinity();
    /// Placements that an exact search tries before it gives up.
    std::uint64_t search_budget = 100'000;
    /// Seeds that a partial match tries.
    int seeds = 8;
    /// A unit that is placed at least this far is refined; one below counts as absent.
    double match_threshold = 0.5;
    /// How partial matches are found: greedily, or by the paper's random population.
    enum class Growth : std::uint8_t { greedy, population };
    Growth growth = Growth::greedy;

    // Growing structure
    /// What becomes of the part that a refined unit of the first level loses: it is dropped, carried on by a
    /// new unit while the refined one is unreliable, or always carried on.
    enum class Residuals : std::uint8_t { dropped, while_unreliable, always };
    Residuals residuals = Residuals::dropped;
    /// New conditioners are made for units less reliable than this ...
    double spawn_reliability = 0.9;
    /// ... and units above the first level are refined only if they are at least this reliable.
    double refine_reliability = 0.9;
    bool suppressors = true;
    /// Refuses matches, or suppressors for matches, that lie where the unit never lies: `match` refuses by
    /// the centroid (the paper's pos-gate), `suppressors` makes none for such a match (pos-skip), `nodes`
    /// refuses by every single node.
    enum class PositionGate : std::uint8_t { none, match, suppressors, nodes };
    PositionGate position_gate = PositionGate::none;

    // Retiring structure
    /// Units that are there in a smaller share of the cases that they speak of are removed ...
    double significance = 0.1;
    /// ... and those in a greater one than this are merged into their target.
    double reintegration_threshold = 0.9;
    /// How the threshold of removal grows with depth d: not, by (d + 1) / 2, or by 1 + ln d.
    enum class DepthScaling : std::uint8_t { none, half_linear, logarithmic };
    DepthScaling depth_scaling = DepthScaling::half_linear;
    double removal_rate = 0.85;
    double reintegration_rate = 0.5;
    /// Factors of the two rates on steps that say nothing of the unit's relation to its target.
    double stale_removal = 0.5;
    double stale_reintegration = 0;
    /// Merge only what was almost always there since its own birth, too.
    bool reintegrate_since_birth = false;
    /// Running means take every full match, or only those where the unit is active.
    bool means_of_active_only = true;

    // Reading out
    enum class ReadOut : std::uint8_t { geometric, student, presence, graded, precedence };
    ReadOut read_out = ReadOut::student;
    /// Chains are matched link by link, or each whole chain afresh as one pattern.
    enum class Chains : std::uint8_t { anchored, unified };
    Chains chains = Chains::anchored;
    /// The score of a class is divided by the number of its first-level units that are there: they saw the
    /// same shape, and a sum would count it several times.
    bool average_trees = true;
    double position_weight = 1;
    double orientation_weight = 1;
    double concentration = 2;  ///< kappa of the orientations
    double spread_floor = 1.5; ///< px
    double smoothing = 0.25;   ///< added to each count of the firing rates
    double prior_weight = 2;   ///< observations that the prior spread of the Student-t counts for
    /// Only units with so many observations are asked ...
    std::uint64_t maturity = 4;
    /// ... but those of the first level from their first one on, so that one image of a class is enough.
    bool first_level_at_once = true;
    /// Whether negative units are asked at all.
    bool read_suppressors = true;

    bool operator==(const ModellerParams&) const = default;
    /// Throws Error(usage) if a value makes no sense.
    void check() const;
};

/// `best`, `paper` or `paper-literal`; Error(usage) for any other name.
[[nodiscard]] ModellerParams modeller_preset(std::string_view name);
/// Sets one parameter by name from text, as `significance=0.2`; Error(usage) if there is no such thing.
void set_parameter(ModellerParams& params, std::string_view name, std::string_view value);
/// All parameters as JSON text, by the same names.
[[nodiscard]] std::string to_json(const ModellerParams& params);

/// The paper's learner: for each class, units that condition it and one another, grown by variation,
/// refinement and differentiation, retired by removal and reintegration.
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
    /// A reader with other parameters of the read-out; the model stays as it is.
    [[nodiscard]] std::unique_ptr<Reader> reader(const ModellerParams& params) const;
    [[nodiscard]] std::vector<std::string> classes() const override;
    [[nodiscard]] std::uint64_t steps() const override;
    [[nodiscard]] std::vector<UnitView> units() const override;
    [[nodiscard]] Census census(std::uint64_t observations = 0) const override;
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

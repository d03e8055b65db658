#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

namespace constellation {
class Access;
} // namespace constellation

/// The parameters of Constellation. The default values are those of the preset `fast`, and of parameters that
/// an older model file does not name. For the presets, each with its front end, see `constellation_preset`.
struct ConstellationParams {
    // Weights of a node's features: multiples of 0.25 from 0 to 1. Weights below 1 compensate for the
    // correlation between features. With multiples of 0.25 one logarithm serves all features of a node.
    double position_weight = 1;    ///< 0: relations only
    double neighbour_weight = 0.5; ///< displacement to the next and the previous change point on the contour
    double survivor_weight = 0;    ///< displacement to the nearest ones that coarsening removes later
    double persistence_weight = 0.5;
    double sharpness_weight = 0.5;
    // Prior standard deviations of the features.
    double position_spread = 1.5;
    double displacement_spread = 2.5;
    double persistence_spread = 0.4; ///< of log(1 + persistence)
    double sharpness_spread = 0.15;
    /// Weight of the prior, in samples.
    double prior_weight = 8;

    // Clutter: nodes that belong to no unit.
    double clutter_rate = 0.05; ///< expected number of each type
    double clutter_area = 400;  ///< they are distributed uniformly over this area, in square pixels

    /// How observed nodes are assigned to a unit's nodes: largest gain first, or the largest sum of gains.
    enum class Assignment : std::uint8_t { greedy, optimal };
    Assignment assignment = Assignment::optimal;

    /// `flips`: a shape may be mirrored. Each observation is scored in four poses (unchanged, mirrored left
    /// to right, top to bottom, and both), which are equally likely. `any`: also turned by any multiple of
    /// the angle between two directions. Both need a front end whose frame is that of the ink.
    enum class Poses : std::uint8_t { fixed, flips, any };
    Poses poses = Poses::fixed;

    // Learning
    /// A sample updates the best-scoring unit of its class if the score per node is at least this; otherwise
    /// it creates a new unit. Minus infinity: one unit per class.
    double join_threshold = 2;
    /// The threshold grows with the class: by `join_growth` * log10(n / 10), where n > 10 is the number of
    /// its samples. Few samples then share a unit, and many have units of their own.
    double join_growth = 0;
    /// A node added to a unit later counts as absent from at most this many earlier samples.
    std::uint64_t late_doubt = 10;
    /// A node is dropped if it was in less than this share of the samples ...
    double fading_rate = 0.05;
    /// ... after at least this many samples.
    std::uint64_t fading_age = 5;
    /// The paper's refinement: a node is dropped when it is first absent, and no node is ever added.
    bool strict = false;

    // Removing units
    /// A unit with a single sample is removed after this many samples of its class.
    std::uint64_t patience = 300;
    /// Maximum number of units per class. Beyond it, the unit with the fewest samples for its age is removed.
    std::uint64_t max_units = 30;

    // Prediction
    /// Divides the scores before they become probabilities. Neighbouring directions detect the same bend, so
    /// the same evidence is counted several times: about twice the number of directions (measured; nearly
    /// independent of the number of samples).
    double temperature = 8;

    bool operator==(const ConstellationParams&) const = default;
    /// Throws Error(usage) if a value is out of range.
    void check() const;
};

/// Learner parameters together with the front end they were measured with.
struct ConstellationPreset {
    ConstellationParams params;
    FrontEndParams front_end;
};

/// `default`, `fast` or `paper-vocabulary`; throws Error(usage) for any other name.
[[nodiscard]] ConstellationPreset constellation_preset(std::string_view name);
/// Sets a parameter by name from text, as in `join_threshold=4`. Throws Error(usage) for an unknown name or
/// an invalid value.
void set_parameter(ConstellationParams& params, std::string_view name, std::string_view value);
/// All parameters as JSON text, with the same names.
[[nodiscard]] std::string to_json(const ConstellationParams& params);

/// Our own learner. A class is a mixture of a few units. A unit is a constellation of typed nodes, each with
/// its probability and the distribution of its features. A sample changes only the units of its own class, so
/// learning one class never changes the score of another, and the order of classes has no effect.
class Constellation final : public Learner {
  public:
    explicit Constellation(const ConstellationPreset& preset = constellation_preset("default"));
    Constellation(const ConstellationParams& params, const FrontEndParams& front_end);
    ~Constellation() override;
    Constellation(Constellation&&) = delete;
    Constellation& operator=(Constellation&&) = delete;
    Constellation(const Constellation&) = delete;
    Constellation& operator=(const Constellation&) = delete;

    [[nodiscard]] const ConstellationParams& params() const;
    void add_class(std::string_view label) override;
    LearnReport learn(const Network& network, std::string_view label) override;

    struct Sample {
        const Network* network = nullptr;
        std::string_view label;
    };
    /// Learns many samples. The classes are distributed over `threads` threads; the result is the same as
    /// that of learning the samples in order. Throws as `learn` does, before anything is learned.
    void learn_all(std::span<const Sample> samples, std::size_t threads);

    [[nodiscard]] std::unique_ptr<Reader> reader() const override;
    [[nodiscard]] std::vector<std::string> classes() const override;
    [[nodiscard]] std::uint64_t steps() const override;
    [[nodiscard]] std::vector<UnitView> units() const override;
    [[nodiscard]] ModelSize model_size(std::uint64_t observations = 0) const override;
    void check() const override;
    [[nodiscard]] std::uint64_t digest() const override;
    [[nodiscard]] const FrontEndParams& front_end() const override;
    [[nodiscard]] std::string_view name() const override { return "constellation"; }
    [[nodiscard]] int version() const override { return 1; }
    [[nodiscard]] std::string parameters() const override;

  private:
    friend class constellation::Access;
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace sprig

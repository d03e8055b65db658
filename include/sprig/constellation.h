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

/// Everything Constellation decides. `constellation_preset` gives the settings that are measured, each with
/// the front end it sees with; the values here are those of `default`.
struct ConstellationParams {
    // What of a node counts, and how much. Weights are quarters, from 0 to 1: the attributes of a shape
    // hang together and must not count as if each were news, and with quarters one logarithm serves all of a
    // node's attributes.
    double position_weight = 1;    ///< 0: relations only
    double neighbour_weight = 0.5; ///< where the next and the previous change point on the contour lie
    double survivor_weight = 0;    ///< where the next and the previous one lie that outlast it in coarsening
    double persistence_weight = 0.5;
    double sharpness_weight = 0.5;
    // How far each is expected to vary before anything is known: standard deviations.
    double position_spread = 1.5;
    double displacement_spread = 2.5;
    double persistence_spread = 0.4; ///< of log(1 + persistence)
    double sharpness_spread = 0.15;
    /// So many samples does that expectation count for.
    double prior_weight = 8;

    /// Nodes that no unit asks for: so many of each type, anywhere in so many square px.
    double clutter_rate = 0.05;
    double clutter_area = 400;

    /// How nodes are placed: best gain first, or so that the sum of the gains is the greatest.
    enum class Assignment : std::uint8_t { greedy, optimal };
    Assignment assignment = Assignment::optimal;

    /// Whether a shape may also come mirrored or upside down: an observation is then looked at in four ways
    /// (as it is, mirrored left to right, top to bottom, both), each as likely as the others. It takes a
    /// front end whose frame lies on the ink.
    enum class Poses : std::uint8_t { fixed, flips };
    Poses poses = Poses::fixed;

    // Growing
    /// A sample joins the unit of its class that explains it best if that gains at least so much per node;
    /// otherwise it founds a new one. Minus infinity: one unit for each class.
    double join_threshold = 2;
    /// A node that enters a unit late counts as missed by at most so many samples before it.
    std::uint64_t late_doubt = 10;
    /// Nodes that fewer of the samples show than this go, once they were watched for so long.
    double fading_rate = 0.05;
    std::uint64_t fading_age = 5;
    /// Nodes go at their first absence, and none ever enters: the paper's refinement.
    bool strict = false;

    // Retiring
    /// A unit that no second sample joined is retired after so many samples of its class.
    std::uint64_t patience = 300;
    /// At most so many units for each class: one more, and the one that serves least is retired.
    std::uint64_t max_units = 30;

    // Reading out
    /// Scores are divided by it on their way to probabilities: neighbouring directions see the same bend, so
    /// that the evidence counts about twice the number of directions too often (measured; it hardly depends
    /// on how much was learned).
    double temperature = 8;

    bool operator==(const ConstellationParams&) const = default;
    /// Throws Error(usage) if a value makes no sense.
    void check() const;
};

/// A setting as it is measured: how it learns, and what it sees with.
struct ConstellationPreset {
    ConstellationParams params;
    FrontEndParams front_end;
};

/// `default`, `paper-vocabulary`, `accurate`, `long` or `general`; Error(usage) for any other name.
[[nodiscard]] ConstellationPreset constellation_preset(std::string_view name);
/// Sets one parameter by name from text, as `join_threshold=4`; Error(usage) if there is no such thing.
void set_parameter(ConstellationParams& params, std::string_view name, std::string_view value);
/// All parameters as JSON text, by the same names.
[[nodiscard]] std::string to_json(const ConstellationParams& params);

/// Our own learner: a class is a few units, each a constellation of typed nodes that says how likely each
/// node is and where, and a sample touches the units of its own class only. So nothing that is learned of
/// one class changes a score of another by a single bit, and the order of classes does not matter at all.
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
    /// Learns many samples, the classes spread over so many threads: the result is that of learning one
    /// after the other. Throws as `learn` does, before anything is learned.
    void learn_all(std::span<const Sample> samples, std::size_t threads);

    [[nodiscard]] std::unique_ptr<Reader> reader() const override;
    [[nodiscard]] std::vector<std::string> classes() const override;
    [[nodiscard]] std::uint64_t steps() const override;
    [[nodiscard]] std::vector<UnitView> units() const override;
    [[nodiscard]] Census census(std::uint64_t observations = 0) const override;
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

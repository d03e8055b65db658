#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/network.h"
#include "sprig/work_counts.h"

namespace sprig {

/// The permanent id of a unit. It is a hash of the sample that the unit was made from and of the step, so
/// that equal histories give equal ids.
using Lineage = std::uint64_t;

/// Whether a unit is evidence for its target or against it.
enum class Polarity : std::uint8_t { positive, negative };

/// One change of a model's structure.
struct UnitEvent {
    enum class Kind : std::uint8_t {
        created,      ///< made from the observation itself
        refined,      ///< lost the parts that the observation lacks
        spawned,      ///< holds the parts that its target lost
        removed,      ///< was almost never present, or its target was removed
        reintegrated, ///< was almost always present: merged into its target
        dissolved,    ///< had no parts left
    };
    Kind kind = Kind::created;
    Lineage unit = 0;
    std::optional<Lineage> target = {}; ///< not set: its class

    bool operator==(const UnitEvent&) const = default;
};
inline constexpr std::array all_event_kinds = {UnitEvent::Kind::created,      UnitEvent::Kind::refined,
                                               UnitEvent::Kind::spawned,      UnitEvent::Kind::removed,
                                               UnitEvent::Kind::reintegrated, UnitEvent::Kind::dissolved};

/// The changes that a learning step made to a model.
struct LearnReport {
    std::vector<UnitEvent> events; ///< in order of occurrence
    WorkCounts work;

    [[nodiscard]] std::size_t count(UnitEvent::Kind kind) const;
    LearnReport& operator+=(const LearnReport& other);
};

/// A model's prediction for one observation.
struct Prediction {
    std::vector<double> scores;        ///< by class, in the order of the reader's `classes`
    std::vector<double> probabilities; ///< by class; their sum is 1
    std::optional<std::size_t> best;   ///< the class with the highest score; not set if there are no classes
    double margin = 0; ///< the best score minus the second best; 0 with fewer than two classes
    /// How well the best class fits the observation: its score divided by the number of nodes. It is low for
    /// an observation of an unknown class; the margin is the better indicator of a mistake. Not set if the
    /// learner's scores do not measure fit.
    std::optional<double> fit = {};
    /// How likely it is that the observation shows one of the classes at all, if it is as likely as not
    /// beforehand. It depends on the best class alone. Not set if the learner cannot say it.
    std::optional<double> known = {};
    WorkCounts work;
};

/// The best class alone: cheaper to compute than a prediction, with the same answer.
struct Decision {
    std::optional<std::size_t> best; ///< as in a prediction
    WorkCounts work;
};

/// The pose in which a unit matched an observation: turned, and then mirrored. The unit's pattern is given as
/// it was learned.
struct FoundPose {
    double turned = 0; ///< by this angle, from x towards y, in radians
    bool left_right = false;
    bool top_bottom = false;

    [[nodiscard]] bool is_changed() const { return turned != 0 || left_right || top_bottom; }
    /// Converts a position in the unit's pattern, or an offset, to the coordinates of the observation.
    [[nodiscard]] std::array<double, 2> to_observation(std::array<double, 2> in_pattern) const;
};

/// The contribution of one unit to the score of its class. All values are multiples of 2^-32, so that the
/// values of a class's contributions add up to its score exactly, in any order.
struct Contribution {
    Lineage unit = 0;
    std::size_t label = 0; ///< an index into `classes`
    bool present = false;
    double value = 0;
    /// The assignment of the unit's own nodes to nodes of the observation: one entry for each node of its
    /// pattern that is not an anchor, in order; `no_node` if it is missing. Empty if the unit is not present.
    std::vector<NodeId> placed;
    /// The contribution of each own node, present or missing: to `log_likelihood` if the learner mixes its
    /// units; to `value`, by the node's position, if it sums them. Empty if the learner does not score nodes
    /// separately.
    std::vector<double> node_values = {};
    /// Only set by a learner that mixes its units: the log-likelihood of the observation under this unit
    /// relative to clutter, in nats, which is the sum of `node_values`; and the logarithm of its weight in
    /// the mixture. The score of a class is the logarithm of the sum of exp(log_likelihood + log_weight) over
    /// its units. Units that are 25 below the best one are left out of the sum; their `value` is 0.
    std::optional<double> log_likelihood = {};
    double log_weight = 0;
    FoundPose pose = {};
};

struct Explanation {
    Prediction prediction;
    std::vector<Contribution> contributions;
};

/// A hypothetical addition to an observation: nodes that a unit expects and the observation lacks, with the
/// expected positions and attributes. They belong to one bend: on the contour they follow each other at
/// nearly one place. If the learner requires all nodes of a unit together, it is the whole unit at its usual
/// position.
struct Addition {
    Lineage unit = 0;
    std::vector<NodeId> nodes =
        {}; ///< of the unit's pattern, in the order of the contour; empty: the whole unit

    bool operator==(const Addition&) const = default;
};

/// A read-only snapshot of a model: later learning does not affect it. It has its own working memory, so use
/// one reader per thread.
class Reader {
  public:
    Reader() = default;
    virtual ~Reader() = default;
    Reader& operator=(const Reader&) = delete;

    [[nodiscard]] virtual const std::vector<std::string>& classes() const = 0;
    /// The result is valid until the next call. Throws Error(bad_input) if the network does not have the
    /// schema of the model's front end.
    virtual const Prediction& predict(const Network& network) = 0;
    /// The best class alone. The result is valid until the next call; throws as `predict` does.
    virtual const Decision& decide(const Network& network);
    /// Limits how many units are looked at, those that are most like the observation; 0: no limit. An answer
    /// may then differ from that of all units. Has an effect only on Constellation's models of more than 512
    /// units: other readers look at all units.
    virtual void set_budget(std::size_t units);
    /// The same prediction with the contribution of every unit.
    [[nodiscard]] virtual Explanation explain(const Network& network) = 0;

    /// The additions that would raise the score of `in_favour` relative to `against`, grouped by unit,
    /// largest gain first. No node of a unit is in two of them. Empty by default, for a reader that does not
    /// support additions.
    [[nodiscard]] virtual std::vector<Addition>
    possible_additions(const Network& network, std::size_t in_favour, std::size_t against);
    /// The scores of the observation with the additions. Throws Error(usage) if no unit of the model expects
    /// one of them.
    [[nodiscard]] virtual std::vector<double> scores_with(const Network& network,
                                                          std::span<const Addition> added);
    /// A lower bound on how many of these additions are needed to raise the score of a class to `score`; one
    /// more than their number if all of them are not enough. 0 if no bound is known, or if additions can
    /// lower scores.
    [[nodiscard]] virtual std::size_t fewest_needed(const Network& network, std::size_t label,
                                                    std::span<const Addition> candidates, double score);
    /// A second reader of the same state, for another thread.
    [[nodiscard]] virtual std::unique_ptr<Reader> clone() const = 0;

  protected:
    Reader(const Reader&) = default;

  private:
    Decision decision_;
};

/// The statistics of one node of a unit.
struct NodeView {
    double presence = 1;                        ///< the probability that it is present
    std::array<double, 2> spread = {0, 0};      ///< standard deviations of its position
    std::array<double, 2> to_next = {0, 0};     ///< offset of the next node on the contour
    std::array<double, 2> to_previous = {0, 0}; ///< offset of the previous node
};

/// A unit, for inspection: the paper's conditioning state variable.
struct UnitView {
    Lineage lineage = 0;
    std::optional<Lineage> target; ///< the unit that it conditions; not set: its class
    std::string label;             ///< its class
    Polarity polarity = Polarity::positive;
    std::uint32_t depth = 1;    ///< 1: conditions its class
    std::uint64_t born = 0;     ///< the learning step that made it
    std::uint64_t active = 0;   ///< observations in which it was present and its target as predicted
    std::uint64_t inactive = 0; ///< observations in which it was present and its target not as predicted
    Network pattern;            ///< its own nodes first, then its anchors
    std::size_t own_nodes = 0;  ///< the number of nodes that are not anchors
    /// By own node; empty if the learner does not weight nodes.
    std::vector<NodeView> nodes = {};

    [[nodiscard]] std::uint64_t observations() const { return active + inactive; }
};

/// The number of units, and the memory that they take.
struct ModelSize {
    std::size_t positive = 0;
    std::size_t negative = 0;
    std::size_t singletons = 0; ///< units made from one sample: in effect a stored network
    std::size_t nodes = 0;      ///< nodes owned by units
    std::size_t bytes = 0;      ///< that must be stored to continue learning

    [[nodiscard]] std::size_t total() const { return positive + negative; }
};

/// A continual learner: it learns one network at a time and sees each one once. `learn` and `reader` must not
/// be called concurrently; a reader is independent of the learner once it is made.
class Learner {
  public:
    Learner() = default;
    virtual ~Learner() = default;
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    /// Adds a class before its first network. It takes part in decisions at once, with no evidence for or
    /// against it. Does nothing if the class exists.
    virtual void add_class(std::string_view label) = 0;

    /// Learns one network; an unknown label adds a class. Throws Error(bad_input) and changes nothing if the
    /// network does not have the schema of the front end.
    virtual LearnReport learn(const Network& network, std::string_view label) = 0;

    [[nodiscard]] virtual std::unique_ptr<Reader> reader() const = 0;

    /// The classes in order of arrival.
    [[nodiscard]] virtual std::vector<std::string> classes() const = 0;
    /// The number of networks learned.
    [[nodiscard]] virtual std::uint64_t steps() const = 0;
    /// All units by class, each after its target, then by birth and lineage.
    [[nodiscard]] virtual std::vector<UnitView> units() const = 0;
    /// Counts the units with at least this number of observations.
    [[nodiscard]] virtual ModelSize model_size(std::uint64_t observations = 0) const = 0;
    /// Checks the invariants of the model. Throws Error(failed) if one does not hold.
    virtual void check() const = 0;
    /// A digest of all units and classes: equal histories give equal digests.
    [[nodiscard]] virtual std::uint64_t digest() const = 0;
    /// The parameters of the model's front end.
    [[nodiscard]] virtual const FrontEndParams& front_end() const = 0;
    [[nodiscard]] virtual std::string_view name() const = 0; ///< such as `modeller`
    /// All parameters as JSON text.
    [[nodiscard]] virtual std::string parameters() const = 0;
    /// The seed of its random numbers; 0 if it uses none.
    [[nodiscard]] virtual std::uint64_t seed() const { return 0; }
    /// The version of the method, raised when the same input gives other results, so that older results can
    /// be recognised.
    [[nodiscard]] virtual int version() const { return 1; }
};

} // namespace sprig

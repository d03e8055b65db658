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

/// Names a unit for good: it is made from what the unit was born from and when, never from where it lies in
/// memory, so that the same history gives the same names.
using Lineage = std::uint64_t;

/// Whether a unit speaks for its target or against it.
enum class Polarity : std::uint8_t { positive, negative };

/// One change of a model's structure.
struct UnitEvent {
    enum class Kind : std::uint8_t {
        created,      ///< made from the observation itself
        refined,      ///< lost what the observation lacked
        spawned,      ///< carries what its target lost
        removed,      ///< was almost never there, or its target was removed
        reintegrated, ///< was almost always there: merged into its target
        dissolved,    ///< had nothing left to ask for
    };
    Kind kind = Kind::created;
    Lineage unit = 0;
    std::optional<Lineage> target = {}; ///< none: its class

    bool operator==(const UnitEvent&) const = default;
};
inline constexpr std::array all_event_kinds = {UnitEvent::Kind::created,      UnitEvent::Kind::refined,
                                               UnitEvent::Kind::spawned,      UnitEvent::Kind::removed,
                                               UnitEvent::Kind::reintegrated, UnitEvent::Kind::dissolved};

/// What one learning step did to a model.
struct LearnReport {
    std::vector<UnitEvent> events; ///< in the order in which they happened
    WorkCounts work;

    [[nodiscard]] std::size_t count(UnitEvent::Kind kind) const;
    LearnReport& operator+=(const LearnReport& other);
};

/// What a model makes of one observation.
struct Prediction {
    std::vector<double> scores;        ///< by class, in the order of the reader's `classes`
    std::vector<double> probabilities; ///< likewise; they add up to 1
    std::optional<std::size_t> best;   ///< the class of the greatest score; none without classes
    double margin = 0;                 ///< between the best score and the next one; 0 with fewer than two
    /// How well the best class explains the observation: its score for each node. What is like nothing known
    /// has little; the learner's own mistakes are better told by the margin. None if the learner's score does
    /// not say that.
    std::optional<double> explained = {};
    WorkCounts work;
};

/// The best class alone, for those who need no more: cheaper than a prediction, and never another answer.
struct Decision {
    std::optional<std::size_t> best; ///< as in a prediction
    WorkCounts work;
};

/// What one unit added to the score of its class. All values are multiples of 2^-32, so that the values of a
/// class's contributions add up to its score exactly, in whatever order they are taken.
struct Contribution {
    Lineage unit = 0;
    std::size_t label = 0; ///< an index into `classes`
    bool present = false;
    double value = 0;
    /// Where each of the unit's own nodes was placed: one entry for each node of its pattern that is not an
    /// anchor, in their order, `no_node` for one that is missing; empty if it is not present.
    std::vector<NodeId> placed;
    /// What each of them adds to how well the unit explains the observation, or takes from it if it is
    /// missing; of a learner that adds its units up, what of `value` each says by where it lies. Empty where
    /// nodes are not weighed one by one.
    std::vector<double> node_values = {};
    /// Of a learner that mixes its units: how well this one explains the observation, in nats, which is the
    /// sum of `node_values`; and the logarithm of its weight in the mixture. The score of a class is the
    /// logarithm of the sum of exp(explained + log_weight) over its units, but for those that are 25 below
    /// the best one: they are left out, and their `value` is 0.
    std::optional<double> explained = {};
    double log_weight = 0;
    /// Whether it was found in a mirror: left to right, top to bottom. Its pattern lies as it was learned.
    bool left_right = false;
    bool top_bottom = false;
};

struct Explanation {
    Prediction prediction;
    std::vector<Contribution> contributions;
};

/// Something that an observation lacks, to be asked what if it were there: a node of a unit, lying and
/// looking as the unit expects it; or, where a unit asks for all of its nodes at once, the whole unit at its
/// usual place.
struct Supposition {
    Lineage unit = 0;
    std::optional<NodeId> node = {}; ///< of the unit's pattern; none: the whole unit

    bool operator==(const Supposition&) const = default;
};

/// A model as it was when the reader was made: later learning does not change what it says. It cannot change
/// the model, by its type. It has working memory of its own: one reader per thread.
class Reader {
  public:
    Reader() = default;
    virtual ~Reader() = default;
    Reader& operator=(const Reader&) = delete;

    [[nodiscard]] virtual const std::vector<std::string>& classes() const = 0;
    /// The answer lies in the reader until the next question. Throws Error(bad_input) if the network is not
    /// of the family the model learned from.
    virtual const Prediction& predict(const Network& network) = 0;
    /// The best class alone; likewise.
    virtual const Decision& decide(const Network& network);
    /// The same answer with every unit's part in it.
    [[nodiscard]] virtual Explanation explain(const Network& network) = 0;

    /// What the observation lacks that would speak for one class and against another if it were there: unit
    /// by unit, what would gain most first. Nothing by default, for a reader that cannot suppose.
    [[nodiscard]] virtual std::vector<Supposition> suppositions(const Network& network, std::size_t in_favour,
                                                                std::size_t against);
    /// All scores, if all of that were there as well: nothing else of the observation changes. Throws
    /// Error(usage) for what no unit of the model asks for.
    [[nodiscard]] virtual std::vector<double> scores_if(const Network& network,
                                                        std::span<const Supposition> added);
    /// No fewer than so many of these lift the score of a class to `score`; one more than there are: not even
    /// all of them do. 0 where nothing is known, or where more of them may lower some score.
    [[nodiscard]] virtual std::size_t least_needed(const Network& network, std::size_t label,
                                                   std::span<const Supposition> of, double score);
    /// A second reader of the same state, for another thread.
    [[nodiscard]] virtual std::unique_ptr<Reader> clone() const = 0;

  protected:
    Reader(const Reader&) = default;

  private:
    Decision decision_;
};

/// What is known of one node of a unit.
struct NodeView {
    double presence = 1;                    ///< how likely it is there
    std::array<double, 2> spread = {0, 0};  ///< standard deviations of its position
    std::array<double, 2> to_next = {0, 0}; ///< where its neighbours on the contour lie, seen from it
    std::array<double, 2> to_previous = {0, 0};
};

/// One unit, for looking at: what the paper calls a conditioning state variable.
struct UnitView {
    Lineage lineage = 0;
    std::optional<Lineage> target; ///< the unit that it conditions; none: its class
    std::string label;             ///< its class
    Polarity polarity = Polarity::positive;
    std::uint32_t depth = 1;    ///< 1: conditions its class
    std::uint64_t born = 0;     ///< the learning step it was made in
    std::uint64_t active = 0;   ///< observations in which it was there and its target as it says
    std::uint64_t inactive = 0; ///< ... and its target not as it says
    Network pattern;            ///< its own nodes first, then its anchors
    std::size_t own_nodes = 0;  ///< how many of the pattern's nodes are its own
    /// By own node; empty where a learner asks for nodes without weighing them.
    std::vector<NodeView> nodes = {};

    [[nodiscard]] std::uint64_t observations() const { return active + inactive; }
};

/// How many units there are, and what they take.
struct Census {
    std::size_t positive = 0;
    std::size_t negative = 0;
    std::size_t singletons = 0; ///< units that have seen one sample only: in effect a stored network
    std::size_t nodes = 0;      ///< that units have of their own
    std::size_t bytes = 0;      ///< that have to be kept to go on learning

    [[nodiscard]] std::size_t total() const { return positive + negative; }
};

/// A continual learner of networks: one at a time, each seen once. Learning and asking for a reader must not
/// happen at the same time in two threads; readers, once made, are independent of it.
class Learner {
  public:
    Learner() = default;
    virtual ~Learner() = default;
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    /// Names a class before its first network: from now on it takes part in every decision, with nothing
    /// said for or against it. Nothing happens if it is known.
    virtual void add_class(std::string_view label) = 0;

    /// Learns one network of one class; a class that was never named before is a new one. Throws
    /// Error(bad_input), with nothing changed, if the network is not of the front end's family.
    virtual LearnReport learn(const Network& network, std::string_view label) = 0;

    [[nodiscard]] virtual std::unique_ptr<Reader> reader() const = 0;

    /// The classes in the order in which they came.
    [[nodiscard]] virtual std::vector<std::string> classes() const = 0;
    /// How many networks were learned.
    [[nodiscard]] virtual std::uint64_t steps() const = 0;
    /// All units, by class, each one after its target; within that by birth and lineage.
    [[nodiscard]] virtual std::vector<UnitView> units() const = 0;
    /// How many units have at least so many observations.
    [[nodiscard]] virtual Census census(std::uint64_t observations = 0) const = 0;
    /// Throws Error(failed) if the model contradicts itself.
    virtual void check() const = 0;
    /// A sum over the content of all units and classes: equal histories give equal digests.
    [[nodiscard]] virtual std::uint64_t digest() const = 0;
    /// The front end whose networks it learns: a model owns it.
    [[nodiscard]] virtual const FrontEndParams& front_end() const = 0;
    /// Its name (`modeller`), and all that was chosen for it, as JSON text.
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string parameters() const = 0;
    /// What it draws its random numbers from; 0 if it draws none.
    [[nodiscard]] virtual std::uint64_t seed() const { return 0; }
    /// Of its method: raised when it learns or answers otherwise than before, so that old results are known
    /// as such.
    [[nodiscard]] virtual int version() const { return 1; }
};

} // namespace sprig

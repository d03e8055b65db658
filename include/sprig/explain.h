#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/image.h"
#include "sprig/learner.h"
#include "sprig/network.h"

namespace sprig {

// What a model has learned

struct GlobalOptions {
    /// A unit of at least so many observations is mature.
    std::uint64_t maturity = 10;
};

/// What is known of one class. Units are named by their index into the explanation's `units`.
struct ClassSummary {
    std::string label;
    /// In how many observations the units that condition the class itself were right, all together; of a
    /// learner whose samples join one unit each, the samples of units still there.
    std::uint64_t observations = 0;
    std::size_t positive = 0;
    std::size_t negative = 0;
    std::vector<std::size_t> by_depth; ///< how many units condition the class, one of those, and so on
    std::vector<std::size_t> mature;   ///< the most observed first
    std::vector<std::size_t> roots;    ///< the units that condition the class itself, by birth
};

struct GlobalExplanation {
    std::string learner; ///< its name
    std::uint64_t steps = 0;
    std::uint64_t maturity = 0;
    std::vector<UnitView> units;                    ///< by class, each after its target
    std::vector<std::vector<std::size_t>> children; ///< by unit: those that condition it
    std::vector<ClassSummary> classes;              ///< in the order in which they came

    /// Throws Error(usage) if there is no such class.
    [[nodiscard]] const ClassSummary& of(std::string_view label) const;
};

/// What each class is to the model.
[[nodiscard]] GlobalExplanation explain_global(const Learner& learner, const GlobalOptions& options = {});

// Why an observation was taken for what it was

struct LocalOptions {
    /// The class it is compared with: the next best one if not given, or if it is the best itself.
    std::optional<std::string> rival = {};
    /// At most so many elements are called decisive.
    std::size_t most_decisive = 5;
    /// Changes of more elements are not looked for; 0: none is looked for at all.
    std::size_t most_added = 12;
    /// All sets of one, two or three additions are tried, unless there are more of them than this.
    std::size_t most_tried = 4000;
};

/// What the learner's front end saw of an image, for drawing.
struct Seen {
    Image image;
    Image binarized;
    std::vector<Contour> contours;
    Placement placement;
    FrontEndParams front_end;
};

/// A unit and what it said of the observation.
struct UnitPart {
    UnitView unit;
    Contribution said;
    /// Of a learner that mixes its units: how much of its class's likelihood is this unit's, from 0 to 1.
    double share = 0;
};

/// A class that takes part in the comparison. The values of what its units said add up to its score exactly.
struct ClassPart {
    std::size_t index = 0; ///< into `classes`
    std::string label;
    double score = 0;
    double probability = 0;
    std::vector<UnitPart> units; ///< what says most first
};

/// A node of the observation, and what the scores owe to it: by how much each falls when the node is taken
/// away and the rest is scored again. Negative: it rises.
struct Element {
    NodeId node = 0;
    double for_best = 0;
    double for_other = 0; ///< 0 if there is nothing to compare with

    /// What the best class's lead owes to it.
    [[nodiscard]] double decides() const { return for_best - for_other; }
};

/// What would have made it the other class: something that was not there, and with which it is scored anew.
struct Change {
    /// Nothing that the model can suppose, up to the size searched, changes the answer if this is empty. None
    /// of them can be left out: without any one of them the answer is not the other class.
    std::vector<Supposition> added;
    std::vector<double> scores; ///< with all that; as they are if nothing was found
    /// It is certain that no set of fewer than this does it.
    std::size_t at_least = 1;

    [[nodiscard]] bool found() const { return !added.empty(); }
    /// Whether it is certain that none is smaller.
    [[nodiscard]] bool is_smallest() const { return found() && added.size() == at_least; }
};

struct LocalExplanation {
    std::string learner; ///< its name
    Network network;
    std::optional<Seen> seen; ///< if an image was explained
    std::vector<std::string> classes;
    Prediction prediction;
    std::optional<ClassPart> best;  ///< none: the model has no classes
    std::optional<ClassPart> other; ///< none: it has one
    std::vector<Element>
        elements; ///< all nodes; what decides most for the best class and against the other first
    /// The first so many of `elements` decide between the two: the fewest from the front without which the
    /// lead is half of what it was, or as many as are allowed.
    std::size_t decisive = 0;
    /// The scores of the two without all decisive elements at once.
    double best_without = 0;
    double other_without = 0;
    std::optional<Change> change; ///< none: there is no other class, or none was asked for
};

/// Throws Error(bad_input) if the network is not of the family the model learned from, Error(usage) if there
/// is no such class as the options name.
[[nodiscard]] LocalExplanation explain_local(const Learner& learner, const Network& network,
                                             const LocalOptions& options = {});
/// The same of an image, seen with the learner's own front end.
[[nodiscard]] LocalExplanation explain_local(const Learner& learner, ImageView image,
                                             const LocalOptions& options = {});

/// The network without some of its nodes: their edges go with them, and those left close up in the cyclic
/// order. Throws Error(usage) if there is no such node.
[[nodiscard]] Network without(const Network& network, std::span<const NodeId> nodes);

/// The explanation in a few sentences: the answer, what decides, what would have changed it.
[[nodiscard]] std::vector<std::string> sentences(const LocalExplanation& explanation);
/// What a class is to the model, in one sentence. Throws Error(usage) if there is no such class.
[[nodiscard]] std::string summary(const GlobalExplanation& explanation, std::string_view label);

// As JSON text: classes by label, units by lineage in 16 hexadecimal digits; docs/method.md names the keys.
[[nodiscard]] std::string to_json(const GlobalExplanation& explanation);
[[nodiscard]] std::string to_json(const LocalExplanation& explanation);

} // namespace sprig

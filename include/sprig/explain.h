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
    /// Minimum number of observations of a mature unit.
    std::uint64_t maturity = 10;
};

/// What a model knows about one class. Units are indices into the explanation's `units`.
struct ClassSummary {
    std::string label;
    /// Total number of observations in which the first-level units of the class were active. If every sample
    /// updates one unit, this is the number of samples in the current units.
    std::uint64_t observations = 0;
    std::size_t positive = 0;
    std::size_t negative = 0;
    std::vector<std::size_t> by_depth; ///< number of units of depth 1, 2, ...
    std::vector<std::size_t> mature;   ///< most observed first
    std::vector<std::size_t> roots;    ///< first-level units, oldest first
};

struct GlobalExplanation {
    std::string learner; ///< its name
    std::uint64_t steps = 0;
    std::uint64_t maturity = 0;
    std::vector<UnitView> units;                    ///< by class; a unit comes after its target
    std::vector<std::vector<std::size_t>> children; ///< by unit: the units that have it as target
    std::vector<ClassSummary> classes;              ///< in the order in which they were learned

    /// Throws Error(usage) if the class does not exist.
    [[nodiscard]] const ClassSummary& class_summary(std::string_view label) const;
};

/// Lists the units of every class.
[[nodiscard]] GlobalExplanation explain_global(const Learner& learner, const GlobalOptions& options = {});

// Why a model gave its answer for an observation

struct LocalOptions {
    /// Class to compare the best one with. Default: the second best, also if `rival` is the best class.
    std::optional<std::string> rival = {};
    /// Maximum number of decisive elements.
    std::size_t max_decisive = 5;
    /// Maximum number of additions. 0: do not search for a change.
    std::size_t max_additions = 12;
    /// All sets of one, two or three additions are tried if there are at most this many.
    std::size_t max_sets_tried = 4000;
};

/// The results of the front end for an image, for drawing.
struct FrontEndView {
    Image image;
    Image binarized;
    std::vector<Contour> contours;
    CoordinateTransform transform;
    FrontEndParams front_end;
    Slant slant;
};

/// A unit and its contribution to the score of an observation.
struct ScoredUnit {
    UnitView unit;
    Contribution contribution;
    /// For a mixture of units: this unit's share of the likelihood of its class, from 0 to 1.
    double share = 0;
};

/// One of the two classes compared. The contributions of its units add up to its score exactly.
struct ScoredClass {
    std::size_t index = 0; ///< into `classes`
    std::string label;
    double score = 0;
    double probability = 0;
    std::vector<ScoredUnit> units; ///< largest contribution first
};

/// A node of the observation and its effect on the scores: how much each score falls if the node is removed.
/// Negative: the score rises.
struct Element {
    NodeId node = 0;
    double for_best = 0;
    double for_other = 0; ///< 0 if there is no other class

    /// How much the lead of the best class falls if the node is removed.
    [[nodiscard]] double margin_effect() const { return for_best - for_other; }
};

/// A set of additions to the observation that changes the answer to the other class.
struct Change {
    /// Empty if no set was found. The set is irreducible: if any addition is left out, the answer is not the
    /// other class.
    std::vector<Addition> added;
    std::vector<double> scores; ///< with the additions; the original scores if no set was found
    /// Proven: no set of fewer additions than this changes the answer.
    std::size_t size_lower_bound = 1;

    [[nodiscard]] bool found() const { return !added.empty(); }
    /// Whether no smaller set can exist.
    [[nodiscard]] bool is_proven_smallest() const { return found() && added.size() == size_lower_bound; }
};

struct LocalExplanation {
    std::string learner; ///< its name
    Network network;
    std::optional<FrontEndView> front_end_view; ///< only if an image was explained
    std::vector<std::string> classes;
    Prediction prediction;
    std::optional<ScoredClass> best;  ///< not set if the model has no classes
    std::optional<ScoredClass> other; ///< not set if the model has one class
    std::vector<Element> elements;    ///< one for each node, largest margin effect first
    /// Number of decisive elements, the first ones of `elements`: as few as halve the lead if they are
    /// removed together, but at most LocalOptions::max_decisive.
    std::size_t decisive_count = 0;
    /// The scores of both classes if all decisive elements are removed.
    double best_score_without = 0;
    double other_score_without = 0;
    std::optional<Change> change; ///< not set if there is no other class, or no search was requested
};

/// Throws Error(bad_input) if the schema of the network is not the model's, Error(usage) if the model does
/// not know the rival.
[[nodiscard]] LocalExplanation explain_local(const Learner& learner, const Network& network,
                                             const LocalOptions& options = {});
/// Explains an image, using the learner's front end.
[[nodiscard]] LocalExplanation explain_local(const Learner& learner, ImageView image,
                                             const LocalOptions& options = {});

/// A copy of the network without some of its nodes and their edges. The remaining nodes stay linked in the
/// cyclic order of their contour. Throws Error(usage) if a node does not exist.
[[nodiscard]] Network remove_nodes(const Network& network, std::span<const NodeId> nodes);

/// The explanation in a few sentences: the answer, the decisive elements, and what would change the answer.
[[nodiscard]] std::vector<std::string> sentences(const LocalExplanation& explanation);
/// One sentence about a class. Throws Error(usage) if the class does not exist.
[[nodiscard]] std::string summary(const GlobalExplanation& explanation, std::string_view label);

// JSON text: classes by label, units by lineage in 16 hexadecimal digits. docs/method.md lists the keys.
[[nodiscard]] std::string to_json(const GlobalExplanation& explanation);
[[nodiscard]] std::string to_json(const LocalExplanation& explanation);

} // namespace sprig

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "draw/correspondence.h"
#include "draw/overlay.h"
#include "lab/protocol/experiment_data.h"
#include "lab/report/study.h"
#include "sprig/draw.h"
#include "sprig/learner.h"

namespace sprig::lab {

/// An image with all intermediate results of the front end.
[[nodiscard]] ConstructionFigure analyse(ImageView image, std::string name, std::string label,
                                         FrontEnd& front_end);

/// A held-out image and its prediction by a learner.
struct TestedImage {
    std::string label;
    ConstructionFigure seen; ///< made with the learner's front end
    CoordinateTransform transform;
    Explanation explanation;
    bool recognised = false;

    /// The contribution of a unit; null if the unit is not present.
    [[nodiscard]] const Contribution* of(const UnitView& unit) const;
};

/// A learner's units at the end of a stream, and its predictions of the held-out images.
struct TrainedModel {
    std::vector<std::string> classes;
    std::vector<UnitView> units;
    std::vector<TestedImage> images; ///< by class, in the order drawn
};

[[nodiscard]] TrainedModel train(const StudyContext& context, const LearnerChoice& setting,
                                 const ExperimentData& data, const Draw& drawn);

/// A unit, its chain of targets (nearest first), and an image in which all of them are present.
struct FoundUnit {
    const UnitView* unit = nullptr;
    std::vector<const UnitView*> below = {};
    const TestedImage* image = nullptr;
};

/// For each class, the positive first-level unit that was right most often, on the first recognised held-out
/// image of its class that satisfies it. Classes without such a unit are left out.
[[nodiscard]] std::vector<FoundUnit> first_units(const TrainedModel& model);
/// The same for the chain of positive units with most nodes.
[[nodiscard]] std::vector<FoundUnit> longest_chains(const TrainedModel& model);

/// Its drawing, in px of the image.
[[nodiscard]] draw::Overlay overlay_of(const FoundUnit& found);

/// The assignment of a pattern to the network of an image.
struct Match {
    const TestedImage* image = nullptr;
    std::vector<NodeId> placed = {}; ///< by node of the pattern, or `no_node`
    bool full = false;
    std::size_t nodes = 0; ///< assigned
    std::size_t edges = 0; ///< found
    double degree = 0;     ///< the smaller of the two as shares
    double off = 0;        ///< root mean square error of the found edges, in px
};

/// Matches a first-level unit: completely if possible, otherwise in part.
[[nodiscard]] Match match_of(const UnitView& unit, const TestedImage& image);

/// A match and its drawing.
struct DrawnMatch {
    const UnitView* unit = nullptr;
    Match match;
    draw::Correspondence drawn;
};

/// One unit in four images: a complete match; a match with several candidates for one node; the best partial
/// match in an image of its class; and the best partial match in an image of another class. Cases that do not
/// occur in the held-out images are left out.
[[nodiscard]] std::vector<DrawnMatch> example_matches(const TrainedModel& model);

} // namespace sprig::lab

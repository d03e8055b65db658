#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "draw/correspondence.h"
#include "draw/overlay.h"
#include "lab/protocol/material.h"
#include "lab/report/study.h"
#include "sprig/draw.h"
#include "sprig/learner.h"

namespace sprig::lab {

/// An image with everything that the front end saw in it.
[[nodiscard]] ConstructionFigure seen_in(ImageView image, std::string name, std::string label,
                                         FrontEnd& front_end);

/// A held-out image as a learner saw it, and what the learner made of it.
struct Sighting {
    std::string label;
    ConstructionFigure seen; ///< its network is as the learner's front end measures it
    Placement placement;
    Explanation explanation;
    bool recognised = false;

    /// What a unit added; none if it was not there.
    [[nodiscard]] const Contribution* of(const UnitView& unit) const;
};

/// What a learner had learned at the end of a stream, and what it then made of the held-out images.
struct Taught {
    std::vector<std::string> classes;
    std::vector<UnitView> units;
    std::vector<Sighting> sightings; ///< by class, in the order drawn
};

[[nodiscard]] Taught taught(const StudyContext& context, const LearnerChoice& setting,
                            const Material& material, const Draw& drawn);

/// A unit with those that it stands on, the nearest first, and an image in which all of them were found.
struct FoundUnit {
    const UnitView* unit = nullptr;
    std::vector<const UnitView*> below = {};
    const Sighting* sighting = nullptr;
};

/// Of each class the positive unit of the first level that was right most often, on the first held-out image
/// of its class that was recognised and shows it. A class none of whose units is found so is left out.
[[nodiscard]] std::vector<FoundUnit> first_units(const Taught& taught);
/// Of each class that chain of positive units which has most nodes, likewise.
[[nodiscard]] std::vector<FoundUnit> longest_chains(const Taught& taught);

/// What is drawn of it, in px of the image.
[[nodiscard]] draw::Overlay overlay_of(const FoundUnit& found);

/// How a pattern was placed in what was seen.
struct Match {
    const Sighting* sighting = nullptr;
    std::vector<NodeId> placed = {}; ///< by node of the pattern, or `no_node`
    bool full = false;
    std::size_t nodes = 0; ///< that were placed
    std::size_t edges = 0; ///< that were found
    double degree = 0;     ///< the smaller of both as shares
    double off = 0;        ///< px: root mean square of how far the found edges are from what was learned
};

/// The matcher's answer for a unit of the first level: the whole pattern if it is there, or else part of it.
[[nodiscard]] Match match_of(const UnitView& unit, const Sighting& sighting);

/// A match and what is to be said of it.
struct DrawnMatch {
    const UnitView* unit = nullptr;
    Match match;
    draw::Correspondence drawn;
};

/// One unit in four images: found as a whole; found where several nodes are of one type; almost found in an
/// image of its class; and in that image of another class in which most of it is found. Those that the
/// held-out images do not show are left out.
[[nodiscard]] std::vector<DrawnMatch> telling_matches(const Taught& taught);

} // namespace sprig::lab

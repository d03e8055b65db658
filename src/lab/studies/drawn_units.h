#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "draw/overlay.h"
#include "lab/sampling.h"
#include "lab/study.h"
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

[[nodiscard]] Taught taught(const StudyContext& context, const LearnerSetting& setting,
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

} // namespace sprig::lab

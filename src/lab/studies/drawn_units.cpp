#include "lab/studies/drawn_units.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "draw/placed_unit.h"
#include "draw/unit_panel.h"
#include "lab/studies/digits.h"

namespace sprig::lab {

namespace {

/// A unit that was right less often is not yet worth a picture.
constexpr std::uint64_t mature = 10;

Sighting sighting_of(ImageView image, std::string name, const std::string& label, FrontEnd& front_end,
                     Reader& reader) {
    Sighting sighting{label, seen_in(image, std::move(name), label, front_end), front_end.placement(), {}};
    sighting.explanation = reader.explain(sighting.seen.network);
    const std::optional<std::size_t> best = sighting.explanation.prediction.best;
    sighting.recognised = best && reader.classes()[*best] == label;
    return sighting;
}

bool is_positive(const UnitView& unit) {
    return unit.polarity == Polarity::positive;
}

std::size_t nodes_of(const FoundUnit& found) {
    std::size_t nodes = found.unit->own_nodes;
    for (const UnitView* lower : found.below) nodes += lower->own_nodes;
    return nodes;
}

const Sighting* first_sighting(const Taught& taught, const UnitView& unit) {
    const auto shows = [&](const Sighting& sighting) {
        return sighting.label == unit.label && sighting.recognised && sighting.of(unit) != nullptr;
    };
    const auto found = std::ranges::find_if(taught.sightings, shows);
    return found == taught.sightings.end() ? nullptr : &*found;
}

/// All positive units that are found in an image of their class, with nothing negative below them.
std::vector<FoundUnit> found_units(const Taught& taught) {
    draw::UnitsByLineage known;
    for (const UnitView& unit : taught.units) known.emplace(unit.lineage, &unit);
    std::vector<FoundUnit> all;
    for (const UnitView& unit : taught.units) {
        FoundUnit found{&unit, draw::chain_below(unit, known), first_sighting(taught, unit)};
        const bool positive =
            is_positive(unit) &&
            std::ranges::all_of(found.below, [](const UnitView* lower) { return is_positive(*lower); });
        if (positive && found.sighting != nullptr) all.push_back(std::move(found));
    }
    return all;
}

/// Of each class, in their order, the one of greatest rank; the first of equals.
template <class Rank>
std::vector<FoundUnit> best_of_each_class(const Taught& taught, const std::vector<FoundUnit>& found,
                                          Rank rank) {
    std::vector<FoundUnit> best;
    for (const std::string& label : taught.classes) {
        const FoundUnit* of_class = nullptr;
        for (const FoundUnit& unit : found)
            if (unit.unit->label == label && (of_class == nullptr || rank(*of_class) < rank(unit)))
                of_class = &unit;
        if (of_class != nullptr) best.push_back(*of_class);
    }
    return best;
}

std::string record_of(const FoundUnit& found, const draw::Overlay& overlay) {
    const UnitView& unit = *found.unit;
    const auto placed = std::ranges::count_if(overlay.placed, [](NodeId node) { return node != no_node; });
    if (draw::weighs_nodes(unit))
        return fmt::format("{} of {} nodes found, {} samples", placed, unit.own_nodes, unit.active);
    if (!found.below.empty())
        return fmt::format("depth {}, {} nodes, right {}/{}", unit.depth, nodes_of(found), unit.active,
                           unit.observations());
    return fmt::format("{} nodes, {} edges, {}/{}", placed, unit.pattern.edge_count(), unit.active,
                       unit.observations());
}

} // namespace

ConstructionFigure seen_in(ImageView image, std::string name, std::string label, FrontEnd& front_end) {
    Network network = front_end(image);
    return {.name = std::move(name),
            .label = std::move(label),
            .original = {},
            .input = Image(image),
            .binarized = front_end.binarized(),
            .contours = front_end.contours(),
            .network = std::move(network),
            .params = front_end.params(),
            .notes = {}};
}

const Contribution* Sighting::of(const UnitView& unit) const {
    const auto found = std::ranges::find_if(explanation.contributions, [&](const Contribution& part) {
        return part.unit == unit.lineage && part.present;
    });
    return found == explanation.contributions.end() ? nullptr : &*found;
}

Taught taught(const StudyContext& context, const LearnerSetting& setting, const Material& material,
              const Draw& drawn) {
    const std::unique_ptr<Learner> learner = context.make(setting, context.seeds.front());
    FrontEnd front_end(learner->front_end());
    teach(*learner, material.data.classes(), extract(material.data, drawn.stream, front_end));
    Taught result{material.data.classes(), learner->units(), {}};
    const std::unique_ptr<Reader> reader = learner->reader();
    for (std::size_t c = 0; c < drawn.held_out.size(); ++c)
        for (const std::size_t i : drawn.held_out[c])
            result.sightings.push_back(sighting_of(material.data.image(i), material.data.name(i),
                                                   result.classes[c], front_end, *reader));
    return result;
}

std::vector<FoundUnit> first_units(const Taught& taught) {
    std::vector<FoundUnit> found = found_units(taught);
    std::erase_if(found, [](const FoundUnit& unit) { return !unit.below.empty(); });
    return best_of_each_class(taught, found, [](const FoundUnit& unit) { return unit.unit->active; });
}

std::vector<FoundUnit> longest_chains(const Taught& taught) {
    std::vector<FoundUnit> found = found_units(taught);
    std::erase_if(found, [](const FoundUnit& unit) {
        return unit.below.empty() || unit.unit->own_nodes == 0 || unit.unit->active < mature;
    });
    return best_of_each_class(
        taught, found, [](const FoundUnit& unit) { return std::tuple(nodes_of(unit), unit.unit->active); });
}

draw::Overlay overlay_of(const FoundUnit& found) {
    const Sighting& sighting = *found.sighting;
    const auto placed = [&](const UnitView& unit) {
        const Contribution& said = *sighting.of(unit);
        return draw::PlacedUnit{&unit, said.placed, said.left_right, said.top_bottom};
    };
    std::vector<draw::PlacedUnit> below;
    for (const UnitView* lower : found.below) below.push_back(placed(*lower));
    draw::Overlay overlay = draw::overlay_of(placed(*found.unit), below, sighting.seen, sighting.placement);
    overlay.caption = fmt::format("{}: {}", found.unit->label, sighting.seen.name);
    overlay.record = record_of(found, overlay);
    return overlay;
}

} // namespace sprig::lab

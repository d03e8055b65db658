#include "lab/studies/drawing_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "draw/placed.h"
#include "draw/placed_unit.h"
#include "draw/unit_panel.h"
#include "lab/studies/digits.h"
#include "match/full_search.h"
#include "match/partial_search.h"

namespace sprig::lab {

namespace {

/// Minimum number of times that the top unit of a drawn chain was right.
constexpr std::uint64_t mature = 10;

TestedImage test(ImageView pixels, std::string name, const std::string& label, FrontEnd& front_end,
                 Reader& reader) {
    TestedImage image{label, analyse(pixels, std::move(name), label, front_end), front_end.transform(), {}};
    image.explanation = reader.explain(image.seen.network);
    const std::optional<std::size_t> best = image.explanation.prediction.best;
    image.recognised = best && reader.classes()[*best] == label;
    return image;
}

bool is_positive(const UnitView& unit) {
    return unit.polarity == Polarity::positive;
}

std::size_t nodes_of(const FoundUnit& found) {
    std::size_t nodes = found.unit->own_nodes;
    for (const UnitView* lower : found.below) nodes += lower->own_nodes;
    return nodes;
}

const TestedImage* first_image_with(const TrainedModel& model, const UnitView& unit) {
    const auto shows = [&](const TestedImage& image) {
        return image.label == unit.label && image.recognised && image.of(unit) != nullptr;
    };
    const auto found = std::ranges::find_if(model.images, shows);
    return found == model.images.end() ? nullptr : &*found;
}

/// All positive units that are present in an image of their class and have no negative unit below them.
std::vector<FoundUnit> found_units(const TrainedModel& model) {
    draw::UnitsByLineage known;
    for (const UnitView& unit : model.units) known.emplace(unit.lineage, &unit);
    std::vector<FoundUnit> all;
    for (const UnitView& unit : model.units) {
        FoundUnit found{&unit, draw::target_chain(unit, known), first_image_with(model, unit)};
        const bool positive =
            is_positive(unit) &&
            std::ranges::all_of(found.below, [](const UnitView* lower) { return is_positive(*lower); });
        if (positive && found.image != nullptr) all.push_back(std::move(found));
    }
    return all;
}

/// For each class, the unit of highest rank; the first of equals.
template <class Rank>
std::vector<FoundUnit> best_of_each_class(const TrainedModel& model, const std::vector<FoundUnit>& found,
                                          Rank rank) {
    std::vector<FoundUnit> best;
    for (const std::string& label : model.classes) {
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
    if (draw::has_weighted_nodes(unit))
        return fmt::format("{} of {} nodes found, {} samples", placed, unit.own_nodes, unit.active);
    if (!found.below.empty())
        return fmt::format("depth {}, {} nodes, right {}/{}", unit.depth, nodes_of(found), unit.active,
                           unit.observations());
    return fmt::format("{} nodes, {} edges, {}/{}", placed, unit.pattern.edge_count(), unit.active,
                       unit.observations());
}

} // namespace

ConstructionFigure analyse(ImageView image, std::string name, std::string label, FrontEnd& front_end) {
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

const Contribution* TestedImage::of(const UnitView& unit) const {
    const auto found = std::ranges::find_if(explanation.contributions, [&](const Contribution& part) {
        return part.unit == unit.lineage && part.present;
    });
    return found == explanation.contributions.end() ? nullptr : &*found;
}

TrainedModel train(const StudyContext& context, const LearnerChoice& setting, const ExperimentData& data,
                   const Draw& drawn) {
    const std::unique_ptr<Learner> learner = context.make(setting, context.seeds.front());
    FrontEnd front_end(learner->front_end());
    teach(*learner, data.dataset.classes(), extract(data.dataset, drawn.stream, front_end));
    TrainedModel result{data.dataset.classes(), learner->units(), {}};
    const std::unique_ptr<Reader> reader = learner->reader();
    for (std::size_t c = 0; c < drawn.held_out.size(); ++c)
        for (const std::size_t i : drawn.held_out[c])
            result.images.push_back(
                test(data.dataset.image(i), data.dataset.name(i), result.classes[c], front_end, *reader));
    return result;
}

std::vector<FoundUnit> first_units(const TrainedModel& model) {
    std::vector<FoundUnit> found = found_units(model);
    std::erase_if(found, [](const FoundUnit& unit) { return !unit.below.empty(); });
    return best_of_each_class(model, found, [](const FoundUnit& unit) { return unit.unit->active; });
}

std::vector<FoundUnit> longest_chains(const TrainedModel& model) {
    std::vector<FoundUnit> found = found_units(model);
    std::erase_if(found, [](const FoundUnit& unit) {
        return unit.below.empty() || unit.unit->own_nodes == 0 || unit.unit->active < mature;
    });
    return best_of_each_class(
        model, found, [](const FoundUnit& unit) { return std::tuple(nodes_of(unit), unit.unit->active); });
}

draw::Overlay overlay_of(const FoundUnit& found) {
    const TestedImage& image = *found.image;
    const auto placed = [&](const UnitView& unit) {
        const Contribution& said = *image.of(unit);
        return draw::PlacedUnit{&unit, said.placed, said.pose};
    };
    std::vector<draw::PlacedUnit> below;
    for (const UnitView* lower : found.below) below.push_back(placed(*lower));
    draw::Overlay overlay = draw::overlay_of(placed(*found.unit), below, image.seen, image.transform);
    overlay.caption = fmt::format("{}: {}", found.unit->label, image.seen.name);
    overlay.note = record_of(found, overlay);
    return overlay;
}

namespace {

match::Point point_of(std::span<const double> coordinates) {
    match::Point point;
    std::ranges::copy(coordinates, point.at.begin());
    return point;
}

match::Pattern pattern_of(const Network& network) {
    std::vector<match::Pattern::Node> nodes;
    for (NodeId node = 0; node < network.node_count(); ++node)
        nodes.push_back({network.type(node), point_of(network.position(node))});
    std::vector<match::Pattern::Edge> edges;
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        const Edge& edge = network.edge(id);
        edges.push_back({edge.layer, edge.from, edge.to, point_of(network.displacement(id))});
    }
    return {std::move(nodes), {}, std::move(edges), network.schema().node_types.size()};
}

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

double off_of(const Network& pattern, const draw::PlacedPart& part) {
    double squares = 0;
    for (EdgeId id = 0; id < part.edges.size(); ++id) {
        const match::Point error =
            point_of(part.network.displacement(id)) - point_of(pattern.displacement(part.edges[id]));
        squares += error.squared_length();
    }
    return part.edges.empty() ? 0 : std::sqrt(squares / static_cast<double>(part.edges.size()));
}

/// The number of edges of a node that would be found if it were assigned to `at` and all others stayed.
std::size_t edges_if(const UnitView& unit, const Match& match, NodeId node, NodeId at) {
    std::vector<NodeId> placed = match.placed;
    placed[node] = at;
    const auto touches = [&](EdgeId id) {
        const Edge& edge = unit.pattern.edge(id);
        return edge.from == node || edge.to == node;
    };
    const draw::PlacedPart part = draw::placed_part(unit.pattern, match.image->seen.network, placed);
    return static_cast<std::size_t>(std::ranges::count_if(part.edges, touches));
}

std::vector<NodeId> candidates_for(const UnitView& unit, const Network& seen, NodeId node) {
    std::vector<NodeId> candidates;
    for (NodeId at = 0; at < seen.node_count(); ++at)
        if (seen.type(at) == unit.pattern.type(node)) candidates.push_back(at);
    return candidates;
}

std::size_t edges_at(const UnitView& unit, NodeId node) {
    return static_cast<std::size_t>(std::ranges::count_if(
        unit.pattern.edges(), [&](const Edge& edge) { return edge.from == node || edge.to == node; }));
}

/// The node with most candidates; of equals the one with most edges.
NodeId most_ambiguous(const UnitView& unit, const Network& seen) {
    const auto rank = [&](NodeId node) {
        return std::tuple(candidates_for(unit, seen, node).size(), edges_at(unit, node));
    };
    NodeId best = 0;
    for (NodeId node = 1; node < unit.own_nodes; ++node)
        if (rank(best) < rank(node)) best = node;
    return best;
}

std::size_t rivals_in(const UnitView& unit, const Match& match) {
    const Network& seen = match.image->seen.network;
    return candidates_for(unit, seen, most_ambiguous(unit, seen)).size();
}

/// A legible pattern: a moderate number of nodes, connected, and as reliable as possible.
const UnitView* example_unit(const TrainedModel& model) {
    constexpr std::size_t fewest = 6;
    constexpr std::size_t most = 10;
    const auto rank = [](const FoundUnit& found) {
        const UnitView& unit = *found.unit;
        const bool legible =
            unit.own_nodes >= fewest && unit.own_nodes <= most && unit.pattern.edge_count() >= unit.own_nodes;
        return std::tuple(legible, static_cast<double>(unit.active) /
                                       static_cast<double>(std::max<std::uint64_t>(unit.observations(), 1)));
    };
    const std::vector<FoundUnit> units = first_units(model);
    const auto best = std::ranges::max_element(units, {}, rank);
    return best == units.end() ? nullptr : best->unit;
}

/// The match of highest rank among those that are wanted; the first of equals.
template <class Wanted, class Rank>
const Match* best_match(const std::vector<Match>& matches, Wanted wanted, Rank rank) {
    const Match* best = nullptr;
    for (const Match& match : matches)
        if (wanted(match) && (best == nullptr || rank(*best) < rank(match))) best = &match;
    return best;
}

DrawnMatch drawn(const UnitView& unit, const Match& match, std::string caption) {
    const ConstructionFigure& seen = match.image->seen;
    std::vector<std::string> record = {
        fmt::format("unit {:016x} of class {}; image {} of class {}", unit.lineage, unit.label, seen.name,
                    seen.label),
        fmt::format("{} of {} nodes placed, {} of {} relations found, off by {:.1f} px (root mean square)",
                    match.nodes, unit.own_nodes, match.edges, unit.pattern.edge_count(), match.off)};
    return {&unit, match, {std::move(caption), std::move(record), unit.pattern, seen, match.placed}};
}

void add_ambiguous_node(DrawnMatch& drawn) {
    const UnitView& unit = *drawn.unit;
    const Network& seen = drawn.match.image->seen.network;
    draw::AmbiguousNode ambiguous{most_ambiguous(unit, seen), {}};
    const std::size_t all = edges_at(unit, ambiguous.node);
    for (const NodeId at : candidates_for(unit, seen, ambiguous.node))
        ambiguous.candidates.push_back(
            {at, fmt::format("{} of {}", edges_if(unit, drawn.match, ambiguous.node, at), all)});
    drawn.drawn.notes.push_back(
        fmt::format("{} candidates for the node in the disc; beside each, how many of {} relations hold",
                    ambiguous.candidates.size(), all));
    drawn.drawn.ambiguous = std::move(ambiguous);
}

} // namespace

Match match_of(const UnitView& unit, const TestedImage& image) {
    const match::Pattern pattern = pattern_of(unit.pattern);
    match::Observation observation;
    observation.assign(image.seen.network);
    const match::Query query{pattern, observation};
    WorkCounts work;
    std::vector<std::uint32_t> places;
    Match result{&image};
    result.full = match::FullSearch()(query, places, work);
    if (!result.full) places = match::PartialSearch()(query, work).placed;
    for (const std::uint32_t at : places)
        result.placed.push_back(at == match::unassigned ? no_node : observation.original(at));
    const draw::PlacedPart part = draw::placed_part(unit.pattern, image.seen.network, result.placed);
    result.nodes = part.nodes.size();
    result.edges = part.edges.size();
    result.degree =
        std::min(share(result.nodes, unit.own_nodes), share(result.edges, unit.pattern.edge_count()));
    result.off = off_of(unit.pattern, part);
    return result;
}

std::vector<DrawnMatch> example_matches(const TrainedModel& model) {
    std::vector<DrawnMatch> result;
    const UnitView* unit = example_unit(model);
    if (unit == nullptr) return result;
    std::vector<Match> matches;
    for (const TestedImage& image : model.images) matches.push_back(match_of(*unit, image));
    const auto is_own = [&](const Match& match) { return match.image->label == unit->label; };
    const auto is_found = [&](const Match& match) { return is_own(match) && match.full; };
    const auto lacks_nodes = [&](const Match& match) { return match.nodes < unit->own_nodes; };
    const auto degree = [](const Match& match) { return match.degree; };

    if (const Match* best = best_match(matches, is_found, [](const Match& match) { return -match.off; }))
        result.push_back(drawn(*unit, *best, "Found as a whole: each node and each relation has its place"));
    const auto rivals = [&](const Match& match) { return rivals_in(*unit, match); };
    if (const Match* best = best_match(matches, is_found, rivals)) {
        result.push_back(drawn(*unit, *best, "Several nodes of one type: the relations decide between them"));
        add_ambiguous_node(result.back());
    }
    const auto is_almost = [&](const Match& match) { return is_own(match) && !match.full; };
    if (const Match* best = best_match(matches, is_almost, degree))
        result.push_back(drawn(*unit, *best, "Not satisfied in an image of its own class"));
    const auto is_other = [&](const Match& match) { return !is_own(match) && lacks_nodes(match); };
    if (const Match* best = best_match(matches, is_other, degree))
        result.push_back(drawn(*unit, *best, "Not satisfied in an image of another class"));
    return result;
}

} // namespace sprig::lab

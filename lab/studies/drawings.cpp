#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lab/protocol/experiment.h"
#include "lab/report/study.h"
#include "lab/studies/drawn.h"
#include "lab/studies/made_images.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

StudyTable empty_table() {
    return {"drawn",
            "What was drawn",
            {"figure", "class", "image", "unit", "depth", "nodes", "placed", "edges", "found", "off px"}};
}

std::vector<Cell> network_row(const std::string& figure, const ConstructionFigure& seen) {
    return {cell(figure),          cell(seen.label.empty() ? "-" : seen.label),
            cell(seen.name),       cell(std::string("-")),
            cell(std::nullopt, 0), cell(seen.network.node_count()),
            cell(std::nullopt, 0), cell(seen.network.edge_count()),
            cell(std::nullopt, 0), cell(std::nullopt, 2)};
}

std::vector<Cell> match_row(const std::string& figure, const DrawnMatch& drawn) {
    return {cell(figure),
            cell(drawn.match.sighting->label),
            cell(drawn.match.sighting->seen.name),
            cell(fmt::format("{:016x}", drawn.unit->lineage)),
            cell(std::size_t{drawn.unit->depth}),
            cell(drawn.unit->own_nodes),
            cell(drawn.match.nodes),
            cell(drawn.unit->pattern.edge_count()),
            cell(drawn.match.edges),
            cell(drawn.match.off, 2)};
}

/// A unit and all that it stands on.
std::vector<Cell> overlay_row(const std::string& figure, const FoundUnit& found,
                              const draw::Overlay& overlay) {
    const auto placed = std::ranges::count_if(overlay.placed, [](NodeId node) { return node != no_node; });
    const std::size_t edges = overlay.pattern.edge_count();
    return {cell(figure),
            cell(found.sighting->label),
            cell(found.sighting->seen.name),
            cell(fmt::format("{:016x}", found.unit->lineage)),
            cell(std::size_t{found.unit->depth}),
            cell(overlay.pattern.node_count()),
            cell(static_cast<std::size_t>(placed)),
            edges > 0 ? cell(edges) : cell(std::nullopt, 0),
            edges > 0 ? cell(edges) : cell(std::nullopt, 0), // it is only found with all of them
            cell(std::nullopt, 2)};
}

/// The pieces of the study, one figure after the other.
class Drawings {
  public:
    Drawings(std::string stream, std::uint64_t seed) {
        result_.notes = {std::move(stream), fmt::format("Everything is drawn as seed {} gave it.", seed)};
    }

    void add_schematic();
    void add_construction(const Sighting& sighting);
    void add_matches(const Taught& taught);
    void add_units(const std::string& name, const std::vector<FoundUnit>& units,
                   const draw::OverlayOptions& options, std::string caption);

    StudyResult take() {
        result_.tables.push_back(std::move(table_));
        return std::move(result_);
    }

  private:
    void add(const std::string& name, std::string svg, std::string caption) {
        result_.figures.push_back({name + ".svg", std::move(svg), std::move(caption)});
    }
    void leave_out(const std::string& name) {
        result_.notes.push_back(fmt::format(
            "There is no figure {}: nothing that it would show was found in a held-out image.", name));
    }

    StudyTable table_ = empty_table();
    StudyResult result_;
};

void Drawings::add_schematic() {
    FrontEnd front_end;
    ConstructionFigure figure =
        seen_in(mountain().view(), "A made shape with bumps of several sizes", "", front_end);
    const std::uint32_t last = std::max(figure.network.level_count(), 1U) - 1;
    std::vector<std::uint32_t> levels(last + 1);
    std::iota(levels.begin(), levels.end(), 0U);
    add("schematic", draw_levels(figure, levels, {.panel = 225}),
        "Relations of several ranges in one network, on a made shape. At the finest level each change point "
        "is related to its neighbours on the outline, however small the bump between them is. Each level "
        "leaves out the smallest bump that is left and relates what it stood between, so that relations "
        "reach farther and farther. Nothing is thrown away: the last panel is the network that a learner "
        "gets, with the relations of all levels between the same nodes.");
    table_.rows.push_back(network_row("schematic", figure));
}

void Drawings::add_construction(const Sighting& sighting) {
    add("construction", draw_construction(sighting.seen),
        fmt::format("From an image to its network: {}, a {}. The image is made black and white; where its "
                    "outlines turn from left to right or from up to down there is a node, whose type says "
                    "which way it turns and whether the ink bulges there. The finest level relates "
                    "neighbours on an outline; the coarsest relates what is left when all smaller bumps are "
                    "gone. The network has the relations of all {} levels. Relations of neighbours in x or y "
                    "order, on whatever outline, are there as well and are not drawn.",
                    sighting.seen.name, sighting.label, sighting.seen.network.level_count()));
    table_.rows.push_back(network_row("construction", sighting.seen));
}

void Drawings::add_matches(const Taught& taught) {
    const std::vector<DrawnMatch> matches = telling_matches(taught);
    if (matches.empty()) return leave_out("correspondence");
    std::vector<draw::Correspondence> panels;
    for (const DrawnMatch& match : matches) {
        panels.push_back(match.drawn);
        table_.rows.push_back(match_row("correspondence", match));
    }
    add("correspondence", draw_correspondences(panels, "Where a learned pattern lies in what is seen"),
        "A pattern that the Modeller learned, beside held-out images: which node of the one is which node of "
        "the other? A node may only be placed on one of its own type, and each seen node is taken once. "
        "Types alone leave many ways; relations decide, since each must be there between the nodes that its "
        "ends are placed on, and of all ways to place the pattern that one is taken whose displacements are "
        "least off. Both frames show the same part of the plane, so lines are parallel where the seen shape "
        "is as it was learned. A unit of which a node or a relation is missing is not satisfied.");
}

void Drawings::add_units(const std::string& name, const std::vector<FoundUnit>& units,
                         const draw::OverlayOptions& options, std::string caption) {
    if (units.empty()) return leave_out(name);
    std::vector<draw::Overlay> overlays;
    for (const FoundUnit& unit : units) {
        overlays.push_back(overlay_of(unit));
        table_.rows.push_back(overlay_row(name, unit, overlays.back()));
    }
    add(name, draw_overlays(overlays, options), std::move(caption));
}

std::string stream_in_words(const Material& material, const Protocol& protocol) {
    return fmt::format("Learned from the paper's stream: {} cycles of {} classes with {} new images each, "
                       "drawn from {} filtered images; {} others of each class are held out, and drawn on.",
                       protocol.cycles, protocol.classes(material), protocol.per_block, material.pool.size(),
                       protocol.held_out_per_class);
}

/// A digit with a hole, if there is one: both kinds of outline are seen.
const Sighting& shown_digit(const Taught& taught) {
    const auto found = std::ranges::find(taught.sightings, "6", &Sighting::label);
    return found == taught.sightings.end() ? taught.sightings.front() : *found;
}

StudyResult run(const StudyContext& context) {
    const Material material = papers_material(context);
    const Protocol protocol = limited({}, context);
    const Draw drawn = draw(material.data, material.pool, context.seeds.front(),
                            protocol.cycles * protocol.per_block, protocol.held_out_per_class);
    const Taught modeller = taught(context, {"modeller", "paper"}, material, drawn);
    const Taught constellation = taught(context, {"constellation", "default"}, material, drawn);

    Drawings drawings(stream_in_words(material, protocol), context.seeds.front());
    drawings.add_schematic();
    drawings.add_construction(shown_digit(modeller));
    drawings.add_matches(modeller);
    drawings.add_units("units-modeller", first_units(modeller),
                       {.title = "Units of the Modeller, where they were found",
                        .notes = {"class and image; nodes and edges, and in how many of the observations "
                                  "that show the unit it was right"}},
                       "What the Modeller has learned, seen on held-out images. Of each class it is the unit "
                       "of the first level that was right most often, drawn on the first held-out image of "
                       "its class that was recognised and has it. Nodes stand where the matcher placed them, "
                       "edges are the relations that the unit asks for, coloured by how far they reach.");
    drawings.add_units("chains-modeller", longest_chains(modeller),
                       {.title = "Chains of the Modeller, where they were found",
                        .notes = {"class and image; depth of the unit on top, nodes of the whole chain, and "
                                  "how often that unit was right"},
                        .panel = 230},
                       "Units of the Modeller that stand on others. Each asks for nodes and relations beside "
                       "those of the units below it, which are drawn faintly, and joins them at its anchors. "
                       "Of each class that has one it is the chain with most nodes, of units that speak for "
                       "the class only, on the first held-out image that was recognised and has it.");
    drawings.add_units(
        "units-constellation", first_units(constellation),
        {.title = "Units of Constellation, where they were found",
         .notes = {"class and image; how many of the unit's nodes were found, and how many samples it has "
                   "learned from"},
         .panel = 230},
        "What Constellation has learned, seen on held-out images. Of each class it is the unit with most "
        "samples, on the first held-out image of its class that was recognised. Each node stands where it "
        "was placed, joined to the place where the unit expects it; what the unit expects in at least half "
        "of its samples and did not find is drawn in outline.");
    return drawings.take();
}

} // namespace

Study study_drawings() {
    return {.name = "drawings",
            .question = "What do networks, matches and learned units look like?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 0.1,
            .is_contest = true};
}

} // namespace sprig::lab

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lab/protocol/experiment.h"
#include "lab/report/study.h"
#include "lab/studies/drawing_data.h"
#include "lab/studies/paper_stream.h"
#include "lab/studies/synthetic_images.h"

namespace sprig::lab::studies::drawings {

namespace {

StudyTable empty_table() {
    return {"drawn",
            "Contents of the figures",
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
            cell(drawn.match.image->label),
            cell(drawn.match.image->seen.name),
            cell(fmt::format("{:016x}", drawn.unit->lineage)),
            cell(std::size_t{drawn.unit->depth}),
            cell(drawn.unit->own_nodes),
            cell(drawn.match.nodes),
            cell(drawn.unit->pattern.edge_count()),
            cell(drawn.match.edges),
            cell(drawn.match.off, 2)};
}

/// A unit and its chain of targets.
std::vector<Cell> overlay_row(const std::string& figure, const FoundUnit& found,
                              const draw::Overlay& overlay) {
    const auto placed = std::ranges::count_if(overlay.placed, [](NodeId node) { return node != no_node; });
    const std::size_t edges = overlay.pattern.edge_count();
    return {cell(figure),
            cell(found.image->label),
            cell(found.image->seen.name),
            cell(fmt::format("{:016x}", found.unit->lineage)),
            cell(std::size_t{found.unit->depth}),
            cell(overlay.pattern.node_count()),
            cell(static_cast<std::size_t>(placed)),
            edges > 0 ? cell(edges) : cell(std::nullopt, 0),
            edges > 0 ? cell(edges) : cell(std::nullopt, 0), // a unit is only present with all its edges
            cell(std::nullopt, 2)};
}

/// Collects the figures of the study.
class Drawings {
  public:
    Drawings(std::string stream, std::uint64_t seed) {
        result_.notes = {std::move(stream), fmt::format("All figures are from seed {}.", seed)};
    }

    void add_schematic();
    void add_construction(const TestedImage& image);
    void add_matches(const TrainedModel& model);
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
        analyse(mountain().view(), "A made shape with bumps of several sizes", "", front_end);
    const std::uint32_t last = std::max(figure.network.level_count(), 1U) - 1;
    std::vector<std::uint32_t> levels(last + 1);
    std::iota(levels.begin(), levels.end(), 0U);
    add("schematic", draw_levels(figure, levels, {.panel = 225}),
        "Relations of several ranges in one network, on a synthetic shape. At the finest level each change "
        "point is related to its neighbours on the contour, however small the bump between them is. Each "
        "further level leaves out the smallest remaining bump and relates its neighbours, so that "
        "relations have a longer and longer range. Nothing is discarded: the last panel is the network "
        "that a learner gets, with the relations of all levels between the same nodes.");
    table_.rows.push_back(network_row("schematic", figure));
}

void Drawings::add_construction(const TestedImage& image) {
    add("construction", draw_construction(image.seen),
        fmt::format("From an image to its network: {}, a {}. The image is binarised. There is a node where "
                    "a contour reverses its direction in x or in y; the type of the node is the kind of "
                    "reversal and whether the ink is convex there. The finest level relates neighbours on "
                    "a contour; the coarsest relates the nodes that are left when all smaller bumps are "
                    "removed. The network has the relations of all {} levels. It also has relations "
                    "between neighbours in x and y order on all contours, which are not drawn.",
                    image.seen.name, image.label, image.seen.network.level_count()));
    table_.rows.push_back(network_row("construction", image.seen));
}

void Drawings::add_matches(const TrainedModel& model) {
    const std::vector<DrawnMatch> matches = example_matches(model);
    if (matches.empty()) return leave_out("correspondence");
    std::vector<draw::Correspondence> panels;
    for (const DrawnMatch& match : matches) {
        panels.push_back(match.drawn);
        table_.rows.push_back(match_row("correspondence", match));
    }
    add("correspondence", draw_correspondences(panels, "Where a learned pattern lies in what is seen"),
        "A pattern that the Modeller learned, matched with held-out images. A node may only be assigned to "
        "an observed node of its own type, and each observed node at most once. Types alone leave many "
        "assignments; relations decide between them: each relation must exist between the observed nodes "
        "that its ends are assigned to, and of all assignments the one with the smallest error of "
        "displacements is chosen. Both frames show the same part of the plane, so that lines are parallel "
        "where the observed shape is as it was learned. A unit is not satisfied if a node or a relation is "
        "missing.");
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

std::string describe_stream(const ExperimentData& data, const Protocol& protocol) {
    return fmt::format("Learned from the paper's stream: {} cycles of {} classes with {} new images each, "
                       "drawn from {} filtered images; {} other images of each class are held out and used "
                       "in the figures.",
                       protocol.cycles, protocol.classes(data), protocol.per_block, data.pool.size(),
                       protocol.held_out_per_class);
}

/// A digit with a hole, if there is one: it has both kinds of contour.
const TestedImage& shown_digit(const TrainedModel& model) {
    const auto found = std::ranges::find(model.images, "6", &TestedImage::label);
    return found == model.images.end() ? model.images.front() : *found;
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    const Protocol protocol = limited({}, context);
    const Draw drawn = draw(data.dataset, data.pool, context.seeds.front(),
                            protocol.cycles * protocol.per_block, protocol.held_out_per_class);
    const TrainedModel modeller = train(context, {"modeller", "paper"}, data, drawn);
    const TrainedModel constellation = train(context, {"constellation", "default"}, data, drawn);

    Drawings drawings(describe_stream(data, protocol), context.seeds.front());
    drawings.add_schematic();
    drawings.add_construction(shown_digit(modeller));
    drawings.add_matches(modeller);
    drawings.add_units("units-modeller", first_units(modeller),
                       {.title = "Units of the Modeller, where they were found",
                        .notes = {"class and image; nodes and edges, and in how many of the observations "
                                  "that show the unit it was right"}},
                       "Units of the Modeller on held-out images: for each class the first-level unit that "
                       "was right most often, on the first recognised held-out image of its class that "
                       "satisfies it. Nodes are where the matcher assigned them; edges are the relations "
                       "that the unit requires, coloured by their range.");
    drawings.add_units("chains-modeller", longest_chains(modeller),
                       {.title = "Chains of the Modeller, where they were found",
                        .notes = {"class and image; depth of the unit on top, nodes of the whole chain, and "
                                  "how often that unit was right"},
                        .panel = 230},
                       "Chains of units of the Modeller. Each unit requires nodes and relations in "
                       "addition to those of the units below it, which are drawn faintly, and is connected "
                       "to them at its anchors. For each class that has one: the chain of positive units "
                       "with most nodes, on the first recognised held-out image that satisfies it.");
    drawings.add_units(
        "units-constellation", first_units(constellation),
        {.title = "Units of Constellation, where they were found",
         .notes = {"class and image; how many of the unit's nodes were found, and how many samples it has "
                   "learned from"},
         .panel = 230},
        "Units of Constellation on held-out images: for each class the unit with most samples, on the "
        "first recognised held-out image of its class. Each node is where it was assigned, connected to "
        "its expected position; nodes that occur in at least half of the unit's samples and were not found "
        "are drawn in outline.");
    return drawings.take();
}

} // namespace

Study study() {
    return {.name = "drawings",
            .question = "What do networks, matches and learned units look like?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.1,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::drawings

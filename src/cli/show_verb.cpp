#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/front_end_options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "draw/raster.h"
#include "lab/filter.h"
#include "sprig/data.h"
#include "sprig/draw.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_on_a_sheet = 400;

struct ShowOptions {
    std::vector<std::string> addresses;
    std::string output;
    std::string layer;
    std::optional<std::uint32_t> level;
    FrontEndParams front_end;
    PictureOptions picture;
    bool json = false;
};

/// A person's picture and what became of it, kept for the figure.
struct TakenIn {
    Picture picture;
    std::vector<std::string> notes;
};

std::vector<std::string> notes_on(const Normalised& n, const Picture& picture) {
    std::vector<std::string> notes;
    notes.push_back(fmt::format(
        "{} x {} px, {} (--invert for the other way round), threshold {}", picture.width, picture.height,
        n.dark_on_light ? "taken as dark ink on light paper" : "taken as light ink on dark paper",
        n.threshold));
    notes.push_back(
        fmt::format("ink of {} x {} px at ({}, {}), scaled to 20 px and centred in 28 px{}", n.crop[2],
                    n.crop[3], n.crop[0], n.crop[1],
                    n.thickened > 0 ? fmt::format("; thin strokes widened by {} px", n.thickened) : ""));
    return notes;
}

Image take_in(const Picture& picture, const PictureOptions& options, std::vector<TakenIn>& taken) {
    if (taken.size() >= most_on_a_sheet) {
        throw usage_error(
            fmt::format("a sheet shows up to {} images; choose some, as in dir:PATH:0-24", most_on_a_sheet));
    }
    if (options.raw) {
        taken.push_back({picture, {"grey levels taken as they are"}});
        return grey(picture, options.invert);
    }
    const Normalised normalised = normalise(picture, {.invert = options.invert});
    taken.push_back({picture, notes_on(normalised, picture)});
    return normalised.image;
}

std::vector<ConstructionFigure> make_figures(const ShowOptions& options) {
    FrontEnd front_end(options.front_end);
    std::vector<ConstructionFigure> figures;
    for (const std::string& address : options.addresses) {
        std::vector<TakenIn> taken;
        LoadOptions load;
        load.prepare = [&](const Picture& picture) { return take_in(picture, options.picture, taken); };
        const Dataset data = load_dataset(address, load);
        if (figures.size() + data.size() > most_on_a_sheet) {
            throw usage_error(
                fmt::format("{} has {} images, but a sheet shows up to {}; choose some, as in {}:0-24",
                            address, data.size(), most_on_a_sheet, address));
        }
        for (std::size_t i = 0; i < data.size(); ++i) {
            Network network = front_end(data.image(i));
            ConstructionFigure figure{.name = data.name(i),
                                      .label = data.label(i) < 0 ? "" : lab::label_of(data, i),
                                      .original = {},
                                      .input = Image(data.image(i)),
                                      .binarized = front_end.binarized(),
                                      .contours = front_end.contours(),
                                      .network = std::move(network),
                                      .params = options.front_end,
                                      .notes = {}};
            if (i < taken.size()) {
                figure.original = std::move(taken[i].picture);
                figure.notes = std::move(taken[i].notes);
            }
            figures.push_back(std::move(figure));
        }
    }
    return figures;
}

DrawOptions draw_options(const ShowOptions& options) {
    DrawOptions draw;
    draw.level = options.level;
    draw.all_layers = options.layer == "all";
    const auto schema = front_end_schema(options.front_end);
    for (std::uint32_t i = 0; i < schema->layers.size(); ++i) {
        if (schema->layers[i] == options.layer) draw.layer = static_cast<Layer>(i);
    }
    return draw;
}

bool ends_with(const std::string& text, std::string_view ending) {
    return text.size() > ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

void draw(const std::vector<ConstructionFigure>& figures, const ShowOptions& options) {
    const DrawOptions how = draw_options(options);
    const std::string svg =
        figures.size() == 1 ? draw_construction(figures[0], how) : draw_sheet(figures, how);
    write_file_atomically(options.output,
                          ends_with(options.output, ".png") ? sprig::draw::render_png(svg) : svg);
    say(fmt::format("sprig: drew {} to {}",
                    figures.size() == 1 ? figures[0].name : fmt::format("{} images", figures.size()),
                    options.output));
}

void print_json(const std::vector<ConstructionFigure>& figures) {
    if (figures.size() == 1) {
        fmt::print("{}", to_json(figures[0].network));
        return;
    }
    fmt::print("[\n");
    for (std::size_t i = 0; i < figures.size(); ++i) {
        fmt::print("{{\"name\": {}, \"label\": {}, \"network\":\n{}}}{}\n", Json(figures[i].name).dump(),
                   Json(figures[i].label).dump(), to_json(figures[i].network),
                   i + 1 < figures.size() ? "," : "");
    }
    fmt::print("]\n");
}

void print_text(const ConstructionFigure& figure) {
    const Network& network = figure.network;
    fmt::print("{}{}\n", figure.name, figure.label.empty() ? "" : fmt::format(", label {}", figure.label));
    for (const std::string& note : figure.notes) fmt::print("{}\n", note);
    fmt::print("{} nodes, {} edges, {} levels\n\n", network.node_count(), network.edge_count(),
               network.level_count());
    if (network.node_count() == 0) return;
    Table table({"node", "type", "x", "y", "persistence", "sharpness", "next"});
    for (NodeId n = 0; n < network.node_count(); ++n) {
        table.add({fmt::format("{}", n), network.schema().node_types[network.type(n)],
                   fmt::format("{:g}", network.coordinate(n, 0)),
                   fmt::format("{:g}", network.coordinate(n, 1)),
                   fmt::format("{:g}", network.attribute(n, 0)),
                   fmt::format("{:.2f}", network.attribute(n, 1)), fmt::format("{}", network.next(n))});
    }
    fmt::print("{}\n", table.text());
}

void show(const ShowOptions& options) {
    if (!options.output.empty() && !ends_with(options.output, ".svg") && !ends_with(options.output, ".png")) {
        throw usage_error(fmt::format("{} is neither an .svg nor a .png file", options.output));
    }
    const std::vector<ConstructionFigure> figures = make_figures(options);
    if (!options.output.empty()) draw(figures, options);
    if (options.json) {
        print_json(figures);
    } else if (options.output.empty()) {
        for (const ConstructionFigure& figure : figures) print_text(figure);
        say("sprig: with -o FILE.svg (or .png) this is drawn");
    }
}

} // namespace

void add_show_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("show", "Show how an image becomes a network");
    auto options = std::make_shared<ShowOptions>();
    verb->add_option("IMAGE", options->addresses, "One image, or several for a sheet")->required();
    verb->add_option("-o,--output", options->output, "Draw to this .svg or .png file");
    verb->add_option("--layer", options->layer, "Draw only this layer, or all (default: both contour layers)")
        ->check(CLI::IsMember({"contour_h", "contour_v", "spatial_h", "spatial_v", "all"}));
    verb->add_option("--level", options->level, "Draw only the edges of this level (0: the finest)");
    verb->add_flag("--json", options->json, "Print the network as JSON");
    add_front_end_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->footer("\nA picture of your own is normalised first: ink found, background removed, scaled to 20 "
                 "px, centred\n"
                 "in 28 px.\n\n"
                 "Examples:\n"
                 "  sprig show mnist:train:17 -o eight.svg\n"
                 "  sprig show mnist:train:0-24 -o sheet.png\n"
                 "  sprig show photo.jpg --directions 4 -o photo.svg\n"
                 "  sprig show mnist:t10k:3 --json");
    verb->callback([options] { show(*options); });
}

} // namespace sprig::cli

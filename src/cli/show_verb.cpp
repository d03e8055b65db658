#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/drawings.h"
#include "cli/front_end_options.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/data.h"
#include "sprig/draw.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

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

/// Refuses more images than anybody can look at.
void require_few(std::size_t count, const std::string& address) {
    if (count <= most_on_a_sheet) return;
    throw usage_error(
        fmt::format("{0} has {1} images or more, but a sheet shows up to {2}; choose some, as in {0}:0-24",
                    address, count, most_on_a_sheet));
}

ConstructionFigure make_figure(const Dataset& data, std::size_t index, FrontEnd& front_end) {
    Network network = front_end(data.image(index));
    return {.name = data.name(index),
            .label = data.label(index) < 0 ? "" : data.label_name(index),
            .original = {},
            .input = Image(data.image(index)),
            .binarized = front_end.binarized(),
            .contours = front_end.contours(),
            .network = std::move(network),
            .params = front_end.params(),
            .notes = {}};
}

std::vector<ConstructionFigure> make_figures(const ShowOptions& options) {
    FrontEnd front_end(options.front_end);
    PictureReader reader(options.picture);
    ProgressBar bar("reading");
    std::vector<ConstructionFigure> figures;
    for (const std::string& address : options.addresses) {
        std::vector<PictureReader::Taken> taken;
        LoadOptions load;
        load.prepare = [&](const Picture& picture) {
            require_few(figures.size() + taken.size() + 1, address);
            return reader.take(picture, &taken.emplace_back());
        };
        load.progress = [&](std::size_t at, std::size_t of) { bar.update(at, of); };
        const Dataset data = load_dataset(address, load);
        require_few(figures.size() + data.size(), address);
        for (std::size_t i = 0; i < data.size(); ++i) {
            stop_if_interrupted();
            ConstructionFigure figure = make_figure(data, i, front_end);
            if (i < taken.size()) {
                figure.original = std::move(taken[i].picture);
                figure.notes = std::move(taken[i].notes);
            }
            figures.push_back(std::move(figure));
        }
    }
    reader.say_what_was_taken();
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

void draw(const std::vector<ConstructionFigure>& figures, const ShowOptions& options) {
    stop_if_interrupted();
    const DrawOptions how = draw_options(options);
    const std::string svg =
        figures.size() == 1 ? draw_construction(figures[0], how) : draw_sheet(figures, how);
    write_drawing(options.output, svg);
    say(fmt::format("sprig: drew {} to {}",
                    figures.size() == 1 ? figures[0].name : fmt::format("{} images", figures.size()),
                    options.output));
}

/// An array, also of one image, so that a script need not care how many there are.
void print_json(const std::vector<ConstructionFigure>& figures) {
    std::string text = "[\n";
    for (const ConstructionFigure& figure : figures) {
        Json about = {{"name", figure.name}};
        if (!figure.label.empty()) about["label"] = figure.label;
        if (!figure.notes.empty()) about["notes"] = figure.notes;
        std::string head = json_text(about);
        head.resize(head.rfind('\n', head.size() - 2)); // without the closing brace: the network follows
        text += fmt::format("{},\n  \"network\":\n{}}}{}\n", head, to_json(figure.network),
                            &figure == &figures.back() ? "" : ",");
    }
    print(text + "]\n");
}

void print_text(const ConstructionFigure& figure) {
    const Network& network = figure.network;
    print(figure.name + (figure.label.empty() ? "" : ", label " + figure.label) + "\n");
    for (const std::string& note : figure.notes) print(note + "\n");
    print(fmt::format("{} nodes, {} edges, {} levels\n\n", network.node_count(), network.edge_count(),
                      network.level_count()));
    if (network.node_count() == 0) return;
    Table table({"node", "type", "x", "y", "persistence", "sharpness", "next"});
    for (NodeId n = 0; n < network.node_count(); ++n) {
        table.add({fmt::format("{}", n), network.schema().node_types[network.type(n)],
                   fmt::format("{:g}", network.coordinate(n, 0)),
                   fmt::format("{:g}", network.coordinate(n, 1)),
                   fmt::format("{:g}", network.attribute(n, 0)),
                   fmt::format("{:.2f}", network.attribute(n, 1)), fmt::format("{}", network.next(n))});
    }
    print(table.text() + "\n");
}

void show(const ShowOptions& options) {
    if (!options.output.empty()) require_drawing(options.output);
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
    offer(*verb->add_option("IMAGE", options->addresses, "One image, or several for a sheet")->required(),
          address_words(), Besides::files);
    CLI::Option* output =
        verb->add_option("-o,--output", options->output, "Draw to this .svg or .png file")->type_name("FILE");
    verb->add_option("--layer", options->layer, "Draw only this layer, or all (default: both contour layers)")
        ->check(CLI::IsMember({"contour_h", "contour_v", "spatial_h", "spatial_v", "all"}))
        ->needs(output);
    verb->add_option("--level", options->level, "Draw only the edges of this level (0: the finest)")
        ->needs(output);
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

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/drawings.h"
#include "cli/front_end_options.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/data.h"
#include "sprig/draw.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

constexpr std::size_t max_images = 400;

struct ShowOptions {
    std::vector<std::string> addresses;
    std::string output;
    std::string layer;
    std::optional<std::uint32_t> level;
    FrontEndParams front_end;
    PictureOptions picture;
    int resolution = 0; ///< 0: pictures are normalised as MNIST
    bool json = false;
};

/// Throws if there are too many images for a sheet.
void check_count(std::size_t count, const std::string& address) {
    if (count <= max_images) return;
    throw usage_error(fmt::format(
        "{1} images with {0} are too many: a sheet shows at most {2}; choose some, as in {0}:0-24", address,
        count, max_images));
}

std::vector<ConstructionFigure> make_figures(const ShowOptions& options) {
    FrontEnd front_end(options.front_end);
    // Only pictures depend on it: everything else is drawn in px of the image, which the ink's unit is not.
    PictureConverter converter(options.picture, {.resolution = options.resolution});
    ProgressBar bar("reading");
    std::vector<ConstructionFigure> figures;
    for (const std::string& address : options.addresses) {
        PictureConverter::Conversion conversion;
        LoadOptions load;
        load.prepare = [&](const Picture& picture) { return converter.convert(picture, &conversion); };
        load.strokes = converter.strokes();
        ImageStream stream(address, load);
        check_count(figures.size() + *stream.size(), address);
        while (std::optional<StreamedImage> image = stream.next()) {
            Network network = front_end(image->image.view());
            figures.push_back({.name = std::move(image->name),
                               .label = std::move(image->label),
                               .original = {},
                               .input = std::move(image->image),
                               .binarized = front_end.binarized(),
                               .contours = front_end.contours(),
                               .network = std::move(network),
                               .params = front_end.params(),
                               .notes = std::exchange(conversion.notes, {})});
            if (!conversion.picture.pixels.empty())
                figures.back().original = std::exchange(conversion.picture, {});
            bar.update(figures.size(), max_images);
        }
    }
    converter.print_ink_summary();
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
    print_message(fmt::format(
        "sprig: wrote a drawing of {} to {}",
        figures.size() == 1 ? figures[0].name : fmt::format("{} images", figures.size()), options.output));
}

/// Always an array, also for one image.
void print_json(const std::vector<ConstructionFigure>& figures) {
    std::string text = "[\n";
    for (const ConstructionFigure& figure : figures) {
        Json about = {{"name", figure.name}};
        if (!figure.label.empty()) about["label"] = figure.label;
        if (!figure.notes.empty()) about["notes"] = figure.notes;
        std::string head = json_text(about);
        head.resize(head.rfind('\n', head.size() - 2)); // drop the closing brace: the network follows
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
        print_message("sprig: add -o FILE.svg (or .png) to draw this");
    }
}

} // namespace

void add_show_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("show", "Show the network that the front end makes of an image");
    auto options = std::make_shared<ShowOptions>();
    set_completions(*verb->add_option("IMAGE", options->addresses,
                                      "Images to show (addresses); several are drawn as a sheet")
                         ->required(),
                    address_completions(), FileNames::allowed);
    CLI::Option* output =
        verb->add_option("-o,--output", options->output, "Write a drawing to this .svg or .png file")
            ->type_name("FILE");
    verb->add_option("--layer", options->layer, "Layer to draw, or all (default: both contour layers)")
        ->check(CLI::IsMember({"contour_h", "contour_v", "spatial_h", "spatial_v", "all"}))
        ->needs(output);
    verb->add_option("--level", options->level, "Level whose edges are drawn; 0 is the finest (default: all)")
        ->needs(output);
    verb->add_flag("--json", options->json, "Print the networks as JSON");
    add_front_end_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->add_option(
            "--resolution", options->resolution,
            "Normalise to a square of this many px, as a model of this resolution does (default: 28)")
        ->check(CLI::Range(1, 1000))
        ->group(picture_group);
    verb->footer(
        "\nPicture files are normalised first: the background is removed, and the ink is scaled to 20 px\n"
        "and centred in 28 px.\n\n"
        "Examples:\n"
        "  sprig show mnist:train:17 -o eight.svg\n"
        "  sprig show mnist:train:0-24 -o sheet.png\n"
        "  sprig show photo.jpg --directions 4 -o photo.svg\n"
        "  sprig show mnist:t10k:3 --json");
    verb->callback([options] { show(*options); });
}

} // namespace sprig::cli

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/drawings.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/draw_explanation.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct ExplainOptions {
    std::string model;
    std::string image;
    std::optional<std::string> of_class;
    std::optional<std::string> rival;
    std::string output;
    bool json = false;
    PictureOptions pictures;
};

/// The one image that is asked about.
StreamedImage load_one(const ExplainOptions& options) {
    PictureReader reader(options.pictures);
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return reader.take(picture); };
    ImageStream stream(options.image, load);
    if (stream.size() != 1) {
        throw usage_error(
            fmt::format("{} has {} images, but one is explained at a time; choose one, as in {}:0",
                        options.image, *stream.size(), options.image));
    }
    std::optional<StreamedImage> image = stream.next();
    reader.say_what_was_taken();
    return std::move(*image);
}

void explain_image(const ExplainOptions& options) {
    const Model model = load_model_to_ask(options.model);
    const StreamedImage image = load_one(options);
    const ImageExplanation explanation = model.explain(
        image.image.view(), {.versus = options.rival, .name = image.name, .label = image.label});
    if (!options.output.empty()) {
        write_drawing(options.output, explanation.svg());
        say(fmt::format("sprig: wrote the explanation to {}", options.output));
    }
    print(options.json ? explanation.json() : explanation.text());
    if (!options.json && options.output.empty()) say("sprig: with -o FILE.svg (or .png) this is drawn");
}

void explain_class(const ExplainOptions& options) {
    const Model model = load_model_to_ask(options.model);
    const GlobalExplanation explanation = model.explain_all();
    const std::string words = summary(explanation, *options.of_class); // there is such a class, then
    if (!options.output.empty()) {
        write_drawing(options.output, draw_class(explanation, *options.of_class));
        say(fmt::format("sprig: wrote a drawing of the class {} to {}", *options.of_class, options.output));
    }
    if (options.json) {
        print(to_json(explanation));
    } else {
        print(words + "\n");
    }
}

void explain(const ExplainOptions& options) {
    if (!options.output.empty()) require_drawing(options.output);
    if (options.image.empty() == !options.of_class)
        throw usage_error("say what to explain: an IMAGE, or with --class what a class is");
    if (options.of_class) {
        explain_class(options);
    } else {
        explain_image(options);
    }
}

} // namespace

void add_explain_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("explain", "Say and draw why an image is what it is to a model");
    verb->group(model_verbs);
    auto options = std::make_shared<ExplainOptions>();
    add_model_option(*verb, options->model);
    offer_addresses(*verb->add_option("IMAGE", options->image, "One image"));
    verb->add_option("-o,--output", options->output, "Draw to this .svg or .png file")->type_name("FILE");
    verb->add_option("--rival", options->rival, "Compare with this class (default: the next best one)")
        ->type_name("LABEL");
    verb->add_option("--class", options->of_class, "Instead of an image: what this class is to the model")
        ->type_name("LABEL");
    verb->add_flag("--json", options->json, "Print everything as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nExamples:\n"
                 "  sprig explain digits.sprig mnist:t10k:3 -o why.svg\n"
                 "  sprig explain digits.sprig photo.jpg --rival 9 -o why.png\n"
                 "  sprig explain digits.sprig --class 4 -o four.svg");
    verb->callback([options] { explain(*options); });
}

} // namespace sprig::cli

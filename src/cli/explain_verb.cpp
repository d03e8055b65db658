#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/drawings.h"
#include "cli/front_end_options.h"
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

StreamedImage load_one(const ExplainOptions& options, const FrontEndParams& front_end) {
    PictureConverter converter(options.pictures, front_end);
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return converter.convert(picture); };
    load.strokes = converter.strokes();
    ImageStream stream(options.image, load);
    if (stream.size() != 1) {
        throw usage_error(fmt::format("{} has {} images, but 'explain' takes one; choose one, as in {}:0",
                                      options.image, *stream.size(), options.image));
    }
    std::optional<StreamedImage> image = stream.next();
    converter.print_ink_summary();
    return std::move(*image);
}

void explain_image(const ExplainOptions& options) {
    const Model model = load_trained_model(options.model);
    const StreamedImage image = load_one(options, model.learner().front_end());
    const ImageExplanation explanation = model.explain(
        image.image.view(), {.versus = options.rival, .name = image.name, .label = image.label});
    if (!options.output.empty()) {
        write_drawing(options.output, explanation.svg());
        print_message(fmt::format("sprig: wrote the explanation to {}", options.output));
    }
    print(options.json ? explanation.json() : explanation.text());
    if (!options.json && options.output.empty())
        print_message("sprig: add -o FILE.svg (or .png) to draw this");
}

void explain_class(const ExplainOptions& options) {
    const Model model = load_trained_model(options.model);
    const GlobalExplanation explanation = model.explain_global();
    const std::string words = summary(explanation, *options.of_class); // throws if there is no such class
    if (!options.output.empty()) {
        write_drawing(options.output, draw_class(explanation, *options.of_class));
        print_message(
            fmt::format("sprig: wrote a drawing of the class {} to {}", *options.of_class, options.output));
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
        throw usage_error("name either an IMAGE or a class (--class LABEL) to explain");
    if (options.of_class) {
        explain_class(options);
    } else {
        explain_image(options);
    }
}

} // namespace

void add_explain_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("explain", "Explain a prediction or a class, in words or as a drawing");
    verb->group(model_verbs);
    auto options = std::make_shared<ExplainOptions>();
    add_model_option(*verb, options->model);
    set_address_completions(*verb->add_option("IMAGE", options->image, "Image to explain (an address)"));
    verb->add_option("-o,--output", options->output, "Write a drawing to this .svg or .png file")
        ->type_name("FILE");
    verb->add_option("--rival", options->rival, "Class to compare with (default: the second best)")
        ->type_name("LABEL");
    verb->add_option("--class", options->of_class, "Explain this class instead of an image")
        ->type_name("LABEL");
    verb->add_flag("--json", options->json, "Print the explanation as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nExamples:\n"
                 "  sprig explain digits.sprig mnist:t10k:3 -o why.svg\n"
                 "  sprig explain digits.sprig photo.jpg --rival 9 -o why.png\n"
                 "  sprig explain digits.sprig --class 4 -o four.svg");
    verb->callback([options] { explain(*options); });
}

} // namespace sprig::cli

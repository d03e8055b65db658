#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/drawings.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "draw/explanation_words.h"
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
Dataset load_one(const ExplainOptions& options) {
    PictureReader reader(options.pictures);
    Dataset data = load_shown(options.image, reader);
    if (data.size() != 1) {
        throw usage_error(
            fmt::format("{} has {} images, but one is explained at a time; choose one, as in {}:0",
                        options.image, data.size(), options.image));
    }
    return data;
}

void explain_image(const ExplainOptions& options) {
    const StoredModel model = load_model_to_ask(options.model);
    const Dataset data = load_one(options);
    LocalOptions local;
    local.rival = options.rival;
    const LocalExplanation explanation = explain_local(*model.learner, data.image(0), local);
    if (!options.output.empty()) {
        ExplanationFigureOptions figure;
        figure.name = data.name(0);
        if (data.label(0) >= 0) figure.label = data.label_name(0);
        write_drawing(options.output, draw_explanation(explanation, figure));
        say(fmt::format("sprig: drew why to {}", options.output));
    }
    if (options.json) {
        print(to_json(explanation));
        return;
    }
    for (const std::string& sentence : draw::sentences_of(explanation)) print(sentence + "\n");
    if (options.output.empty()) say("sprig: with -o FILE.svg (or .png) this is drawn");
}

std::string summary_in_words(const GlobalExplanation& explanation, const ClassSummary& summary) {
    const auto plural = [](std::size_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return fmt::format("{}: {} after {}, {} of them with {} or more observations; {} deep at most.\n",
                       summary.label, plural(summary.positive + summary.negative, "unit"),
                       plural(summary.observations, "observation"), summary.mature.size(),
                       explanation.maturity, plural(summary.by_depth.size(), "unit"));
}

void explain_class(const ExplainOptions& options) {
    const StoredModel model = load_model_to_ask(options.model);
    const GlobalExplanation explanation = explain_global(*model.learner);
    const ClassSummary& summary = explanation.of(*options.of_class);
    if (!options.output.empty()) {
        write_drawing(options.output, draw_class(explanation, summary.label));
        say(fmt::format("sprig: drew the class {} to {}", summary.label, options.output));
    }
    if (options.json) {
        print(to_json(explanation));
    } else {
        print(summary_in_words(explanation, summary));
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

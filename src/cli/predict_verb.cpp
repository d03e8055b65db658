#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct PredictOptions {
    std::string model;
    std::vector<std::string> addresses;
    std::size_t top = 1;
    std::optional<double> reject;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

/// What is said of one image.
struct Said {
    std::string name;
    Answer answer;
    bool rejected = false;
};

/// What was asked for and could be answered, and how many images could not be read.
std::pair<std::vector<Said>, std::size_t> ask(const PredictOptions& options) {
    const Model model = load_model_to_ask(options.model);
    ImageLoop loop{.addresses = options.addresses,
                   .pictures = options.pictures,
                   .front_end = model.learner().front_end(),
                   .doing = "asking",
                   .keep_going = {}};
    if (options.keep_going) loop.keep_going = true;
    std::vector<Said> all;
    const std::size_t skipped = for_each_image(loop, [&](const SeenImage& image) {
        Said& said = all.emplace_back(Said{image.name, model.predict(image.network)});
        said.rejected = options.reject && said.answer.probability < *options.reject;
        said.answer.ranking.resize(std::min(said.answer.ranking.size(), options.top));
    });
    return {std::move(all), skipped};
}

Json json_of(const Said& said, bool may_reject) {
    const Answer& answer = said.answer;
    Json json = {{"name", said.name}};
    json["label"] = said.rejected ? Json(nullptr) : Json(answer.label);
    json["probability"] = answer.probability;
    json["fit"] = answer.fit ? Json(*answer.fit) : Json(nullptr);
    json["margin"] = answer.margin;
    if (may_reject) json["rejected"] = said.rejected;
    json["classes"] = Json::array();
    for (const RankedClass& c : answer.ranking)
        json["classes"].push_back({{"label", c.label}, {"probability", c.probability}, {"score", c.score}});
    return json;
}

std::string probability(double value) {
    return fmt::format("{:.4f}", value);
}

std::string text_of(const std::vector<Said>& all) {
    Table table({"image", "label", "probability", "fit", "margin"});
    for (const auto& [name, answer, rejected] : all) {
        table.add({name, rejected ? "unknown" : answer.label, probability(answer.probability),
                   answer.fit ? fmt::format("{:.3f}", *answer.fit) : "-", fmt::format("{:.2f}", answer.margin)});
        if (answer.ranking.size() == 1) continue;
        for (const RankedClass& c : std::span(answer.ranking).subspan(rejected ? 0 : 1))
            table.add({"", c.label, probability(c.probability), "", ""});
    }
    return table.text();
}

void predict(const PredictOptions& options) {
    const auto [answers, skipped] = ask(options);
    if (options.json) {
        Json json = Json::array();
        for (const Said& said : answers) json.push_back(json_of(said, options.reject.has_value()));
        print(json_text(json));
    } else {
        print(text_of(answers));
    }
    end_after(skipped);
}

} // namespace

void add_predict_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("predict", "Say what images show, as a model sees them");
    verb->group(model_verbs);
    auto options = std::make_shared<PredictOptions>();
    add_model_option(*verb, options->model);
    offer_addresses(*verb->add_option("IMAGE", options->addresses, "Images or data sets")->required());
    verb->add_option("--top", options->top, "Show the N most likely classes of each")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->add_option("--reject", options->reject, "Say unknown where the probability is below this")
        ->check(CLI::Range(0.0, 1.0));
    add_keep_going_option(*verb, options->keep_going, " (the default for more than one)");
    verb->add_flag("--json", options->json, "Print the answers as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nfit: how well the class fits the image, its score for each node; what is like nothing known "
                 "has little.\n margin: how far its score is ahead of the next one.\n\n"
                 "Examples:\n"
                 "  sprig predict digits.sprig mnist:t10k:0-9\n"
                 "  sprig predict shapes.sprig photo.jpg --top 3\n"
                 "  sprig predict digits.sprig dir:letters --reject 0.9 --json");
    verb->callback([options] { predict(*options); });
}

} // namespace sprig::cli

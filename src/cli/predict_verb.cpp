#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "cli/image_loop.h"
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
    std::optional<std::size_t> threads;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

/// The prediction for one image.
struct ImagePrediction {
    std::string name;
    Answer answer;
    bool rejected = false;
};

ImagePrediction predict_image(const PredictOptions& options, const Model& model, LabelledNetwork image) {
    ImagePrediction result{std::move(image.name), model.predict(image.network)};
    result.rejected = options.reject && result.answer.probability < *options.reject;
    // A copy, because a shortened vector would keep the memory of all classes for every image.
    const std::span<const RankedClass> top = result.answer.top(options.top);
    result.answer.ranking = std::vector<RankedClass>(top.begin(), top.end());
    return result;
}

/// The predictions, and the number of images that could not be read.
std::pair<std::vector<ImagePrediction>, std::size_t> predict_all(const PredictOptions& options) {
    const Model model = load_trained_model(options.model);
    ImageLoopOptions images{.addresses = options.addresses,
                            .pictures = options.pictures,
                            .front_end = model.learner().front_end(),
                            .progress = "predicting",
                            .keep_going = {},
                            .threads = options.threads};
    if (options.keep_going) images.keep_going = true;
    std::vector<ImagePrediction> all;
    const auto predict_one = [&](LabelledNetwork image) {
        return [&all, result = predict_image(options, model, std::move(image))]() mutable {
            all.push_back(std::move(result));
        };
    };
    const std::size_t skipped = for_each_image(images, [&] { return predict_one; });
    return {std::move(all), skipped};
}

Json json_of(const ImagePrediction& prediction, bool may_reject) {
    const Answer& answer = prediction.answer;
    Json json = {{"name", prediction.name}};
    json["label"] = prediction.rejected ? Json(nullptr) : Json(answer.label);
    json["probability"] = answer.probability;
    json["known"] = answer.known ? Json(*answer.known) : Json(nullptr);
    json["fit"] = answer.fit ? Json(*answer.fit) : Json(nullptr);
    json["margin"] = answer.margin;
    if (may_reject) json["rejected"] = prediction.rejected;
    json["classes"] = Json::array();
    for (const RankedClass& c : answer.ranking)
        json["classes"].push_back({{"label", c.label}, {"probability", c.probability}, {"score", c.score}});
    return json;
}

std::string probability(double value) {
    return fmt::format("{:.4f}", value);
}

std::string text_of(const std::vector<ImagePrediction>& all) {
    Table table({"image", "label", "probability", "known", "fit", "margin"});
    for (const auto& [name, answer, rejected] : all) {
        table.add({name, rejected ? "unknown" : answer.label, probability(answer.probability),
                   answer.known ? fmt::format("{:.3f}", *answer.known) : "-",
                   answer.fit ? fmt::format("{:.3f}", *answer.fit) : "-",
                   fmt::format("{:.2f}", answer.margin)});
        if (answer.ranking.size() == 1) continue;
        for (const RankedClass& c : std::span(answer.ranking).subspan(rejected ? 0 : 1))
            table.add({"", c.label, probability(c.probability), "", "", ""});
    }
    return table.text();
}

void predict(const PredictOptions& options) {
    const auto [answers, skipped] = predict_all(options);
    if (options.json) {
        Json json = Json::array();
        for (const ImagePrediction& prediction : answers)
            json.push_back(json_of(prediction, options.reject.has_value()));
        print(json_text(json));
    } else {
        print(text_of(answers));
    }
    report_skipped(skipped);
}

} // namespace

void add_predict_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("predict", "Classify images");
    verb->group(model_verbs);
    auto options = std::make_shared<PredictOptions>();
    add_model_option(*verb, options->model);
    set_address_completions(
        *verb->add_option("IMAGE", options->addresses, "Images or data sets (addresses)")->required());
    verb->add_option("--top", options->top, "Show the N most likely classes of each image")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->add_option("--reject", options->reject,
                     "Answer 'unknown' if the probability is below this (default: never)")
        ->check(CLI::Range(0.0, 1.0));
    add_keep_going_option(*verb, options->keep_going, " (default for several images)");
    add_threads_option(*verb, options->threads);
    verb->add_flag("--json", options->json, "Print the predictions as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nknown: probability that the image shows one of the classes at all.\n"
                 "fit: score of the class per node of the image; low for images unlike anything learned.\n"
                 "margin: difference between the scores of the best and the second best class.\n\n"
                 "Examples:\n"
                 "  sprig predict digits.sprig mnist:t10k:0-9\n"
                 "  sprig predict shapes.sprig photo.jpg --top 3\n"
                 "  sprig predict gestures.sprig strokes:new-gestures.jsonl\n"
                 "  sprig predict digits.sprig dir:letters --reject 0.9 --json");
    verb->callback([options] { predict(*options); });
}

} // namespace sprig::cli

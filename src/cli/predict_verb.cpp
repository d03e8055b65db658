#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

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
struct Answer {
    struct Class {
        std::string label;
        double probability = 0;
        double score = 0;
    };
    std::string name;
    std::vector<Class> classes; ///< the best first; the first one is the answer
    bool rejected = false;
    double margin = 0;
    std::optional<double> explained;
};

/// The classes by score, of equal ones the first: so the first of all is the reader's own choice.
std::vector<Answer::Class> best_classes(const Prediction& prediction, const std::vector<std::string>& labels,
                                        std::size_t count) {
    std::vector<std::size_t> order(labels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if ((a == prediction.best) != (b == prediction.best)) return a == prediction.best;
        return prediction.scores[a] > prediction.scores[b];
    });
    order.resize(std::min(order.size(), count));
    std::vector<Answer::Class> classes;
    classes.reserve(order.size());
    for (const std::size_t c : order)
        classes.push_back({labels[c], prediction.probabilities[c], prediction.scores[c]});
    return classes;
}

/// What was asked for and could be answered, and how many images could not be read.
std::pair<std::vector<Answer>, std::size_t> ask(const PredictOptions& options) {
    const StoredModel model = load_model_to_ask(options.model);
    const std::unique_ptr<Reader> reader = model.learner->reader();
    ImageLoop loop{.addresses = options.addresses,
                   .pictures = options.pictures,
                   .front_end = model.learner->front_end(),
                   .doing = "asking",
                   .keep_going = {}};
    if (options.keep_going) loop.keep_going = true;
    std::vector<Answer> answers;
    const std::size_t skipped = for_each_image(loop, [&](const SeenImage& image) {
        const Prediction& prediction = reader->predict(image.network);
        Answer& answer = answers.emplace_back();
        answer.name = image.name;
        answer.classes = best_classes(prediction, reader->classes(), options.top);
        answer.rejected = options.reject && answer.classes.front().probability < *options.reject;
        answer.margin = prediction.margin;
        answer.explained = prediction.explained;
    });
    return {std::move(answers), skipped};
}

Json json_of(const Answer& answer, bool may_reject) {
    Json json = {{"name", answer.name}};
    json["label"] = answer.rejected ? Json(nullptr) : Json(answer.classes.front().label);
    json["probability"] = answer.classes.front().probability;
    json["explained"] = answer.explained ? Json(*answer.explained) : Json(nullptr);
    json["margin"] = answer.margin;
    if (may_reject) json["rejected"] = answer.rejected;
    json["classes"] = Json::array();
    for (const Answer::Class& c : answer.classes)
        json["classes"].push_back({{"label", c.label}, {"probability", c.probability}, {"score", c.score}});
    return json;
}

std::string probability(double value) {
    return fmt::format("{:.4f}", value);
}

std::string text_of(const std::vector<Answer>& answers) {
    Table table({"image", "label", "probability", "explained", "margin"});
    for (const Answer& answer : answers) {
        const Answer::Class& best = answer.classes.front();
        table.add({answer.name, answer.rejected ? "unknown" : best.label, probability(best.probability),
                   answer.explained ? fmt::format("{:.3f}", *answer.explained) : "-",
                   fmt::format("{:.2f}", answer.margin)});
        for (std::size_t c = answer.rejected ? 0 : 1; c < answer.classes.size() && answer.classes.size() > 1;
             ++c)
            table.add({"", answer.classes[c].label, probability(answer.classes[c].probability), "", ""});
    }
    return table.text();
}

void predict(const PredictOptions& options) {
    const auto [answers, skipped] = ask(options);
    if (options.json) {
        Json json = Json::array();
        for (const Answer& answer : answers) json.push_back(json_of(answer, options.reject.has_value()));
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
    verb->add_option("--top", options->top, "The so many most likely classes of each")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->add_option("--reject", options->reject, "Say unknown where the probability is below this")
        ->check(CLI::Range(0.0, 1.0));
    add_keep_going_option(*verb, options->keep_going, " (the default for more than one)");
    verb->add_flag("--json", options->json, "Print the answers as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nexplained: how well the class explains the image, its score for each node; what is like "
                 "nothing known\nhas little. margin: how far its score is ahead of the next one.\n\n"
                 "Examples:\n"
                 "  sprig predict digits.sprig mnist:t10k:0-9\n"
                 "  sprig predict shapes.sprig photo.jpg --top 3\n"
                 "  sprig predict digits.sprig dir:letters --reject 0.9 --json");
    verb->callback([options] { predict(*options); });
}

} // namespace sprig::cli

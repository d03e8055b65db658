#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "cli/image_loop.h"
#include "cli/models.h"
#include "cli/process_group.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "learner/packing.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct PredictOptions {
    std::string model;
    std::vector<std::string> addresses;
    std::size_t top = 1;
    std::optional<double> reject;
    std::size_t budget = 0;
    std::optional<std::size_t> threads;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

/// The prediction for one image.
struct ImagePrediction {
    std::size_t position = 0; ///< among all images
    std::string name;
    Answer answer;
    bool rejected = false;
};

ImagePrediction predict_image(const PredictOptions& options, const Model& model, LabelledNetwork image) {
    ImagePrediction result{image.position, std::move(image.name), model.predict(image.network)};
    result.rejected = options.reject && result.answer.probability < *options.reject;
    // A copy, because a shortened vector would keep the memory of all classes for every image.
    const std::span<const RankedClass> top = result.answer.top(options.top);
    result.answer.ranking = std::vector<RankedClass>(top.begin(), top.end());
    return result;
}

/// The predictions, and the number of images that could not be read.
std::pair<std::vector<ImagePrediction>, std::size_t> predict_all(const PredictOptions& options,
                                                                 ProcessGroup* group) {
    const Model model = load_trained_model(options.model, options.budget);
    ImageLoopOptions images{.addresses = options.addresses,
                            .pictures = options.pictures,
                            .front_end = model.learner().front_end(),
                            .progress = "predicting",
                            .keep_going = {},
                            .threads = options.threads};
    if (options.keep_going) images.keep_going = true;
    take_own_part(images, group);
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
    for (const auto& [position, name, answer, rejected] : all) {
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

std::string pack(const std::vector<ImagePrediction>& all) {
    std::string bytes;
    learner::Packer packer(bytes);
    const auto put_optional = [&](const std::optional<double>& value) {
        packer.varint(value ? 1 : 0);
        pack_real(packer, value.value_or(0));
    };
    packer.varint(all.size());
    for (const ImagePrediction& one : all) {
        packer.varint(one.position);
        packer.text(one.name);
        packer.varint(one.rejected ? 1 : 0);
        packer.text(one.answer.label);
        pack_real(packer, one.answer.probability);
        put_optional(one.answer.fit);
        put_optional(one.answer.known);
        pack_real(packer, one.answer.margin);
        packer.varint(one.answer.ranking.size());
        for (const RankedClass& c : one.answer.ranking) {
            packer.text(c.label);
            pack_real(packer, c.probability);
            pack_real(packer, c.score);
        }
    }
    return bytes;
}

/// Appends what `pack` has packed.
void unpack(const std::string& bytes, std::vector<ImagePrediction>& all) {
    learner::Unpacker unpacker(bytes);
    const auto take_optional = [&]() -> std::optional<double> {
        const bool is_set = unpacker.varint() == 1;
        const double value = unpack_real(unpacker);
        return is_set ? std::optional(value) : std::nullopt;
    };
    for (std::uint64_t n = unpacker.varint(); n > 0; --n) {
        ImagePrediction& one = all.emplace_back();
        one.position = unpacker.varint();
        one.name = unpacker.text();
        one.rejected = unpacker.varint() == 1;
        one.answer.label = unpacker.text();
        one.answer.probability = unpack_real(unpacker);
        one.answer.fit = take_optional();
        one.answer.known = take_optional();
        one.answer.margin = unpack_real(unpacker);
        one.answer.ranking.resize(unpacker.varint());
        for (RankedClass& c : one.answer.ranking) {
            c.label = unpacker.text();
            c.probability = unpack_real(unpacker);
            c.score = unpack_real(unpacker);
        }
    }
}

/// The predictions of all processes, in the first one; the others get none. Sums up the skipped images.
void collect(ProcessGroup& group, std::vector<ImagePrediction>& all, std::size_t& skipped) {
    skipped = sum_over(group, skipped);
    const std::vector<std::string> packed = group.tell_first(pack(all));
    all.clear();
    if (group.rank() > 0) return;
    for (const std::string& bytes : packed) unpack(bytes, all);
    std::ranges::sort(all, {}, &ImagePrediction::position);
}

void predict(const PredictOptions& options, ProcessGroup* group) {
    auto [answers, skipped] = predict_all(options, group);
    if (group != nullptr) collect(*group, answers, skipped);
    if (group != nullptr && group->rank() > 0) return end_after_skips(skipped);
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

void add_predict_verb(CLI::App& app, ProcessGroup* group) {
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
    add_budget_option(*verb, options->budget);
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
    verb->callback([options, group] { predict(*options, group); });
}

} // namespace sprig::cli

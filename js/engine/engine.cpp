// The functions of the WebAssembly module. It has one model; js/src makes an instance of the module for each.
//
// A function that can fail returns whether it succeeded. Its result, or the JSON of its error, is the reply.
// Requests, labels and files come through the input, images as the sample, which stays until the next one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "service/service.h"
#include "sprig/data.h"
#include "sprig/model.h"

#define SPRIG_EXPORT(name) extern "C" __attribute__((export_name(name)))

namespace {

using namespace sprig;
using service::Json;

/// A drawing as JavaScript writes it: for each stroke the number of its points, then x, y and time of each;
/// the time is not a number if there is none.
using FlatStrokes = std::vector<double>;

struct Engine {
    std::optional<Model> model;
    std::string input;
    std::string reply;
    std::variant<service::Sample, FlatStrokes> sample;
};

Engine& engine() {
    static Engine* const only = new Engine; // never destroyed: a module has no end
    return *only;
}

Model& model() {
    if (!engine().model) throw usage_error("there is no model; create one first");
    return *engine().model;
}

void set_reply(const Json& reply) {
    engine().reply = service::to_text(reply);
}

/// Replies with the exception that is being handled.
void set_error_reply() {
    try {
        set_reply(service::error_reply());
    } catch (const std::bad_alloc&) { // not enough memory for the message
        engine().reply.clear();
    }
}

/// Runs an action. If it throws, the reply is the error.
template <typename Action>
bool succeeds(const Action& action) {
    try {
        action();
        return true;
    } catch (const std::exception&) {
        set_error_reply();
        return false;
    }
}

/// Replies with what a function returns.
template <typename Function>
bool replies(const Function& function) {
    return succeeds([&] { set_reply(function()); });
}

/// Replies with numbers and labels, because JSON takes longer than a prediction: the number of classes,
/// probability, known, fit and margin, for each class its probability, score and the size of its label, and
/// then the labels, in bytes. Numbers that are not set are not numbers.
void set_reply(const Answer& answer) {
    constexpr double not_set = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> numbers = {static_cast<double>(answer.ranking.size()), answer.probability,
                                   answer.known.value_or(not_set), answer.fit.value_or(not_set),
                                   answer.margin};
    for (const RankedClass& one : answer.ranking)
        numbers.insert(numbers.end(), {one.probability, one.score, static_cast<double>(one.label.size())});
    std::string& reply = engine().reply;
    reply.assign(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    for (const RankedClass& one : answer.ranking) reply += one.label;
}

Strokes strokes_of(const FlatStrokes& flat) {
    Strokes strokes;
    for (std::size_t i = 0; i < flat.size();) {
        Stroke& stroke = strokes.emplace_back();
        for (auto points = static_cast<std::size_t>(flat[i++]); points > 0 && i + 3 <= flat.size();
             --points, i += 3) {
            StrokePoint& point = stroke.emplace_back(StrokePoint{flat[i], flat[i + 1]});
            if (!std::isnan(flat[i + 2])) point.t = flat[i + 2];
        }
    }
    return strokes;
}

const service::Sample& sample() {
    auto& current = engine().sample;
    if (const auto* const flat = std::get_if<FlatStrokes>(&current))
        current = service::Sample(strokes_of(*flat));
    return std::get<service::Sample>(current);
}

void teach(std::string_view label) {
    if (label.empty()) throw usage_error("a class label must not be empty");
    const service::Sample& taught = sample();
    if (const auto* const image = std::get_if<Image>(&taught)) {
        model().learn(image->view(), label);
    } else if (const auto* const picture = std::get_if<Picture>(&taught)) {
        model().learn(*picture, label);
    } else {
        model().learn(std::get<Strokes>(taught), label);
    }
}

Answer answer(const service::Sample& sample) {
    if (const auto* const image = std::get_if<Image>(&sample)) return model().predict(image->view());
    if (const auto* const picture = std::get_if<Picture>(&sample)) return model().predict(*picture);
    return model().predict(std::get<Strokes>(sample));
}

std::string decision(const service::Sample& sample) {
    if (const auto* const image = std::get_if<Image>(&sample)) return model().decide(image->view());
    if (const auto* const picture = std::get_if<Picture>(&sample))
        return model().decide(model().prepare(*picture).view());
    return model().decide(model().prepare(std::get<Strokes>(sample)).view());
}

/// Makes the sample an image that is used as it is. The memory of the last one is used again.
std::uint8_t* raw_pixels(int width, int height) {
    auto* const last = std::get_if<service::Sample>(&engine().sample);
    auto* image = last == nullptr ? nullptr : std::get_if<Image>(last);
    if (image == nullptr) image = &engine().sample.emplace<service::Sample>().emplace<Image>();
    image->reshape(width, height);
    return image->pixels.data();
}

/// Makes the sample a picture.
std::uint8_t* picture_pixels(int width, int height, int channels) {
    Picture& picture = engine().sample.emplace<service::Sample>().emplace<Picture>();
    picture.width = width;
    picture.height = height;
    picture.channels = channels;
    picture.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                          static_cast<std::size_t>(channels));
    return picture.pixels.data();
}

Settings settings_of(const Json& options) {
    Settings settings;
    if (const auto found = options.find("settings"); found != options.end() && found->is_object())
        for (const auto& [key, value] : found->items())
            settings.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    return settings;
}

ModelOptions options_of(const Json& request) {
    ModelOptions options;
    options.learner = service::optional_text(request, "learner").value_or("");
    options.preset = service::optional_text(request, "preset").value_or("");
    options.settings = settings_of(request);
    options.free_pose = service::flag(request, "freePose");
    if (const auto found = request.find("undo"); found != request.end() && !found->is_null()) {
        if (!found->is_number_unsigned())
            throw usage_error("\"undo\" must be a whole number: of lessons that can be undone");
        options.undo = found->get<std::size_t>();
    }
    return options;
}

} // namespace

// The input, the reply and the sample. A function that returns a place in memory returns null if it fails.

/// Makes the input a text of this size.
SPRIG_EXPORT("input") char* input(std::size_t size) {
    return succeeds([&] { engine().input.resize(size); }) ? engine().input.data() : nullptr;
}
SPRIG_EXPORT("reply") const char* reply() {
    return engine().reply.data();
}
SPRIG_EXPORT("reply_size") std::size_t sprig_reply_size() {
    return engine().reply.size();
}

/// Makes the sample an image and returns the place of its pixels. `raw`: of its grey levels, which are used
/// as they are.
SPRIG_EXPORT("pixels") std::uint8_t* pixels(double width, double height, double channels, bool raw) {
    std::uint8_t* place = nullptr;
    (void)succeeds([&] {
        service::check_pixels(width, height, channels, raw);
        place = raw ? raw_pixels(static_cast<int>(width), static_cast<int>(height))
                    : picture_pixels(static_cast<int>(width), static_cast<int>(height),
                                     static_cast<int>(channels));
    });
    return place;
}

/// Makes the sample a drawing, of this number of strokes and points, and returns the place of its numbers.
SPRIG_EXPORT("strokes") double* strokes(std::size_t strokes, std::size_t points) {
    double* place = nullptr;
    (void)succeeds([&] {
        if (strokes > max_stroke_points || points > max_stroke_points)
            throw bad_input(
                fmt::format("the drawing has more than {} points; leave out points that lie close together",
                            max_stroke_points));
        // At least one number, so that its place is not null: no strokes are a stroke without points.
        place = engine().sample.emplace<FlatStrokes>(std::max<std::size_t>(1, strokes + (3 * points))).data();
    });
    return place;
}

/// Makes the sample the picture whose file is the input.
SPRIG_EXPORT("picture") bool sprig_picture() {
    return succeeds([] {
        const std::string& file = engine().input;
        engine().sample = service::Sample(
            decode_picture({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, "the picture"));
    });
}

// The model

/// A new model, with the options in the input: a JSON object that may have learner, preset, settings,
/// freePose and undo.
SPRIG_EXPORT("create") bool sprig_create() {
    return replies([] {
        engine().model.emplace(options_of(service::parse_request(engine().input)));
        return service::summary(model());
    });
}
/// The model of the bytes form in the input. `undo`: maximum number of lessons that can be undone.
SPRIG_EXPORT("from_bytes") bool sprig_from_bytes(std::size_t undo) {
    return replies([&] {
        ModelOptions options;
        options.undo = undo;
        engine().model.emplace(Model::from_bytes(engine().input, options));
        engine().input = {};
        return service::summary(model());
    });
}
/// Replies with the bytes form.
SPRIG_EXPORT("to_bytes") bool sprig_to_bytes() {
    return succeeds([] { engine().reply = model().to_bytes(); });
}

SPRIG_EXPORT("predict") bool sprig_predict() {
    return succeeds([] { set_reply(answer(sample())); });
}
/// Replies with the label alone, which is empty if there is no class.
SPRIG_EXPORT("decide") bool sprig_decide() {
    return succeeds([] { engine().reply = decision(sample()); });
}
/// Learns the sample. The label is the input.
SPRIG_EXPORT("learn") bool sprig_learn() {
    return replies([] { return service::learn(model(), sample(), engine().input); });
}
/// The same, without a reply.
SPRIG_EXPORT("teach") bool sprig_teach() {
    return succeeds([] { teach(engine().input); });
}
/// Explains the answer for the sample. The input is a JSON object that may have versus and svg.
SPRIG_EXPORT("explain") bool sprig_explain() {
    return replies([] {
        const Json request = service::parse_request(engine().input);
        return service::explain(model(), sample(),
                                {service::optional_text(request, "versus"), service::flag(request, "svg")});
    });
}

SPRIG_EXPORT("summary") bool sprig_summary() {
    return replies([] { return service::summary(model()); });
}
/// The units of the class in the input, or all if it is empty.
SPRIG_EXPORT("units") bool sprig_units() {
    return replies([] {
        return service::units(model(), engine().input.empty() ? std::nullopt : std::optional(engine().input));
    });
}
SPRIG_EXPORT("drawing") bool sprig_drawing() {
    return succeeds([] { engine().reply = model().draw(); });
}
SPRIG_EXPORT("events") bool sprig_events() {
    return replies([] { return service::events(model()); });
}
SPRIG_EXPORT("undo") bool sprig_undo(std::size_t lessons) {
    return replies([&] {
        const std::uint64_t undoable = model().facts().undoable;
        if (lessons > undoable && undoable > 0)
            throw usage_error(
                fmt::format("{} lessons cannot be undone, only the last {}", lessons, undoable));
        for (std::size_t i = 1; i < lessons; ++i) model().undo();
        return service::undo(model());
    });
}
/// The input is a JSON object with label and new_label.
SPRIG_EXPORT("rename") bool sprig_rename() {
    return replies([] {
        const Json request = service::parse_request(engine().input);
        return service::rename(model(), service::required_text(request, "label"),
                               service::required_text(request, "new_label"));
    });
}
SPRIG_EXPORT("forget") bool sprig_forget() {
    return replies([] { return service::forget(model(), engine().input); });
}
SPRIG_EXPORT("add_class") bool sprig_add_class() {
    return replies([] { return service::add_class(model(), engine().input); });
}

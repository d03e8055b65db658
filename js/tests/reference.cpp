// Does with the native library what the tests and the benchmark do with the package. Reads commands from
// standard input and answers each with a line of JSON:
//   new PRESET         a new model
//   learn FROM TO      learns these images, which are used as they are
//   report FROM TO     the same, with the report of each lesson
//   decide FROM TO     decides them
//   predict FROM TO    predicts them
//   explain IMAGE
//   bytes              the bytes form, as base64
//   strokes JSON       learns a drawing as "drawing" and predicts it
//   read BASE64        the model of a bytes form
//
//   js_reference IMAGES LABELS    IDX files

#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>

#include "service/base64.h"
#include "service/service.h"
#include "sprig/sprig.h"

namespace {

using namespace sprig;
using service::Json;

class Reference {
  public:
    explicit Reference(Dataset data) : data_(std::move(data)) {}

    Json answer(const std::string& command) {
        std::istringstream words(command);
        std::string verb;
        words >> verb;
        const auto found = verbs_.find(verb);
        if (found == verbs_.end()) throw usage_error("there is no command '" + verb + "'");
        return found->second(words);
    }

  private:
    /// Does something with some images; the reply has the processor time that each took, in nanoseconds.
    Json timed(std::istream& words, const std::function<void(std::size_t, Json&)>& action) {
        std::size_t from = 0;
        std::size_t to = 0;
        words >> from >> to;
        Json reply = {{"results", Json::array()}};
        const std::clock_t begin = std::clock();
        for (std::size_t i = from; i < to; ++i) action(i, reply["results"]);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        reply["ns"] = 1e9 * seconds / static_cast<double>(to - from);
        return reply;
    }
    Json summarised() { return service::summary(*model_); }

    Json learn(std::istream& words) {
        Json reply =
            timed(words, [&](std::size_t i, Json&) { model_->learn(data_.image(i), data_.label_name(i)); });
        reply["summary"] = summarised();
        return reply;
    }
    Json report(std::istream& words) {
        return timed(words, [&](std::size_t i, Json& results) {
            results.push_back(service::learn(*model_, Image(data_.image(i)), data_.label_name(i)));
        });
    }
    Json decide(std::istream& words) {
        return timed(
            words, [&](std::size_t i, Json& results) { results.push_back(model_->decide(data_.image(i))); });
    }
    Json predict(std::istream& words) {
        return timed(words, [&](std::size_t i, Json& results) {
            results.push_back(service::predict(*model_, Image(data_.image(i))));
        });
    }
    Json strokes(std::istream& words) {
        std::string text;
        std::getline(words, text);
        const service::Sample sample = service::parse_sample(service::parse_request(text));
        (void)service::learn(*model_, sample, "drawing");
        return service::predict(*model_, sample);
    }
    Json bytes() const {
        const std::string all = model_->to_bytes();
        return service::to_base64({reinterpret_cast<const std::uint8_t*>(all.data()), all.size()});
    }
    Json read(std::istream& words) {
        std::string text;
        words >> text;
        const std::vector<std::uint8_t> all = service::from_base64(text, "the model");
        model_ = Model::from_bytes({reinterpret_cast<const char*>(all.data()), all.size()});
        return summarised();
    }

    Dataset data_;
    std::optional<Model> model_ = Model();
    std::map<std::string, std::function<Json(std::istream&)>> verbs_ = {
        {"new",
         [this](std::istream& words) {
             ModelOptions options;
             words >> options.preset;
             model_.emplace(options);
             return summarised();
         }},
        {"learn", [this](std::istream& words) { return learn(words); }},
        {"report", [this](std::istream& words) { return report(words); }},
        {"decide", [this](std::istream& words) { return decide(words); }},
        {"predict", [this](std::istream& words) { return predict(words); }},
        {"explain",
         [this](std::istream& words) {
             std::size_t image = 0;
             words >> image;
             return service::explain(*model_, Image(data_.image(image)), {.svg = true});
         }},
        {"bytes", [this](std::istream&) { return bytes(); }},
        {"strokes", [this](std::istream& words) { return strokes(words); }},
        {"read", [this](std::istream& words) { return read(words); }},
    };
};

} // namespace

int main(int argc, char** argv) {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    try {
        if (argc != 3) throw usage_error("usage: js_reference IMAGES LABELS");
        Reference reference(load_dataset(std::string("idx:") + arguments[1] + "," + arguments[2]));
        for (std::string line; std::getline(std::cin, line);)
            std::cout << service::to_text(reference.answer(line)) << std::endl;
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

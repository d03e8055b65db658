#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "find_contours.h"
#include "lab/glyphs/glyph_set.h"
#include "sprig/constellation.h"
#include "sprig/modeller.h"
#include "sprig/store.h"
#include "work.h"

namespace sprig::bench {

const Dataset& digits() {
    static const Dataset data = load_dataset("mnist:train:0-1999");
    return data;
}

namespace {

constexpr std::size_t learned = 1'000;
using Make = std::function<std::unique_ptr<Learner>()>;
using Answer = std::function<void(Reader&, const Network&)>;

const Dataset& all_digits() {
    static const Dataset data = load_dataset("mnist:train");
    return data;
}

const glyphs::GlyphSet& printed() {
    static const glyphs::GlyphSet set = glyphs::large_set();
    return set;
}

const Dataset& printed_test() {
    return printed().test;
}

Make constellation(const std::string& preset) {
    return [preset] { return std::make_unique<Constellation>(constellation_preset(preset)); };
}

std::unique_ptr<Learner> modeller() {
    return std::make_unique<Modeller>(modeller_preset("best"), 0);
}

void decide(Reader& reader, const Network& network) {
    reader.decide(network);
}

void predict(Reader& reader, const Network& network) {
    reader.predict(network);
}

/// The front end, and the network that it fills for every image anew.
class Extractor {
  public:
    explicit Extractor(const FrontEndParams& params) : front_end_(params), network_(front_end_.schema()) {}
    const Network& operator()(const ImageView& image) {
        front_end_.extract(image, network_);
        return network_;
    }

  private:
    FrontEnd front_end_;
    Network network_;
};

const std::string& label(const Dataset& data, std::size_t i) {
    return data.classes()[static_cast<std::size_t>(data.label(i))];
}

struct Lessons {
    std::unique_ptr<Learner> learner;
    Extractor extract;

    explicit Lessons(const Make& make) : learner(make()), extract(learner->front_end()) {}
    void learn(const Dataset& data, std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            learner->learn(extract(data.image(i)), label(data, i));
    }
};

Run contours() {
    auto find = std::make_shared<FindContours>(digits(), learned, digits().size() - learned);
    return [find](std::size_t first, std::size_t count) { (*find)(first, count); };
}

Run front_end(const FrontEndParams& params) {
    auto extract = std::make_shared<Extractor>(params);
    return [extract](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) (*extract)(digits().image(i));
    };
}

/// Answers about images of `asked` by a learner that is complete.
Run answers(std::unique_ptr<Lessons> lessons, const Dataset& asked, const Answer& answer) {
    struct State {
        std::unique_ptr<Lessons> lessons;
        std::unique_ptr<Reader> reader;
    };
    auto state = std::make_shared<State>(State{std::move(lessons), nullptr});
    state->reader = state->lessons->learner->reader();
    return [state, &asked, answer](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            answer(*state->reader, state->lessons->extract(asked.image(i)));
    };
}

/// After the first images of `data` were learned.
Run answers_after(const Make& make, const Dataset& data, std::size_t count, const Answer& answer) {
    auto lessons = std::make_unique<Lessons>(make);
    lessons->learn(data, 0, count);
    return answers(std::move(lessons), digits(), answer);
}

/// Decisions about printed characters, after at most this number of classes of them was learned.
Run decisions_among(std::size_t max_classes) {
    auto lessons = std::make_unique<Lessons>(constellation("default"));
    const Dataset& data = printed().learn;
    for (std::size_t i = 0; i < data.size(); ++i)
        if (static_cast<std::size_t>(data.label(i)) < max_classes) lessons->learn(data, i, 1);
    return answers(std::move(lessons), printed().test, decide);
}

Run lessons_after(const Make& make, const Dataset& data, std::size_t count) {
    auto lessons = std::make_shared<Lessons>(make);
    lessons->learn(data, 0, count);
    return [lessons, &data](std::size_t first, std::size_t number) { lessons->learn(data, first, number); };
}

/// A model file in a temporary folder.
class TemporaryModel {
  public:
    explicit TemporaryModel(const Learner& learner) {
        std::string name = std::filesystem::temp_directory_path() / "sprig-bench-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = name;
        save_model(learner, folder_ / "model.sprig");
        file_ = std::make_unique<ModelFile>(folder_ / "model.sprig");
    }
    ~TemporaryModel() {
        file_.reset();
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    TemporaryModel(const TemporaryModel&) = delete;
    TemporaryModel& operator=(const TemporaryModel&) = delete;

    ModelFile& file() { return *file_; }

  private:
    std::filesystem::path folder_;
    std::unique_ptr<ModelFile> file_;
};

/// Includes closing the file, which writes what lessons left for later.
Run lessons_into_file(const Make& make) {
    Lessons lessons(make);
    lessons.learn(digits(), 0, learned);
    auto model = std::make_shared<TemporaryModel>(*lessons.learner);
    auto extract = std::make_shared<Extractor>(lessons.learner->front_end());
    return [model, extract](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            model->file().learn((*extract)(digits().image(i)), label(digits(), i));
        model->file().close();
    };
}

Work front_end_work(const char* name, const char* title, const FrontEndParams& params) {
    return {
        .name = name, .title = title, .images = digits, .prepare = [params] { return front_end(params); }};
}

Work answer_work(const std::string& name, const std::string& title, const Make& make, const Answer& answer) {
    return {.name = name, .title = title, .images = digits, .prepare = [make, answer] {
                return answers_after(make, digits(), learned, answer);
            }};
}

Work lesson_work(const std::string& name, const std::string& title, const Make& make) {
    return {.name = name, .title = title, .images = digits, .changes = true, .prepare = [make] {
                return lessons_after(make, digits(), learned);
            }};
}

Work file_work(const char* name, const char* title, const Make& make) {
    return {.name = name,
            .title = title,
            .images = digits,
            .count = 1'000,
            .slice = 1'000,
            .changes = true,
            .prepare = [make] { return lessons_into_file(make); }};
}

Work printed_work(const char* name, const char* title, std::size_t classes) {
    return {.name = name, .title = title, .images = printed_test, .first = 0, .prepare = [classes] {
                return decisions_among(classes);
            }};
}

Work whole_pass() {
    return {.name = "pass-default",
            .title = "default: lesson, one pass over 60,000",
            .images = all_digits,
            .first = 0,
            .count = 60'000,
            .counted_every = 30,
            .changes = true,
            .prepare = [] { return lessons_after(constellation("default"), all_digits(), 0); }};
}

Work decision_after_pass() {
    return {.name = "decide-default-60000",
            .title = "default: decision after 60,000 samples",
            .images = digits,
            .prepare = [] {
                return answers_after(constellation("default"), all_digits(), all_digits().size(), decide);
            }};
}

} // namespace

std::vector<Work> own_work() {
    const Make standard = constellation("default");
    const Make fast = constellation("fast");
    std::vector<Work> work = {
        {.name = "contours", .title = "cv::findContours (F)", .images = digits, .prepare = contours},
        front_end_work("front-end-default", "front end of `default`: K = 8, enlarged 3 times, deskewed",
                       constellation_preset("default").front_end),
        front_end_work("front-end-fast", "front end of `fast`: K = 4, ink frame, no edges",
                       constellation_preset("fast").front_end),
        front_end_work("front-end-paper", "front end of the paper: K = 2, edges", FrontEndParams{}),
        answer_work("decide-default", "default: decision", standard, decide),
        answer_work("predict-default", "default: prediction with all scores", standard, predict),
        lesson_work("learn-default", "default: lesson", standard),
        answer_work("decide-fast", "fast: decision", fast, decide),
        answer_work("predict-fast", "fast: prediction with all scores", fast, predict),
        lesson_work("learn-fast", "fast: lesson", fast),
        file_work("file-fast", "fast: lesson into a file", fast),
        file_work("file-default", "default: lesson into a file", standard),
        whole_pass(),
        decision_after_pass(),
        printed_work("decide-10-classes", "default: decision among 10 printed characters", 10),
        printed_work("decide-all-classes", "default: decision among more than 100 of them", 1'000),
    };
    const Make paper = constellation("paper-vocabulary");
    work.push_back(answer_work("decide-paper-vocabulary", "paper-vocabulary: decision", paper, decide));
    work.push_back(lesson_work("learn-paper-vocabulary", "paper-vocabulary: lesson", paper));
    work.push_back(answer_work("predict-modeller", "Modeller: prediction", modeller, predict));
    work.push_back(lesson_work("learn-modeller", "Modeller: lesson", modeller));
    work.push_back(file_work("file-modeller", "Modeller: lesson into a file", modeller));
    return work;
}

} // namespace sprig::bench

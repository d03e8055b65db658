#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "constellation/access.h"
#include "lab/baselines/character_trial.h"
#include "lab/baselines/methods.h"
#include "lab/baselines/nearest_class.h"
#include "lab/baselines/online_methods.h"
#include "sprig/front_end.h"
#include "vision/front_end_parameters.h"

namespace sprig::baselines {

namespace {

class SprigLearner final : public CharacterLearner {
  public:
    SprigLearner(std::unique_ptr<Learner> learner, const CharacterTask& task)
        : classes_(task.classes), learner_(std::move(learner)), front_end_(learner_->front_end()),
          network_(front_end_.schema()) {
        for (const std::string& label : classes_) learner_->add_class(label);
    }

    void learn(const Image& image, std::size_t label) override {
        front_end_.extract(image.view(), network_);
        (void)learner_->learn(network_, classes_[label]);
        reader_.reset();
    }

    [[nodiscard]] std::vector<std::size_t> rank(const Image& image, std::size_t most) override {
        constexpr std::size_t likely = 256; // units that may be among the best five
        front_end_.extract(image.view(), network_);
        reader().set_budget(classes_.size() > ranked_in_full ? likely : 0);
        return greatest(std::span<const double>(reader().predict(network_).scores), most);
    }

    [[nodiscard]] std::size_t decide(const Image& image) override { return best_of(image, 0); }

    [[nodiscard]] std::optional<std::size_t> decide_within(const Image& image, std::size_t budget) override {
        return best_of(image, budget);
    }

    [[nodiscard]] MemoryUse memory_use() const override {
        const ModelSize size = learner_->model_size();
        const auto* const own = dynamic_cast<const Constellation*>(learner_.get());
        return {.model = own == nullptr ? size.bytes : packed_bytes(*own), .parts = size.total()};
    }

  private:
    /// The bytes of all units, packed without loss.
    static std::uint64_t packed_bytes(const Constellation& model) {
        const constellation::FeatureSet set(model.params());
        std::uint64_t bytes = 0;
        for (const auto& known : constellation::Access::classes(model))
            for (const auto& unit : known->units())
                bytes += constellation::PackedUnit(unit->unit(set), set).bytes();
        return bytes;
    }

    std::size_t best_of(const Image& image, std::size_t budget) {
        front_end_.extract(image.view(), network_);
        reader().set_budget(budget);
        const Decision& decision = reader().decide(network_);
        return decision.best.value_or(classes_.size());
    }

    Reader& reader() {
        if (!reader_) reader_ = learner_->reader();
        return *reader_;
    }

    std::vector<std::string> classes_;
    std::unique_ptr<Learner> learner_;
    FrontEnd front_end_;
    Network network_;
    std::unique_ptr<Reader> reader_; ///< not set after a lesson
};

/// A method of the lab on images of its own side, which are reduced by averaging.
class StrategyLearner final : public CharacterLearner {
  public:
    StrategyLearner(std::size_t side, std::unique_ptr<Strategy> strategy)
        : side_(side), strategy_(std::move(strategy)), row_(side * side), images_(side * side) {}

    void learn(const Image& image, std::size_t label) override {
        read(image);
        strategy_->observe(images_, label);
    }

    [[nodiscard]] std::vector<std::size_t> rank(const Image& image, std::size_t most) override {
        read(image);
        strategy_->rank(images_, most, ranked_);
        return ranked_.front();
    }

    [[nodiscard]] std::size_t decide(const Image& image) override {
        read(image);
        strategy_->predict(images_, answers_);
        return answers_.front();
    }

    [[nodiscard]] MemoryUse memory_use() const override { return strategy_->memory_use(); }

  private:
    void read(const Image& image) {
        const std::size_t factor = static_cast<std::size_t>(image.width) / side_;
        const auto area = static_cast<float>(255 * factor * factor);
        for (std::size_t y = 0; y < side_; ++y) {
            for (std::size_t x = 0; x < side_; ++x) {
                int sum = 0;
                for (std::size_t v = y * factor; v < (y + 1) * factor; ++v)
                    for (std::size_t u = x * factor; u < (x + 1) * factor; ++u)
                        sum += image.at(static_cast<int>(u), static_cast<int>(v));
                row_[(y * side_) + x] = static_cast<float>(sum) / area;
            }
        }
        images_.clear();
        images_.add(row_);
    }

    std::size_t side_;
    std::unique_ptr<Strategy> strategy_;
    std::vector<float> row_;
    Samples images_;
    std::vector<std::size_t> answers_;
    std::vector<std::vector<std::size_t>> ranked_;
};

using MakeOnSide = std::function<std::unique_ptr<Strategy>(const Task& task)>;

CharacterMethod on_side(std::string name, std::string title, std::size_t side, const MakeOnSide& make) {
    CharacterMethod method;
    method.name = std::move(name);
    method.title = std::move(title);
    method.settings = {{"side", side}};
    method.make = [side, make](const CharacterTask& task) {
        const Task on_pixels = {side * side, side, task.classes.size(), task.seed};
        return std::make_unique<StrategyLearner>(side, make(on_pixels));
    };
    return method;
}

CharacterMethod sprig(const lab::StudyContext& context, const LearnerChoice& choice, std::string name,
                      std::string title) {
    const std::unique_ptr<Learner> learner = context.make(choice, 0);
    CharacterMethod method;
    method.name = std::move(name);
    method.title = std::move(title);
    method.settings = {{"learner", choice.learner}, {"version", learner->version()}};
    method.settings["parameters"] = nlohmann::ordered_json::parse(learner->parameters());
    method.settings["front_end"] = nlohmann::ordered_json::parse(to_json(learner->front_end()));
    method.make = [make = context.make, choice](const CharacterTask& task) {
        return std::make_unique<SprigLearner>(make(choice, task.seed), task);
    };
    method.answer_seconds_of_class = 7e-5;
    method.is_own = true;
    return method;
}

} // namespace

std::vector<CharacterMethod> character_methods(const lab::StudyContext& context) {
    constexpr std::size_t whole = glyphs::character_side;
    constexpr std::size_t half = whole / 2;
    constexpr std::size_t third = whole / 3;
    // Chosen on the faces to learn from, as are the sides of the images (held out: dev).
    constexpr std::size_t features = 1000;
    constexpr double prior = 200;
    const Training one_by_one = {false, {1, 1, 0}, 1e-4};
    std::vector<CharacterMethod> methods = {
        sprig(context, context.chosen, "sprig", "Sprig, " + context.chosen.preset)};
    // Printed characters vary less than handwriting, and their bends along two directions are enough.
    // Chosen on the faces to learn from.
    if (context.chosen.learner == "constellation") {
        const std::vector<std::pair<std::string, std::string>> for_print = {
            {"directions", "2"}, {"position_spread", "0.5"}, {"displacement_spread", "2"}};
        methods.push_back(sprig(context, context.chosen.with(for_print), "sprig-print",
                                fmt::format("Sprig, {}, for print", context.chosen.preset)));
    }
    std::vector<CharacterMethod> others = {
        on_side("pixels", "Nearest neighbour, 28 px", third, make_nearest_pixels),
        on_side("hog", "Nearest HOG, 42 px", half, make_nearest_hog),
        on_side("hog-large", "Nearest HOG, 84 px", whole, make_nearest_hog),
        on_side("lda", "Streaming LDA, 1,000 random features", third,
                [](const Task& task) { return make_random_feature_lda(task, features, prior); })};
    std::ranges::move(others, std::back_inserter(methods));
    methods.back().settings["features"] = features;
    methods.back().settings["prior"] = prior;
    methods.push_back(on_side("network", "Plain network", third,
                              [make = plain(one_by_one).make](const Task& task) { return make(task); }));
    methods.back().settings.update(plain(one_by_one).settings);
    methods.back().needs_network = true;
    methods.back().lesson_seconds = 3e-3;
    methods.back().most_classes = 1000;
    return methods;
}

} // namespace sprig::baselines

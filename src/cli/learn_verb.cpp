#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"
#include "sprig/model.h"

namespace sprig::cli {

namespace {

struct LearnOptions {
    std::string model;
    std::string data;
    std::optional<std::string> label;
    std::optional<std::size_t> limit;
    std::optional<std::uint64_t> shuffle;
    bool keep_going = false;
    bool json = false;
    ModelOptions wanted;
    std::vector<std::string> settings; ///< as words
    PictureOptions pictures;

    [[nodiscard]] bool is_stream() const { return data == "-"; }
};

/// How often the model was right about an image before it learned it. The first image of a class is not asked
/// about: there is no right answer yet.
class Prequential {
  public:
    void add(bool right) {
        ++asked_;
        right_ += right ? 1 : 0;
        latest_.push_back(right);
        if (latest_.size() > most_answers) latest_.pop_front();
    }
    void add_first() { ++firsts_; }

    [[nodiscard]] std::uint64_t firsts() const { return firsts_; }
    [[nodiscard]] std::uint64_t asked() const { return asked_; }
    [[nodiscard]] std::uint64_t right() const { return right_; }
    /// None if nothing was asked.
    [[nodiscard]] std::optional<double> accuracy() const {
        if (asked_ == 0) return {};
        return static_cast<double>(right_) / static_cast<double>(asked_);
    }
    /// Of the latest so many answers, up to 1,000; none if there were fewer.
    [[nodiscard]] std::optional<double> of_last(std::size_t answers) const {
        if (latest_.size() < answers) return {};
        const auto right =
            std::count(latest_.end() - static_cast<std::ptrdiff_t>(answers), latest_.end(), true);
        return static_cast<double>(right) / static_cast<double>(answers);
    }

  private:
    static constexpr std::size_t most_answers = 1000;

    std::uint64_t firsts_ = 0;
    std::uint64_t asked_ = 0;
    std::uint64_t right_ = 0;
    std::deque<bool> latest_; ///< the last one last
};

/// Images are learned one after the other, each asked about before.
class Learning {
  public:
    explicit Learning(const LearnOptions& options) : model_(Model::open(options.model, options.wanted)) {
        is_new_ = !model_.has_file();
        if (const std::optional<std::string> notice = model_.notice()) say(fmt::format("sprig: {}", *notice));
    }

    [[nodiscard]] Model& model() { return model_; }
    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] bool is_new() const { return is_new_; }
    [[nodiscard]] std::uint64_t learned() const { return learned_; }
    [[nodiscard]] const Prequential& prequential() const { return prequential_; }

    void learn(const Network& network, const std::string& label) {
        const std::vector<std::string> classes = model_.classes();
        if (std::ranges::find(classes, label) == classes.end()) {
            prequential_.add_first();
        } else {
            prequential_.add(model_.decide(network) == label);
        }
        model_.learn(network, label);
        ++learned_;
    }

  private:
    Model model_;
    bool is_new_ = false;
    std::uint64_t learned_ = 0;
    Prequential prequential_;
};

void check(const LearnOptions& options) {
    if (options.label && options.label->empty())
        throw usage_error("--label is empty: say what the image shows");
    if (options.is_stream() && options.label)
        throw usage_error("the lines of a stream have labels of their own: leave out --label");
    if (options.is_stream() && options.shuffle)
        throw usage_error("a stream is learned as it comes: leave out --shuffle");
}

std::string progress_note(const Learning& learning) {
    const Prequential& prequential = learning.prequential();
    const std::optional<double> latest = prequential.of_last(100);
    if (latest) return fmt::format(", {:.2f} of the last 100 right", *latest);
    const std::optional<double> all = prequential.accuracy();
    return all ? fmt::format(", {:.2f} right", *all) : "";
}

/// Returns how many images were skipped.
std::size_t learn_images(const LearnOptions& options, Learning& learning) {
    const ImageLoop loop{.addresses = {options.data},
                         .pictures = options.pictures,
                         .front_end = learning.model().learner().front_end(),
                         .doing = options.is_stream() ? "learned" : "learning",
                         .keep_going = options.keep_going,
                         .lines = true,
                         .limit = options.limit,
                         .shuffle = options.shuffle,
                         .note = [&] { return progress_note(learning); }};
    return for_each_image(loop, [&](const SeenImage& image) {
        if (!options.label && image.label.empty()) {
            throw usage_error(fmt::format(
                "nothing says what '{}' shows: add --label LABEL, or put it into a folder of that "
                "name and learn the folder above as dir:PATH",
                image.name));
        }
        learning.learn(image.network, options.label.value_or(image.label));
    });
}

std::string share(const std::optional<double>& value) {
    return fmt::format("{:.4f}", *value);
}

void print_text(const LearnOptions& options, const Learning& learning, std::size_t skipped) {
    const Model& model = learning.model();
    const ModelFacts facts = model.facts();
    const Prequential& prequential = learning.prequential();
    print(fmt::format("{}{}: {}\n", options.model, learning.is_new() ? ", a new model" : "",
                      kind_in_words(facts)));
    Table table({"", "now"});
    table.add({"images learned", with_commas(learning.learned())});
    if (skipped > 0) table.add({"images skipped", with_commas(skipped)});
    if (prequential.firsts() > 0) table.add({"first of their class", with_commas(prequential.firsts())});
    if (prequential.accuracy()) table.add({"right before learning", share(prequential.accuracy())});
    for (const std::size_t last : {std::size_t{100}, std::size_t{1000}}) {
        if (prequential.asked() > last && prequential.of_last(last))
            table.add(
                {fmt::format("... of the last {}", with_commas(last)), share(prequential.of_last(last))});
    }
    table.add({"images in all", with_commas(facts.lessons)});
    table.add({"classes", with_commas(model.classes().size())});
    table.add({"units", with_commas(model.census().total())});
    table.add({"KiB of file", fmt::format("{:.1f}", static_cast<double>(facts.bytes) / 1024)});
    print(table.text());
}

void print_json(const LearnOptions& options, const Learning& learning, std::size_t skipped) {
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    const Model& model = learning.model();
    const ModelFacts facts = model.facts();
    const Prequential& prequential = learning.prequential();
    print(json_text({{"model", options.model},
                     {"new", learning.is_new()},
                     {"learner", facts.learner},
                     {"preset", facts.preset},
                     {"learned", learning.learned()},
                     {"skipped", skipped},
                     {"prequential",
                      {{"first_of_class", prequential.firsts()},
                       {"asked", prequential.asked()},
                       {"right", prequential.right()},
                       {"accuracy", number(prequential.accuracy())},
                       {"last_100", number(prequential.of_last(100))},
                       {"last_1000", number(prequential.of_last(1000))}}},
                     {"lessons", facts.lessons},
                     {"classes", model.classes()},
                     {"units", model.census().total()},
                     {"digest", hexadecimal(model.digest())},
                     {"file_bytes", facts.bytes}}));
}

/// Closes the file whatever happens; what was learned before something went wrong is told.
std::size_t learn_into(const LearnOptions& options, Learning& learning) {
    const auto end_early = [&](const char* why) {
        const std::uint64_t learned = learning.learned();
        learning.model().close();
        if (learned == 0) return;
        say(fmt::format("sprig: {} learned before {}, and {} in '{}'",
                        counted(learned, "image was", "images were"), why, learned == 1 ? "is" : "are",
                        options.model));
    };
    std::size_t skipped = 0;
    try {
        skipped = learn_images(options, learning);
    } catch (const Interrupted&) {
        end_early("the stop");
        throw;
    } catch (const Error&) {
        end_early("something was wrong");
        throw;
    }
    learning.model().close();
    return skipped;
}

void learn(LearnOptions& options) {
    check(options);
    options.wanted.settings = parse_settings(options.settings);
    Learning learning(options);
    const std::size_t skipped = learn_into(options, learning);
    if (learning.is_new() && learning.learned() == 0) {
        throw bad_input(fmt::format("{} holds nothing to learn from, so '{}' was not made",
                                    options.is_stream() ? "standard input" : options.data, options.model));
    }
    options.json ? print_json(options, learning, skipped) : print_text(options, learning, skipped);
    end_after(skipped);
}

void add_new_model_options(CLI::App& verb, LearnOptions& options) {
    const char* group = "A new model";
    CLI::Option* learner = verb.add_option("--learner", options.wanted.learner,
                                           "The learner: constellation or modeller (default: constellation)")
                               ->group(group);
    offer(*learner, learner_names());
    CLI::Option* preset =
        verb.add_option("--preset", options.wanted.preset,
                        "Its parameters: default, paper-vocabulary, accurate, long or general for "
                        "constellation (default: default); best, paper or paper-literal for modeller "
                        "(default: best)")
            ->group(group);
    offer(*preset, preset_names());
    add_set_option(verb, options.settings);
    verb.get_option("--set")->group(group);
    verb.add_option("--seed", options.wanted.seed,
                    "What the modeller draws its random numbers from (default: 0)")
        ->group(group);
}

} // namespace

void add_learn_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("learn", "Learn images into a model file, one after the other");
    verb->group(model_verbs);
    auto options = std::make_shared<LearnOptions>();
    add_model_option(*verb, options->model, "The model file, which is made if it is not there");
    offer_addresses(*verb->add_option("DATA", options->data, "What to learn; - reads lines of label<TAB>path")
                         ->required());
    offer(*verb->add_option("--label", options->label, "What all of these images show"), {});
    verb->add_option("--limit", options->limit, "Learn N images and stop")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000'000}))
        ->type_name("NUMBER");
    verb->add_option("--shuffle", options->shuffle, "Shuffle with this seed")->type_name("UINT");
    add_keep_going_option(*verb, options->keep_going);
    verb->add_flag("--durable", options->wanted.durable,
                   "Wait for the disk at every image: not even a power cut takes one back");
    verb->add_option("--undo", options->wanted.undo,
                     "Keep what it takes to undo the last N images; 0 keeps nothing")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_new_model_options(*verb, *options);
    add_picture_options(*verb, options->pictures);
    verb->footer(
        "\nEvery image is in the file once it is learned: who is stopped or killed can go on with the "
        "next one.\n\n"
        "Examples:\n"
        "  sprig learn digits.sprig mnist:train:0-999\n"
        "  sprig learn shapes.sprig dir:shapes --shuffle 1\n"
        "  sprig learn shapes.sprig star.png --label star\n"
        "  find-labelled-pictures | sprig learn shapes.sprig -");
    verb->callback([options] { learn(*options); });
}

} // namespace sprig::cli

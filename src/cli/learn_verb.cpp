#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/learning.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "random/keyed.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct LearnOptions {
    std::string model;
    std::string data;
    std::optional<std::string> label;
    std::optional<std::size_t> limit;
    std::optional<std::uint64_t> shuffle;
    bool keep_going = false;
    bool durable = false;
    bool json = false;
    WantedLearner wanted;
    std::vector<std::string> settings; ///< as words
    PictureOptions pictures;

    [[nodiscard]] bool is_stream() const { return data == "-"; }
    [[nodiscard]] ModelFile::Options file() const {
        ModelFile::Options options;
        if (durable) options.durability = ModelFile::Durability::power;
        return options;
    }
};

void check(const LearnOptions& options) {
    if (options.label && options.label->empty())
        throw usage_error("--label is empty: say what the image shows");
    if (options.is_stream() && options.label)
        throw usage_error("the lines of a stream have labels of their own: leave out --label");
    if (options.is_stream() && options.shuffle)
        throw usage_error("a stream is learned as it comes: leave out --shuffle");
    if (!options.is_stream() && options.keep_going)
        throw usage_error("--keep-going is about the lines of a stream, for which DATA is -");
}

std::string progress_note(const Learning& learning) {
    const Prequential& prequential = learning.prequential();
    const std::optional<double> latest = prequential.of_last(100);
    if (latest) return fmt::format(", {:.2f} of the last 100 right", *latest);
    const std::optional<double> all = prequential.accuracy();
    return all ? fmt::format(", {:.2f} right", *all) : "";
}

/// Before the first of them is learned.
void require_labels(const LearnOptions& options, const Dataset& data) {
    if (options.label) return;
    for (std::size_t index = 0; index < data.size(); ++index) {
        if (data.label(index) >= 0) continue;
        throw usage_error(
            fmt::format("nothing says what '{}' shows: add --label LABEL, or put it into a folder of that "
                        "name and learn the folder above as dir:PATH",
                        data.name(index)));
    }
}

void learn_data(const LearnOptions& options, Learning& learning) {
    PictureReader reader(options.pictures);
    const Dataset data = load_quietly(options.data, reader);
    require_labels(options, data);
    reader.say_what_was_taken();
    const std::size_t count = std::min(data.size(), options.limit.value_or(data.size()));
    std::vector<std::size_t> order;
    if (options.shuffle) order = random::shuffled(data.size(), *options.shuffle);
    FrontEnd front_end(learning.learner().front_end());
    Network network(front_end.schema());
    ProgressBar bar("learning");
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = options.shuffle ? order[i] : i;
        see(front_end, data.image(index), data.name(index), network);
        learning.learn(network, options.label ? *options.label : data.label_name(index));
        bar.update(i + 1, count, progress_note(learning));
    }
}

/// Learns lines as they come.
class LineLearner {
  public:
    LineLearner(const LearnOptions& options, Learning& learning)
        : options_(options), learning_(learning), reader_(options.pictures),
          front_end_(learning.learner().front_end()), network_(front_end_.schema()), lines_(input_) {
        load_.prepare = [this](const Picture& picture) { return reader_.take(picture); };
    }

    /// Returns how many lines were passed over.
    std::size_t run() {
        ProgressBar bar("learned");
        while (!options_.limit || learning_.learned() < *options_.limit) {
            if (!take_line()) break;
            bar.count(learning_.learned(), progress_note(learning_));
        }
        reader_.say_what_was_taken();
        return skipped_;
    }

  private:
    /// False at the end.
    bool take_line() {
        try {
            const std::optional<LabelledLine> line = lines_.next();
            if (!line) return false;
            const Image image = load_image(*line, load_);
            see(front_end_, image.view(), line->where, network_);
            label_ = line->label;
        } catch (const Error& error) {
            // What is wrong with our own side of it is no fault of the line.
            if (!options_.keep_going || error.kind() == ErrorKind::failed) throw;
            say(fmt::format("sprig: {}", error.what()));
            ++skipped_;
            return true;
        }
        learning_.learn(network_, label_);
        return true;
    }

    const LearnOptions& options_;
    Learning& learning_;
    PictureReader reader_;
    LoadOptions load_;
    FrontEnd front_end_;
    Network network_;
    std::string label_;
    StandardInput input_;
    LabelledLines lines_;
    std::size_t skipped_ = 0;
};

struct Outcomes {
    bool is_new = false;
    std::uint64_t learned = 0;
    std::size_t skipped = 0;
    Prequential prequential;
};

std::string share(const std::optional<double>& value) {
    return fmt::format("{:.4f}", *value);
}

void print_text(const LearnOptions& options, const Outcomes& outcomes, const StoredModel& model) {
    const Census census = model.learner->census();
    const Prequential& prequential = outcomes.prequential;
    print(fmt::format("{}{}: {}\n", options.model, outcomes.is_new ? ", a new model" : "",
                      kind_in_words(model.facts)));
    Table table({"", "now"});
    table.add({"images learned", with_commas(outcomes.learned)});
    if (outcomes.skipped > 0) table.add({"lines passed over", with_commas(outcomes.skipped)});
    if (prequential.firsts() > 0) table.add({"first of their class", with_commas(prequential.firsts())});
    if (prequential.accuracy()) table.add({"right before learning", share(prequential.accuracy())});
    for (const std::size_t last : {std::size_t{100}, std::size_t{1000}}) {
        if (prequential.asked() > last && prequential.of_last(last))
            table.add(
                {fmt::format("... of the last {}", with_commas(last)), share(prequential.of_last(last))});
    }
    table.add({"images in all", with_commas(model.facts.lessons)});
    table.add({"classes", with_commas(model.learner->classes().size())});
    table.add({"units", with_commas(census.total())});
    table.add({"KiB of file", fmt::format("{:.1f}", static_cast<double>(model.facts.bytes) / 1024)});
    print(table.text());
}

void print_json(const LearnOptions& options, const Outcomes& outcomes, const StoredModel& model) {
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    const Prequential& prequential = outcomes.prequential;
    const Census census = model.learner->census();
    print(json_text({{"model", options.model},
                     {"new", outcomes.is_new},
                     {"learner", model.facts.learner},
                     {"preset", model.facts.preset},
                     {"learned", outcomes.learned},
                     {"skipped", outcomes.skipped},
                     {"prequential",
                      {{"first_of_class", prequential.firsts()},
                       {"asked", prequential.asked()},
                       {"right", prequential.right()},
                       {"accuracy", number(prequential.accuracy())},
                       {"last_100", number(prequential.of_last(100))},
                       {"last_1000", number(prequential.of_last(1000))}}},
                     {"lessons", model.facts.lessons},
                     {"classes", model.learner->classes()},
                     {"units", census.total()},
                     {"digest", hexadecimal(model.learner->digest())},
                     {"file_bytes", model.facts.bytes}}));
}

/// Closes the file whatever happens; what was learned before something went wrong is told.
std::size_t learn_into(const LearnOptions& options, Learning& learning) {
    const auto end_early = [&](const char* why) {
        const std::uint64_t learned = learning.learned();
        learning.close();
        if (learned == 0) return;
        say(fmt::format("sprig: {} learned before {}, and {} in '{}'",
                        counted(learned, "image was", "images were"), why, learned == 1 ? "is" : "are",
                        options.model));
    };
    std::size_t skipped = 0;
    try {
        if (options.is_stream()) {
            skipped = LineLearner(options, learning).run();
        } else {
            learn_data(options, learning);
        }
    } catch (const Interrupted&) {
        end_early("the stop");
        throw;
    } catch (const Error&) {
        end_early("something was wrong");
        throw;
    }
    learning.close();
    return skipped;
}

void learn(LearnOptions& options) {
    check(options);
    options.wanted.settings = parse_settings(options.settings);
    Learning learning(options.model, options.wanted, options.file());
    Outcomes outcomes;
    outcomes.is_new = learning.is_new();
    outcomes.skipped = learn_into(options, learning);
    if (outcomes.is_new && learning.learned() == 0) {
        throw bad_input(fmt::format("{} holds nothing to learn from, so '{}' was not made",
                                    options.is_stream() ? "standard input" : options.data, options.model));
    }
    outcomes.learned = learning.learned();
    outcomes.prequential = learning.prequential();
    const StoredModel model = load_model(options.model);
    options.json ? print_json(options, outcomes, model) : print_text(options, outcomes, model);
}

void add_new_model_options(CLI::App& verb, LearnOptions& options) {
    const char* group = "A new model";
    CLI::Option* learner = verb.add_option("--learner", options.wanted.name,
                                           "Who learns: constellation or modeller (default: constellation)")
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
    verb->add_option("--limit", options->limit, "Learn so many images and stop")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000'000}))
        ->type_name("NUMBER");
    verb->add_option("--shuffle", options->shuffle, "Learn them in another order, which hangs on this number")
        ->type_name("UINT");
    verb->add_flag("--keep-going", options->keep_going, "Pass over the bad lines of a stream");
    verb->add_flag("--durable", options->durable,
                   "Wait for the disk at every image: not even a power cut takes one back");
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

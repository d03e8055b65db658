#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/group_learning.h"
#include "cli/image_loop.h"
#include "cli/interrupt.h"
#include "cli/learn_options.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"
#include "sprig/model.h"

namespace sprig::cli {

namespace {

/// Prequential accuracy: each image is predicted before it is learned. The first image of a class is not
/// counted, because the model cannot know its class yet.
class PrequentialAccuracy {
  public:
    void add(bool correct) {
        ++predicted_;
        correct_ += correct ? 1 : 0;
        recent_.push_back(correct);
        if (recent_.size() > max_recent) recent_.pop_front();
    }

    [[nodiscard]] std::uint64_t predicted() const { return predicted_; }
    [[nodiscard]] std::uint64_t correct() const { return correct_; }
    /// nullopt without predictions.
    [[nodiscard]] std::optional<double> accuracy() const {
        if (predicted_ == 0) return {};
        return static_cast<double>(correct_) / static_cast<double>(predicted_);
    }
    /// Accuracy of the last `count` predictions (at most 1,000); nullopt if there were fewer.
    [[nodiscard]] std::optional<double> of_last(std::size_t count) const {
        if (recent_.size() < count) return {};
        const auto correct =
            std::count(recent_.end() - static_cast<std::ptrdiff_t>(count), recent_.end(), true);
        return static_cast<double>(correct) / static_cast<double>(count);
    }

  private:
    static constexpr std::size_t max_recent = 1000;

    std::uint64_t predicted_ = 0;
    std::uint64_t correct_ = 0;
    std::deque<bool> recent_; ///< whether the last predictions were correct, the latest at the end
};

/// Learns images one after the other; if wanted, each is predicted first.
class LearningRun {
  public:
    explicit LearningRun(const LearnOptions& options)
        : model_(Model::open(options.model, options.model_options)) {
        is_new_ = !model_.has_file();
        const std::vector<std::string> classes = model_.classes();
        known_ = {classes.begin(), classes.end()};
        if (options.prequential) prequential_.emplace();
        // A lesson is predicted after the one before it, images of a stream are learned as they arrive, and
        // --durable saves each image.
        if (!options.prequential && !options.is_stream() && !options.model_options.durable)
            threads_ = threads_of(options.threads);
        if (const std::optional<std::string> notice = model_.notice())
            print_message(fmt::format("sprig: {}", *notice));
    }

    [[nodiscard]] Model& model() { return model_; }
    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] bool is_new() const { return is_new_; }
    [[nodiscard]] std::uint64_t learned() const { return learned_; }
    /// Whether there were images, in this shard or in others. Set by several threads.
    [[nodiscard]] bool saw_images() const { return saw_images_; }
    void see_image() { saw_images_ = true; }
    [[nodiscard]] std::uint64_t new_classes() const { return new_classes_; }
    /// nullopt if images are not predicted.
    [[nodiscard]] const std::optional<PrequentialAccuracy>& prequential() const { return prequential_; }

    /// With several threads, the image may be learned later: see `finish`.
    void learn(LabelledNetwork image) {
        if (threads_ > 1) {
            if (waiting_.empty()) waiting_since_ = Clock::now();
            waiting_.push_back(std::move(image));
            if (waiting_.size() == batch || Clock::now() - waiting_since_ > max_wait) finish();
            return;
        }
        const bool is_known = known_.contains(image.label);
        if (prequential_ && is_known) prequential_->add(model_.decide(image.network) == image.label);
        model_.learn(image.network, image.label);
        count(image.label);
    }

    /// Learns the images that wait.
    void finish() {
        const std::vector<LabelledNetwork> images = std::exchange(waiting_, {});
        std::vector<NetworkSample> samples;
        for (const LabelledNetwork& image : images) samples.push_back({&image.network, image.label});
        model_.learn_all(samples, threads_);
        for (const LabelledNetwork& image : images) count(image.label);
    }

  private:
    using Clock = std::chrono::steady_clock;
    /// Enough that the threads have work of several classes.
    static constexpr std::size_t batch = 256;
    /// A program that is killed loses the images that wait, so large images do not wait for each other.
    static constexpr std::chrono::milliseconds max_wait{200};

    void count(const std::string& label) {
        ++learned_;
        if (known_.insert(label).second) ++new_classes_;
    }

    Model model_;
    std::size_t threads_ = 1;
    std::vector<LabelledNetwork> waiting_; ///< images in order
    Clock::time_point waiting_since_;
    bool is_new_ = false;
    std::uint64_t learned_ = 0;
    std::uint64_t new_classes_ = 0;
    std::atomic<bool> saw_images_ = false;
    std::set<std::string> known_; ///< labels; asking the model for all of them at every image would be slow
    std::optional<PrequentialAccuracy> prequential_;
};

/// Reads K/N.
Shard parse_shard(const std::string& text) {
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, shard.index);
    if (index.ec == std::errc{} && index.ptr != end && *index.ptr == '/') {
        const auto count = std::from_chars(index.ptr + 1, end, shard.count);
        if (count.ec == std::errc{} && count.ptr == end && shard.index >= 1 && shard.index <= shard.count) {
            --shard.index;
            return shard;
        }
    }
    throw usage_error(fmt::format("--shard {} is not K/N with K from 1 to N, as in --shard 3/16", text));
}

void check_shard(const LearnOptions& options) {
    if (!options.shard) return;
    if (options.prequential)
        throw usage_error(
            "--prequential cannot be used with --shard, because an image would be compared with "
            "the classes of its shard only");
    if (options.limit && options.keep_going)
        throw usage_error(
            "--limit cannot be used with --shard and --keep-going, because a shard does not know "
            "how many images of the others cannot be read; leave one of them out");
}

/// Checks the options and completes them.
void check(LearnOptions& options) {
    if (options.shard_text) options.shard = parse_shard(*options.shard_text);
    options.model_options.settings = parse_settings(options.settings);
    check_shard(options);
    if (options.label && options.label->empty())
        throw usage_error("--label is empty: give the class of the images");
    if (options.data == "-" && options.label)
        throw usage_error("--label cannot be used with -, whose lines have their own labels");
    if (options.is_stream() && options.shuffle)
        throw usage_error(fmt::format(
            "--shuffle cannot be used with {}, which is learned in the order of its lines", options.data));
}

std::string progress_note(const LearningRun& run) {
    if (!run.prequential()) return "";
    const std::optional<double> recent = run.prequential()->of_last(100);
    if (recent) return fmt::format(", accuracy of the last 100: {:.2f}", *recent);
    const std::optional<double> all = run.prequential()->accuracy();
    return all ? fmt::format(", accuracy {:.2f}", *all) : "";
}

/// Returns the number of skipped images.
std::size_t learn_images(const LearnOptions& options, LearningRun& run) {
    const ImageLoopOptions images{.addresses = {options.data},
                                  .pictures = options.pictures,
                                  .front_end = run.model().learner().front_end(),
                                  .progress = options.is_stream() ? "learned" : "learning",
                                  .keep_going = options.keep_going,
                                  .lines = true,
                                  .limit = options.limit,
                                  .shuffle = options.shuffle,
                                  .threads = options.threads,
                                  .note = [&] { return progress_note(run); },
                                  .wanted =
                                      [&](std::size_t /*position*/, const std::string& label) {
                                          run.see_image();
                                          return options.is_wanted(label);
                                      }};
    const auto learn_one = [&](LabelledNetwork image) {
        if (!options.label && image.label.empty()) throw without_label(image.name, options);
        if (options.label) image.label = *options.label;
        run.learn(std::move(image));
    };
    // All of the learning is the last step, because lessons are in order.
    const auto work = [&](LabelledNetwork image) {
        return [&learn_one, image = std::move(image)]() mutable { learn_one(std::move(image)); };
    };
    try {
        const std::size_t skipped = for_each_image(images, [&] { return work; });
        run.finish();
        return skipped;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::failed) run.finish(); // the images before the error
        throw;
    }
}

std::string accuracy_text(const std::optional<double>& value) {
    return fmt::format("{:.4f}", *value);
}

void add_rows(const PrequentialAccuracy& prequential, Table& table) {
    if (prequential.accuracy()) table.add({"prequential accuracy", accuracy_text(prequential.accuracy())});
    for (const std::size_t last : {std::size_t{100}, std::size_t{1000}}) {
        if (prequential.predicted() > last && prequential.of_last(last))
            table.add({fmt::format("... of the last {}", with_commas(last)),
                       accuracy_text(prequential.of_last(last))});
    }
}

void print_text(const LearnOptions& options, const LearningRun& run, std::size_t skipped) {
    const Model& model = run.model();
    const ModelFacts facts = model.facts();
    print(fmt::format("{}{}: {}\n", options.model, run.is_new() ? " (new model)" : "",
                      learner_and_preset(facts)));
    Table table({"measure", "value"});
    table.add({"images learned", with_commas(run.learned())});
    if (skipped > 0) table.add({"images skipped", with_commas(skipped)});
    if (run.new_classes() > 0) table.add({"new classes", with_commas(run.new_classes())});
    if (run.prequential()) add_rows(*run.prequential(), table);
    table.add({"images in total", with_commas(facts.lessons)});
    table.add({"classes", with_commas(model.classes().size())});
    table.add({"units", with_commas(model.model_size().total())});
    table.add({"file size (KiB)", fmt::format("{:.1f}", static_cast<double>(facts.bytes) / 1024)});
    print(table.text());
}

Json prequential_json(const LearningRun& run) {
    const std::optional<PrequentialAccuracy>& prequential = run.prequential();
    if (!prequential) return nullptr;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    return {{"first_of_class", run.new_classes()},
            {"asked", prequential->predicted()},
            {"right", prequential->correct()},
            {"accuracy", number(prequential->accuracy())},
            {"last_100", number(prequential->of_last(100))},
            {"last_1000", number(prequential->of_last(1000))}};
}

void print_json(const LearnOptions& options, const LearningRun& run, std::size_t skipped) {
    const Model& model = run.model();
    const ModelFacts facts = model.facts();
    print(json_text({{"model", options.model},
                     {"new", run.is_new()},
                     {"learner", facts.learner},
                     {"preset", facts.preset},
                     {"free_pose", facts.free_pose},
                     {"learned", run.learned()},
                     {"skipped", skipped},
                     {"new_classes", run.new_classes()},
                     {"prequential", prequential_json(run)},
                     {"lessons", facts.lessons},
                     {"classes", model.classes()},
                     {"units", model.model_size().total()},
                     {"digest", hexadecimal(model.digest())},
                     {"file_bytes", facts.bytes}}));
}

/// Closes the file in any case. After an error or a stop, reports how many images were learned.
std::size_t learn_into(const LearnOptions& options, LearningRun& run) {
    const auto end_early = [&](const char* event) {
        const std::uint64_t learned = run.learned();
        run.model().close();
        if (learned == 0) return;
        print_message(fmt::format("sprig: {} learned before {} and saved in '{}'",
                                  counted(learned, "image was", "images were"), event, options.model));
    };
    std::size_t skipped = 0;
    try {
        skipped = learn_images(options, run);
    } catch (const Interrupted&) {
        end_early("the stop");
        throw;
    } catch (const Error&) {
        end_early("the error");
        throw;
    }
    run.model().close();
    return skipped;
}

/// The shards of a learner whose classes depend on each other could not be merged.
void check_mergeable(const LearnOptions& options, const Model& model) {
    const std::string learner = model.facts().learner;
    if (!options.shard || learner_kind(learner)->classes_are_independent) return;
    throw usage_error(fmt::format("--shard cannot be used with the {}, because its classes depend on each "
                                  "other, so that shards cannot be merged; use the learner constellation",
                                  learner));
}

void learn(const LearnOptions& options) {
    LearningRun run(options);
    check_mergeable(options, run.model());
    const std::size_t skipped = learn_into(options, run);
    if (run.is_new() && run.learned() == 0) {
        // A shard may have no class. Its model is empty, so that all shards can be merged.
        if (options.shard && run.saw_images()) {
            run.model().save(options.model);
            run.model() = Model::load(options.model);
        } else {
            throw bad_input(fmt::format("{} contains no images, so '{}' was not created",
                                        options.is_stream() ? "standard input" : options.data,
                                        options.model));
        }
    }
    options.json ? print_json(options, run, skipped) : print_text(options, run, skipped);
    report_skipped(skipped);
}

void add_new_model_options(CLI::App& verb, LearnOptions& options) {
    const char* group = "Options for a new model";
    CLI::Option* learner = verb.add_option("--learner", options.model_options.learner,
                                           "Learner: constellation or modeller (default: constellation)")
                               ->group(group);
    set_completions(*learner, learner_names());
    CLI::Option* preset =
        verb.add_option("--preset", options.model_options.preset,
                        "Preset of parameters. For constellation: default, fast or paper-vocabulary "
                        "(default: default); for modeller: best, paper or paper-literal (default: best)")
            ->group(group);
    set_completions(*preset, preset_names());
    verb.add_flag("--free-pose", options.model_options.free_pose,
                  "Recognise shapes that are turned, mirrored or upside down")
        ->group(group);
    add_set_option(verb, options.settings);
    verb.get_option("--set")->group(group);
    verb.add_option("--seed", options.model_options.seed, "Random seed of the modeller (default: 0)")
        ->group(group);
}

} // namespace

Error without_label(const std::string& name, const LearnOptions& options) {
    const bool is_drawing = options.data.starts_with("strokes:");
    return usage_error(fmt::format(
        "'{}' has no label: add --label LABEL, or {}", name,
        is_drawing
            ? "give the drawing a \"label\" in its line"
            : "put the image into a folder named after its class and learn the parent folder as dir:PATH"));
}

void add_learn_verb(CLI::App& app, ProcessGroup* group) {
    CLI::App* verb = app.add_subcommand("learn", "Learn images into a model file");
    verb->group(model_verbs);
    auto options = std::make_shared<LearnOptions>();
    add_model_option(*verb, options->model, "Model file; created if it does not exist");
    set_address_completions(
        *verb->add_option("DATA", options->data,
                          "Images to learn (an address), - for lines of label<TAB>path, or strokes:- for "
                          "lines with drawings")
             ->required());
    set_completions(
        *verb->add_option("--label", options->label, "Label of all images (default: their own labels)"), {});
    verb->add_option("--limit", options->limit, "Maximum number of images to learn (default: all)")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000'000}))
        ->type_name("NUMBER");
    verb->add_option("--shuffle", options->shuffle, "Shuffle with this seed (default: no shuffling)")
        ->type_name("UINT");
    add_keep_going_option(*verb, options->keep_going);
    verb->add_flag("--prequential", options->prequential,
                   "Predict each image before learning it and report the accuracy");
    verb->add_option("--shard", options->shard_text,
                     "Learn only the classes of shard K of N; 'sprig merge' joins the models of all shards")
        ->type_name("K/N");
    add_threads_option(*verb, options->threads);
    verb->add_flag("--durable", options->model_options.durable,
                   "Sync to disk after every image, so that a power failure loses none");
    verb->add_option("--undo", options->model_options.undo,
                     "Number of images that can be undone; 0 stores no undo data")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_new_model_options(*verb, *options);
    add_picture_options(*verb, options->pictures);
    verb->footer(
        "\nImages are saved as they are learned. After an interruption, continue with the images that "
        "are left.\n\n"
        "Examples:\n"
        "  sprig learn digits.sprig mnist:train:0-999\n"
        "  sprig learn shapes.sprig dir:shapes --shuffle 1\n"
        "  sprig learn shapes.sprig star.png --label star\n"
        "  sprig learn gestures.sprig strokes:gestures.jsonl\n"
        "  find-labelled-pictures | sprig learn shapes.sprig -\n"
        "  sprig learn shard-3.sprig dir:shapes --shard 3/16");
    verb->callback([options, group] {
        check(*options);
        group == nullptr ? learn(*options) : learn_in_group(*options, *group);
    });
}

} // namespace sprig::cli

#include "cli/group_learning.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "core/keyed.h"
#include "learner/packing.h"
#include "sprig/data.h"
#include "store/bytes_form.h"
#include "store/lock.h"
#include "store/model_files.h"
#include "store/packed.h"

namespace sprig::cli {

namespace {

namespace fs = std::filesystem;

/// The processes exchange samples after this number of images per process.
constexpr std::size_t images_per_round = 128;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// An image that cannot be learned.
struct Failure {
    std::size_t position = never; ///< among all images; `never`: there is none
    ErrorKind kind = ErrorKind::bad_input;
    std::string message;
};

/// The files of a job, in a folder beside the model.
class JobFolder {
  public:
    JobFolder(const std::string& model, std::size_t processes)
        : folder_(model + ".parts"), processes_(processes) {}

    [[nodiscard]] const fs::path& path() const { return folder_; }
    [[nodiscard]] fs::path description() const { return folder_ / "job.json"; }
    [[nodiscard]] fs::path merged() const { return folder_ / "merged.sprig"; }
    [[nodiscard]] fs::path part(std::size_t process) const {
        return folder_ / fmt::format("shard-{}-of-{}.sprig", process + 1, processes_);
    }
    [[nodiscard]] std::vector<fs::path> parts() const {
        std::vector<fs::path> paths;
        for (std::size_t i = 0; i < processes_; ++i) paths.push_back(part(i));
        return paths;
    }

    void create() const {
        std::error_code problem;
        fs::remove_all(finished(), problem);
        fs::remove_all(folder_, problem);
        fs::create_directory(folder_, problem);
        if (problem)
            throw failed(
                fmt::format("cannot create the folder '{}': {}", folder_.string(), problem.message()));
    }
    /// nullopt if there is no unfinished job.
    [[nodiscard]] std::optional<Json> read() const {
        std::ifstream file(description());
        if (!file) return {};
        Json json = Json::parse(file, nullptr, false);
        const auto has = [&](const char* key) { return json.is_object() && json.contains(key); };
        if (!has("job") || !has("base") || !has("samples")) {
            throw bad_input(fmt::format("'{}' is damaged; remove the folder '{}' to begin again",
                                        description().string(), folder_.string()));
        }
        return json;
    }
    /// The job has an end at one moment: without this folder it is finished.
    void remove() const {
        std::error_code problem;
        fs::remove_all(finished(), problem);
        fs::rename(folder_, finished(), problem);
        if (problem) {
            throw failed(fmt::format("the folder '{}' of the finished job cannot be removed: {}; remove it",
                                     folder_.string(), problem.message()));
        }
        fs::remove_all(finished(), problem);
    }
    [[noreturn]] void refuse(const std::string& why) const {
        throw usage_error(fmt::format("{}; finish that job with its own command, or remove the folder '{}' "
                                      "to drop it",
                                      why, folder_.string()));
    }

  private:
    [[nodiscard]] fs::path finished() const { return folder_.string() + "-done"; }

    fs::path folder_;
    std::size_t processes_;
};

std::optional<std::string> digest_of_file(const std::string& path) {
    std::error_code unknown;
    if (!fs::exists(path, unknown)) return {};
    return hexadecimal(Model::load(path).digest());
}

class GroupLearning {
  public:
    GroupLearning(const LearnOptions& options, ProcessGroup& group)
        : options_(options), group_(group), folder_(options.model, group.size()) {}

    void run();

  private:
    void check_options() const;
    [[nodiscard]] Model base_model() const;
    [[nodiscard]] Json description_of(const Model& base) const;
    void begin();
    void prepare_part();
    void find_learned_images();
    [[nodiscard]] std::string label_of(const std::string& own) const { return options_.label.value_or(own); }
    [[nodiscard]] std::size_t owner_of(const std::string& label) const {
        return shard_of(label, group_.size());
    }
    void read_images();
    void add(const LabelledNetwork& image);
    void exchange();
    void learn(const std::vector<std::string>& received);
    void finish();
    void print_result(std::size_t learned, std::size_t new_classes, std::size_t resumed) const;

    const LearnOptions& options_;
    ProcessGroup& group_;
    JobFolder folder_;
    std::optional<store::WriterLock> lock_; ///< of the model, in the first process
    std::optional<Model> model_;            ///< the classes of this process
    std::shared_ptr<const Schema> schema_;
    std::optional<std::string> base_digest_;
    std::size_t resumed_ = 0;       ///< lessons of this process that an earlier run learned
    std::size_t to_skip_ = 0;       ///< those of them that will arrive again
    std::vector<std::size_t> done_; ///< by process: its images before this position are learned
    std::size_t round_ = 0;
    std::size_t position_ = 0;          ///< of the image that is being taken
    std::vector<std::string> outgoing_; ///< by process: samples of this round
    bool has_read_all_ = false;
    bool all_have_read_ = false;
    Failure failure_;
    std::size_t learned_ = 0;
    std::size_t old_classes_ = 0;
    std::size_t skipped_ = 0;
};

void GroupLearning::check_options() const {
    if (options_.is_stream())
        throw usage_error(
            "standard input cannot be read by several processes; give the address of a data set");
    if (options_.shard)
        throw usage_error("--shard is for single processes; here each process has a shard already");
    if (options_.prequential)
        throw usage_error("--prequential is for one process: here images are learned while others are read");
    if (options_.limit && options_.keep_going)
        throw usage_error(
            "--limit cannot be used with --keep-going here, because a process does not know how "
            "many images of the others cannot be read; leave one of them out");
    if (store::is_bytes_file(options_.model))
        throw usage_error(fmt::format("'{0}' is in the bytes form, which can be read but not learned into; "
                                      "'sprig export {0} --to file -o NEW.sprig' makes a model file of it",
                                      options_.model));
}

/// The model before the job.
Model GroupLearning::base_model() const {
    std::error_code unknown;
    Model base = fs::exists(options_.model, unknown) ? Model::load(options_.model, options_.model_options)
                                                     : Model(options_.model_options);
    const std::string learner = base.facts().learner;
    if (!learner_kind(learner)->classes_are_independent) {
        throw usage_error(fmt::format("the {} cannot be learned by several processes, because its classes "
                                      "depend on each other; use the learner constellation, or 'sprig learn'",
                                      learner));
    }
    return base;
}

Json GroupLearning::description_of(const Model& base) const {
    const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
    const ModelFacts facts = base.facts();
    std::vector<std::uint64_t> samples(group_.size());
    const std::vector<std::string> classes = base.classes();
    const std::vector<std::uint64_t> of_classes = base.samples();
    for (std::size_t i = 0; i < classes.size(); ++i) samples[owner_of(classes[i])] += of_classes[i];
    const std::optional<std::string> digest =
        classes.empty() ? std::nullopt : std::optional(hexadecimal(base.digest()));
    return {{"job",
             {{"data", options_.data},
              {"label", or_null(options_.label)},
              {"limit", or_null(options_.limit)},
              {"shuffle", or_null(options_.shuffle)},
              {"keep_going", options_.keep_going},
              {"raw", options_.pictures.raw},
              {"invert", options_.pictures.invert},
              {"processes", group_.size()}}},
            {"preset", facts.preset},
            {"parameters", facts.parameters},
            {"front_end", facts.front_end},
            {"base", or_null(digest)},
            {"samples", samples}};
}

/// The first process describes the job, or checks that an unfinished one is the same.
void GroupLearning::begin() {
    check_options();
    if (group_.rank() == 0) {
        lock_.emplace(options_.model, options_.model);
        const Json own = description_of(base_model());
        const std::optional<Json> known = folder_.read();
        if (!known) {
            folder_.create();
            write_file_atomically(folder_.description(), json_text(own));
        } else if ((*known)["job"] != own["job"]) {
            folder_.refuse(
                fmt::format("'{}' has an unfinished job with other data, options or processes ({})",
                            options_.model, (*known)["job"].dump()));
        }
    }
    group_.wait_for_all();
}

void GroupLearning::prepare_part() {
    const Json job = folder_.read().value();
    if (!job["base"].is_null()) base_digest_ = job["base"].get<std::string>();
    const fs::path path = folder_.part(group_.rank());
    std::error_code unknown;
    if (!fs::exists(path, unknown)) {
        const Model base = base_model();
        const std::optional<std::string> digest =
            base.classes().empty() ? std::nullopt : std::optional(hexadecimal(base.digest()));
        if (digest != base_digest_)
            folder_.refuse(
                fmt::format("'{}' was changed after a job began to learn into it", options_.model));
        store::save_shard(base.learner(), path, base.facts().preset, group_.rank(), group_.size());
    }
    ModelOptions storage;
    storage.durable = options_.model_options.durable;
    storage.undo = 0;
    model_.emplace(Model::open(path, storage));
    schema_ = front_end_schema(model_->learner().front_end());
    old_classes_ = model_->classes().size();
    const auto before = job["samples"].at(group_.rank()).get<std::uint64_t>();
    const std::uint64_t lessons = model_->facts().lessons;
    if (lessons < before)
        throw bad_input(
            fmt::format("'{}' has fewer lessons than when the job began; remove the folder '{}' to "
                        "begin again",
                        path.string(), folder_.path().string()));
    resumed_ = static_cast<std::size_t>(lessons - before);
}

/// Where each process continues. If labels are known without reading the images, learned images are not read
/// again; otherwise their samples are skipped when they arrive.
void GroupLearning::find_learned_images() {
    done_.assign(group_.size(), 0);
    to_skip_ = resumed_;
    std::string message;
    learner::Packer(message).varint(resumed_);
    std::vector<std::size_t> left;
    for (const std::string& received : group_.tell_all(message))
        left.push_back(static_cast<std::size_t>(learner::Unpacker(received).varint()));
    // An unreadable image that is skipped is no lesson.
    if (options_.keep_going || std::ranges::all_of(left, [](std::size_t n) { return n == 0; })) return;
    ImageStream stream(options_.data);
    if (options_.shuffle) stream.reorder(random::shuffled(*stream.size(), *options_.shuffle));
    std::vector<std::size_t> next(group_.size(), never); // its first image that is not learned
    for (std::size_t position = 0; position < options_.limit.value_or(never); ++position) {
        const std::optional<UnreadImage> image = stream.next_unread();
        if (!image) break;
        const std::optional<std::string> label = stream.label_of(*image);
        if (!label) return;
        const std::size_t owner = owner_of(label_of(*label));
        if (left[owner] > 0) {
            --left[owner];
            done_[owner] = position + 1;
        } else {
            next[owner] = std::min(next[owner], position);
        }
    }
    if (std::ranges::any_of(left, [](std::size_t n) { return n > 0; }))
        folder_.refuse(fmt::format("'{}' has fewer images than when the job began", options_.data));
    to_skip_ = 0;
    const std::size_t first = *std::ranges::min_element(next);
    round_ = first == never ? 0 : first / (images_per_round * group_.size());
}

void GroupLearning::read_images() {
    ImageLoopOptions images{.addresses = {options_.data},
                            .pictures = options_.pictures,
                            .front_end = model_->learner().front_end(),
                            .progress = "learning",
                            .keep_going = options_.keep_going,
                            .limit = options_.limit,
                            .shuffle = options_.shuffle,
                            .threads = options_.threads};
    take_own_part(images, &group_);
    images.wanted = [this](std::size_t position, const std::string& label) {
        const std::string chosen = label_of(label);
        return chosen.empty() || position >= done_[owner_of(chosen)];
    };
    images.at = [this](std::size_t position) {
        while (round_ < position / (images_per_round * group_.size())) exchange();
        position_ = position;
    };
    const auto work = [this](LabelledNetwork image) {
        return [this, image = std::move(image)] { add(image); };
    };
    try {
        skipped_ = for_each_image(images, [&] { return work; });
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::failed || failure_.position != never) throw;
        failure_ = {position_, error.kind(), error.what()};
    }
    has_read_all_ = true;
    while (!all_have_read_) exchange();
}

/// Puts a sample into the message to the process that owns its class.
void GroupLearning::add(const LabelledNetwork& image) {
    const std::string label = label_of(image.label);
    if (label.empty()) throw without_label(image.name, options_);
    learner::Packer packer(outgoing_[owner_of(label)]);
    packer.varint(image.position);
    packer.text(store::pack_lesson(image.network, label, 0));
}

/// Sends the samples of this round and learns those that arrive.
void GroupLearning::exchange() {
    std::string head;
    learner::Packer packer(head);
    packer.varint(has_read_all_ ? 1 : 0);
    packer.number(std::uint64_t{failure_.position});
    packer.varint(static_cast<std::uint64_t>(failure_.kind));
    packer.text(failure_.message);
    std::vector<std::string> messages;
    for (const std::string& samples : outgoing_) messages.push_back(head + samples);
    outgoing_.assign(group_.size(), {});
    ++round_;
    learn(group_.exchange(std::move(messages)));
}

void GroupLearning::learn(const std::vector<std::string>& received) {
    struct Sample {
        std::size_t position;
        std::string_view lesson;
    };
    std::vector<Sample> samples;
    all_have_read_ = true;
    Failure first;
    for (const std::string& message : received) {
        learner::Unpacker unpacker(message);
        if (unpacker.varint() == 0) all_have_read_ = false;
        Failure failure;
        std::uint64_t position = 0;
        unpacker.number(position);
        failure.position = static_cast<std::size_t>(position);
        failure.kind = static_cast<ErrorKind>(unpacker.varint());
        failure.message = unpacker.text();
        if (failure.position < first.position) first = failure;
        while (!unpacker.is_at_end()) {
            const auto at = static_cast<std::size_t>(unpacker.varint());
            samples.push_back({at, unpacker.raw(unpacker.varint_count())});
        }
    }
    std::ranges::sort(samples, {}, &Sample::position);
    std::vector<store::LoggedLesson> lessons;
    for (const Sample& sample : samples) {
        if (sample.position > first.position) break;
        if (to_skip_ > 0) {
            --to_skip_;
        } else {
            lessons.push_back(store::unpack_lesson(sample.lesson, schema_));
        }
    }
    stop_if_interrupted();
    std::vector<NetworkSample> networks;
    for (const store::LoggedLesson& lesson : lessons) networks.push_back({&lesson.network, lesson.label});
    model_->learn_all(networks, options_.threads.value_or(1));
    learned_ += lessons.size();
    if (first.position == never) return;
    // As one process would: the images before the failure are learned.
    failure_ = first;
    model_->close();
    const std::size_t learned = sum_over(group_, learned_ + resumed_);
    throw Error(first.kind, fmt::format("{}; {} learned before it, and the same command continues there",
                                        first.message, counted(learned, "image was", "images were")));
}

/// Merges the parts. The folder is removed last, so that a killed job can always be finished.
void GroupLearning::finish() {
    const std::size_t new_classes = sum_over(group_, model_->classes().size() - old_classes_);
    const std::size_t learned = sum_over(group_, learned_);
    const std::size_t resumed = sum_over(group_, resumed_);
    skipped_ = sum_over(group_, skipped_);
    model_->close();
    group_.wait_for_all();
    if (group_.rank() == 0) {
        if (learned + resumed == 0 && !base_digest_) {
            folder_.remove();
            throw bad_input(
                fmt::format("{} contains no images, so '{}' was not created", options_.data, options_.model));
        }
        std::error_code problem;
        fs::remove(folder_.merged(), problem);
        merge_models(folder_.parts(), folder_.merged());
        const std::optional<std::string> now = digest_of_file(options_.model);
        if (now != base_digest_ && now != digest_of_file(folder_.merged().string()))
            folder_.refuse(
                fmt::format("'{}' was changed after a job began to learn into it", options_.model));
        fs::rename(folder_.merged(), options_.model, problem);
        if (problem) {
            throw failed(fmt::format("'{}' cannot be written: {}; the same command tries again",
                                     options_.model, problem.message()));
        }
        folder_.remove();
        lock_.reset();
        print_result(learned, new_classes, resumed);
    }
    group_.wait_for_all();
}

void GroupLearning::print_result(std::size_t learned, std::size_t new_classes, std::size_t resumed) const {
    const Model model = Model::load(options_.model);
    const ModelFacts facts = model.facts();
    if (options_.json) {
        print(json_text({{"model", options_.model},
                         {"new", !base_digest_},
                         {"learner", facts.learner},
                         {"preset", facts.preset},
                         {"free_pose", facts.free_pose},
                         {"processes", group_.size()},
                         {"learned", learned},
                         {"learned_before", resumed},
                         {"skipped", skipped_},
                         {"new_classes", new_classes},
                         {"lessons", facts.lessons},
                         {"classes", model.classes()},
                         {"units", model.model_size().total()},
                         {"digest", hexadecimal(model.digest())},
                         {"file_bytes", facts.bytes}}));
        return;
    }
    print(fmt::format("{}{}: {}\n", options_.model, base_digest_ ? "" : " (new model)",
                      learner_and_preset(facts)));
    Table table({"measure", "value"});
    table.add({"processes", with_commas(group_.size())});
    table.add({"images learned", with_commas(learned)});
    if (resumed > 0) table.add({"images learned before", with_commas(resumed)});
    if (skipped_ > 0) table.add({"images skipped", with_commas(skipped_)});
    if (new_classes > 0) table.add({"new classes", with_commas(new_classes)});
    table.add({"images in total", with_commas(facts.lessons)});
    table.add({"classes", with_commas(model.classes().size())});
    table.add({"units", with_commas(model.model_size().total())});
    table.add({"file size (KiB)", fmt::format("{:.1f}", static_cast<double>(facts.bytes) / 1024)});
    print(table.text());
}

void GroupLearning::run() {
    outgoing_.assign(group_.size(), {});
    begin();
    prepare_part();
    find_learned_images();
    read_images();
    finish();
    group_.rank() == 0 ? report_skipped(skipped_) : end_after_skips(skipped_);
}

} // namespace

void learn_in_group(const LearnOptions& options, ProcessGroup& group) {
    GroupLearning(options, group).run();
}

} // namespace sprig::cli

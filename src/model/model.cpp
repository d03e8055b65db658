#include "sprig/model.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/ordered_pipeline.h"
#include "learner/storage.h"
#include "model/assessor.h"
#include "model/backend.h"
#include "sprig/draw_explanation.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "store/bytes_form.h"
#include "store/model_files.h"
#include "vision/front_end_parameters.h"

namespace sprig {

namespace {

using Json = nlohmann::ordered_json;

LearnerChoice choice_of(const ModelOptions& options) {
    LearnerChoice choice;
    if (!options.learner.empty()) choice.learner = options.learner;
    choice.preset = options.preset;
    choice.settings = options.settings;
    choice.preset = preset_of(choice);
    return options.free_pose ? with_free_pose(choice) : choice;
}

/// A seed for a learner that does not use random numbers is an error, not silently ignored.
void check_seed_is_used(const std::string& learner, const std::optional<std::uint64_t>& seed) {
    if (seed && !learner_kind(learner)->uses_seed)
        throw usage_error(
            fmt::format("{} uses no random numbers, so a seed has no effect: leave it out", learner));
}

store::ModelState new_model(const ModelOptions& options) {
    const LearnerChoice choice = choice_of(options);
    check_seed_is_used(choice.learner, options.seed);
    return {make_learner(choice, options.seed.value_or(0)), choice.preset};
}

Error mismatch(const std::filesystem::path& path, const std::string& what, const std::string& is,
               const std::string& wanted) {
    return usage_error(fmt::format(
        "'{}' already exists, and its {} is {}, not {}; leave that option out, or use another file",
        path.string(), what, is, wanted));
}

/// The parameters of a learner and of its front end; their names are distinct.
Json all_parameters(Json of_learner, const Json& of_front_end) {
    of_learner.update(of_front_end);
    return of_learner;
}

/// The parameters of a learner and of its front end, read from stored ones. Those that an older file does not
/// name have the values that they had then.
std::pair<Json, Json> completed(const ModelFacts& facts, const Json& of_learner, const Json& of_front_end) {
    learner::Content empty;
    empty.header.seed = facts.seed;
    const auto storage = learner_kind(facts.learner)->storage(of_learner.dump(), of_front_end.dump());
    const std::unique_ptr<Learner> made = storage->restore(empty);
    return {Json::parse(made->parameters()), Json::parse(to_json(made->front_end()))};
}

/// Throws Error(usage) if the parameters of a model differ from the settings. The preset of the model may be
/// one that no longer exists, so the settings are applied to its stored parameters.
void require_settings(const std::filesystem::path& path, const ModelFacts& facts, const Settings& settings) {
    if (settings.empty()) return;
    const auto [of_learner, of_front_end] =
        completed(facts, Json::parse(facts.parameters), Json::parse(facts.front_end));
    Json learner_with = of_learner;
    Json front_end_with = of_front_end;
    for (const auto& [key, value] : settings) {
        if (!of_learner.contains(key) && !of_front_end.contains(key))
            (void)make_learner({facts.learner, "", {{key, value}}}, facts.seed); // says which there are
        (of_front_end.contains(key) ? front_end_with : learner_with)[key] = value;
    }
    const auto [wanted_of_learner, wanted_of_front_end] = completed(facts, learner_with, front_end_with);
    const Json is = all_parameters(of_learner, of_front_end);
    const Json wanted = all_parameters(wanted_of_learner, wanted_of_front_end);
    for (const auto& [key, value] : settings) {
        if (is.at(key) != wanted.at(key)) throw mismatch(path, key, is.at(key).dump(), wanted.at(key).dump());
    }
}

/// Throws Error(usage) if an existing model does not match the options.
void require_same(const std::filesystem::path& path, const ModelOptions& wanted, const ModelFacts& facts) {
    if (!wanted.learner.empty() && wanted.learner != facts.learner)
        throw mismatch(path, "learner", facts.learner, wanted.learner);
    if (!wanted.preset.empty() && wanted.preset != facts.preset)
        throw mismatch(path, "preset", facts.preset.empty() ? "unknown" : facts.preset, wanted.preset);
    if (wanted.free_pose && !facts.free_pose) throw mismatch(path, "pose", "fixed", "free");
    check_seed_is_used(facts.learner, wanted.seed);
    if (wanted.seed && *wanted.seed != facts.seed)
        throw mismatch(path, "seed", std::to_string(facts.seed), std::to_string(*wanted.seed));
    require_settings(path, facts, wanted.settings);
}

ModelFile::Options file_options(const ModelOptions& options) {
    return {options.durable ? ModelFile::Durability::power : ModelFile::Durability::process, options.undo,
            options.events};
}

/// A front end and a reader with their own working memory, for one thread.
struct Worker {
    explicit Worker(const FrontEndParams& params) : front_end(params), network(front_end.schema()) {}

    FrontEnd front_end;
    Network network;
    std::unique_ptr<Reader> reader;
    std::uint64_t version = 0; ///< of the model that the reader was made from
};

Answer answer_of(const Prediction& prediction, const std::vector<std::string>& classes) {
    Answer answer;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (std::isinf(prediction.scores[i])) continue; // not looked at
        answer.ranking.push_back({classes[i], prediction.probabilities[i], prediction.scores[i]});
    }
    std::ranges::sort(answer.ranking, [](const RankedClass& a, const RankedClass& b) {
        return a.score != b.score ? a.score > b.score : a.label < b.label;
    });
    if (answer.ranking.empty()) return answer;
    answer.label = answer.ranking.front().label;
    answer.probability = answer.ranking.front().probability;
    answer.fit = prediction.fit;
    answer.known = prediction.known;
    answer.margin = prediction.margin;
    return answer;
}

} // namespace

StrokeParams strokes_for(const NormaliseParams& normalisation) {
    StrokeParams params;
    if (normalisation.box > 0) params.box = normalisation.box;
    if (normalisation.side > 0) params.side = normalisation.side;
    return params;
}

std::span<const RankedClass> Answer::top(std::size_t count) const {
    return std::span(ranking).first(std::min(count, ranking.size()));
}

std::string ImageExplanation::text() const {
    std::string text;
    for (const std::string& sentence : sentences(values_)) text += sentence + "\n";
    return text;
}

std::string ImageExplanation::json() const {
    return to_json(values_);
}

std::string ImageExplanation::svg() const {
    ExplanationFigureOptions options;
    options.name = name_;
    options.label = label_;
    return draw_explanation(values_, options);
}

void ImageExplanation::write_svg(const std::filesystem::path& path) const {
    write_file_atomically(path, svg());
}

struct Model::Impl {
    Impl(std::unique_ptr<model::Backend> new_backend, ModelOptions model_options)
        : options(std::move(model_options)), backend(std::move(new_backend)),
          normalisation(normalise_for(options.normalise, learner().front_end())),
          writer(learner().front_end()) {}

    [[nodiscard]] const Learner& learner() const { return *backend->state().learner; }
    [[nodiscard]] Image prepared(const Picture& picture) const {
        if (options.raw) return to_grey(picture, options.normalise.invert);
        return normalise(picture, normalisation).image;
    }

    /// Of the same size as a normalised picture.
    [[nodiscard]] Image prepared(const Strokes& strokes) const {
        return render(strokes, strokes_for(normalisation));
    }

    LearnReport learn(const Network& network, std::string_view label);
    LearnReport learn_first(const Network& network, std::string_view label);

    /// Changes the model under the exclusive lock.
    template <typename Change>
    decltype(auto) change(const Change& change) {
        return change_with(std::unique_lock(mutex), change);
    }
    template <typename Change>
    decltype(auto) change_with(const std::unique_lock<std::shared_mutex>& /*held*/, const Change& change) {
        if (closed) throw usage_error("the model was closed, so it cannot be changed; open its file again");
        ++version; // even if it throws: making new readers is harmless
        return change();
    }
    /// Reads the model under the shared lock.
    template <typename Read>
    auto read(const Read& read) const {
        const std::shared_lock lock(mutex);
        return read();
    }
    /// Uses the snapshot of a worker, without a lock: the model may change at the same time.
    template <typename Use>
    auto with_worker(const Use& use) const {
        std::unique_ptr<Worker> worker = read([&] { return borrow_worker(); });
        auto result = use(*worker);
        give_back(std::move(worker));
        return result;
    }
    /// Takes a worker from the pool. Call it under the shared lock; workers that are borrowed under one lock
    /// have the same snapshot.
    [[nodiscard]] std::unique_ptr<Worker> borrow_worker() const;
    void give_back(std::unique_ptr<Worker> worker) const {
        const std::lock_guard lock(pool_mutex);
        idle.push_back(std::move(worker));
    }
    [[nodiscard]] std::vector<std::unique_ptr<Worker>> borrow_workers(std::size_t count) const;

    ModelOptions options;
    std::unique_ptr<model::Backend> backend;
    NormaliseParams normalisation;  ///< of the options, completed for the front end
    std::filesystem::path new_file; ///< the file that the first lesson creates; empty: none
    bool closed = false;
    std::optional<std::string> notice;
    Worker writer; ///< for `learn`; only its front end is used

    mutable std::shared_mutex mutex;
    std::uint64_t version = 1; ///< raised by every change
    mutable std::mutex pool_mutex;
    mutable std::vector<std::unique_ptr<Worker>> idle;
};

std::unique_ptr<Worker> Model::Impl::borrow_worker() const {
    std::unique_ptr<Worker> worker;
    {
        const std::lock_guard pool_lock(pool_mutex);
        if (!idle.empty()) {
            worker = std::move(idle.back());
            idle.pop_back();
        }
    }
    if (worker == nullptr) worker = std::make_unique<Worker>(learner().front_end());
    if (worker->version != version) {
        worker->reader = learner().reader();
        worker->reader->set_budget(options.budget);
        worker->version = version;
    }
    return worker;
}

std::vector<std::unique_ptr<Worker>> Model::Impl::borrow_workers(std::size_t count) const {
    return read([&] {
        std::vector<std::unique_ptr<Worker>> workers;
        while (workers.size() < count) workers.push_back(borrow_worker());
        return workers;
    });
}

LearnReport Model::Impl::learn(const Network& network, std::string_view label) {
    return change(
        [&] { return new_file.empty() ? backend->learn(network, label) : learn_first(network, label); });
}

/// The first lesson creates the file, so that no empty file is left if there is no lesson.
LearnReport Model::Impl::learn_first(const Network& network, std::string_view label) {
    store::create_file(new_file, backend->state());
    try {
        auto file = std::make_unique<model::FileBackend>(new_file, file_options(options));
        LearnReport report = file->learn(network, label);
        backend = std::move(file);
        new_file.clear();
        return report;
    } catch (...) {
        std::error_code ignored; // the first error is the one to report
        std::filesystem::remove(new_file, ignored);
        throw;
    }
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::Model(const ModelOptions& options)
    : impl_(std::make_unique<Impl>(
          std::make_unique<model::MemoryBackend>(new_model(options), options.undo, options.events),
          options)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Model Model::open(const std::filesystem::path& path, const ModelOptions& options) {
    std::error_code unknown; // opening the file reports errors
    if (!std::filesystem::exists(path, unknown)) {
        store::require_model_files(path); // now, not at the first lesson
        Model model(options);
        model.impl_->new_file = path;
        return model;
    }
    auto backend = std::make_unique<model::FileBackend>(path, file_options(options));
    require_same(path, options, backend->facts());
    std::optional<std::string> notice = backend->file().notice();
    Model model(std::make_unique<Impl>(std::move(backend), options));
    model.impl_->notice = std::move(notice);
    return model;
}

Model Model::load(const std::filesystem::path& path, const ModelOptions& options) {
    StoredModel stored = load_model(path);
    require_same(path, options, stored.facts);
    store::ModelState state(std::move(stored.learner), stored.facts.preset);
    state.header.lessons = stored.facts.lessons;
    state.header.method = stored.facts.method;
    return Model(std::make_unique<Impl>(
        std::make_unique<model::MemoryBackend>(std::move(state), options.undo, options.events,
                                               std::move(stored.facts), std::move(stored.events)),
        options));
}

Model Model::from_bytes(std::string_view bytes, const ModelOptions& options) {
    return Model(std::make_unique<Impl>(
        std::make_unique<model::MemoryBackend>(store::from_bytes(bytes), options.undo, options.events),
        options));
}

LearnReport Model::learn(const Picture& picture, std::string_view label) {
    return learn(impl_->prepared(picture).view(), label);
}

LearnReport Model::learn(const Strokes& strokes, std::string_view label) {
    return learn(impl_->prepared(strokes).view(), label);
}

LearnReport Model::learn(ImageView image, std::string_view label) {
    Worker& writer = impl_->writer;
    writer.front_end.extract(image, writer.network);
    return impl_->learn(writer.network, label);
}

LearnReport Model::learn(const Network& network, std::string_view label) {
    return impl_->learn(network, label);
}

void Model::learn_all(std::span<const NetworkSample> samples, std::size_t threads) {
    if (samples.empty()) return;
    impl_->change([&] {
        std::span<const NetworkSample> rest = samples;
        if (!impl_->new_file.empty()) {
            (void)impl_->learn_first(*rest.front().network, rest.front().label);
            rest = rest.subspan(1);
        }
        impl_->backend->learn_all(rest, threads);
    });
}

void Model::add_class(std::string_view label) {
    impl_->change([&] { impl_->backend->add_class(label); });
}

void Model::undo() {
    impl_->change([&] { impl_->backend->undo(); });
}

void Model::rename(std::string_view label, std::string_view new_label) {
    impl_->change([&] { impl_->backend->rename(label, new_label); });
}

void Model::forget(std::string_view label) {
    impl_->change([&] { impl_->backend->forget(label); });
}

void Model::merge(const Model& other) {
    if (&other == this) throw usage_error("a model cannot be merged with itself");
    // Both locks at once, so that two models can be merged into each other at the same time.
    std::shared_lock reading(other.impl_->mutex, std::defer_lock);
    std::unique_lock writing(impl_->mutex, std::defer_lock);
    std::lock(reading, writing);
    impl_->change_with(writing, [&] { impl_->backend->merge(other.impl_->learner()); });
}

Answer Model::predict(const Picture& picture) const {
    return predict(impl_->prepared(picture).view());
}

Answer Model::predict(const Strokes& strokes) const {
    return predict(impl_->prepared(strokes).view());
}

Answer Model::predict(ImageView image) const {
    return impl_->with_worker([&](Worker& worker) {
        worker.front_end.extract(image, worker.network);
        return answer_of(worker.reader->predict(worker.network), worker.reader->classes());
    });
}

Answer Model::predict(const Network& network) const {
    return impl_->with_worker(
        [&](Worker& worker) { return answer_of(worker.reader->predict(network), worker.reader->classes()); });
}

namespace {

std::string label_of(const Decision& decision, const Reader& reader) {
    return decision.best ? reader.classes()[*decision.best] : std::string();
}

} // namespace

std::string Model::decide(ImageView image) const {
    return impl_->with_worker([&](Worker& worker) {
        worker.front_end.extract(image, worker.network);
        return label_of(worker.reader->decide(worker.network), *worker.reader);
    });
}

std::string Model::decide(const Network& network) const {
    return impl_->with_worker(
        [&](Worker& worker) { return label_of(worker.reader->decide(network), *worker.reader); });
}

namespace {

LocalOptions local_options(const ExplainOptions& options) {
    LocalOptions local;
    local.rival = options.versus;
    return local;
}

} // namespace

ImageExplanation Model::explain(const Picture& picture, const ExplainOptions& options) const {
    return explain(impl_->prepared(picture).view(), options);
}

ImageExplanation Model::explain(const Strokes& strokes, const ExplainOptions& options) const {
    return explain(impl_->prepared(strokes).view(), options);
}

ImageExplanation Model::explain(ImageView image, const ExplainOptions& options) const {
    return impl_->read([&] {
        return ImageExplanation(explain_local(impl_->learner(), image, local_options(options)), options.name,
                                options.label);
    });
}

ImageExplanation Model::explain(const Network& network, const ExplainOptions& options) const {
    return impl_->read([&] {
        return ImageExplanation(explain_local(impl_->learner(), network, local_options(options)),
                                options.name, options.label);
    });
}

Assessment Model::test(const Dataset& data, const TestOptions& options) const {
    const std::size_t threads =
        std::clamp(options.threads, std::size_t{1}, std::max(data.size(), std::size_t{1}));
    std::vector<std::unique_ptr<Worker>> workers = impl_->borrow_workers(threads);
    Assessor assessor(workers.front()->reader->classes());
    std::size_t next = 0;
    const auto next_image = [&]() -> std::optional<std::size_t> {
        if (next == data.size()) return {};
        if (data.label(next) >= 0) return next++;
        throw usage_error(
            fmt::format("the image '{}' has no label, so its answer cannot be checked", data.name(next)));
    };
    std::size_t at = 0;
    const auto make_predictor = [&] {
        return [&data, &worker = *workers.at(at++)](std::size_t image) {
            worker.front_end.extract(data.image(image), worker.network);
            return worker.reader->predict(worker.network);
        };
    };
    std::size_t assessed = 0;
    const auto assess = [&](const Prediction& prediction) {
        assessor.add(prediction, data.label_name(assessed++));
        return true;
    };
    OrderedPipeline<std::size_t, Prediction>{
        .source = next_image, .make_transform = make_predictor, .consume = assess, .threads = threads}
        .run();
    for (std::unique_ptr<Worker>& worker : workers) impl_->give_back(std::move(worker));
    return assessor.result();
}

Network Model::extract(const Picture& picture) const {
    return extract(impl_->prepared(picture).view());
}

Network Model::extract(const Strokes& strokes) const {
    return extract(impl_->prepared(strokes).view());
}

Network Model::extract(ImageView image) const {
    return impl_->with_worker([&](Worker& worker) { return worker.front_end(image); });
}

Image Model::prepare(const Picture& picture) const {
    return impl_->prepared(picture);
}

Image Model::prepare(const Strokes& strokes) const {
    return impl_->prepared(strokes);
}

StrokePlacement Model::placement(const Strokes& strokes) const {
    return sprig::placement(strokes, strokes_for(impl_->normalisation));
}

std::vector<std::string> Model::classes() const {
    return impl_->read([&] { return impl_->learner().classes(); });
}

std::vector<std::uint64_t> Model::samples() const {
    return impl_->read([&] { return store::samples_of(impl_->backend->state()); });
}

std::vector<UnitView> Model::units() const {
    return impl_->read([&] { return impl_->learner().units(); });
}

ModelSize Model::model_size() const {
    return impl_->read([&] { return impl_->learner().model_size(); });
}

GlobalExplanation Model::explain_global(const GlobalOptions& options) const {
    return impl_->read([&] { return sprig::explain_global(impl_->learner(), options); });
}

std::string Model::draw() const {
    return draw_units(units());
}

ModelFacts Model::facts() const {
    return impl_->read([&] { return impl_->backend->facts(); });
}

ModelSummary Model::summary() const {
    return impl_->read([&] {
        const store::ModelState& state = impl_->backend->state();
        return ModelSummary{impl_->backend->facts(), model::class_facts_of(state),
                            state.learner->model_size().bytes, state.learner->digest()};
    });
}

bool Model::free_pose() const {
    return facts().free_pose;
}

std::vector<LoggedEvent> Model::events() const {
    return impl_->read([&] { return impl_->backend->events(); });
}

std::uint64_t Model::digest() const {
    return impl_->read([&] { return impl_->learner().digest(); });
}

std::optional<std::string> Model::notice() const {
    return impl_->notice;
}

void Model::save(const std::filesystem::path& path) const {
    impl_->read([&] {
        store::create_file(path, impl_->backend->state());
        return 0;
    });
}

std::string Model::to_bytes() const {
    return impl_->read([&] { return store::to_bytes(impl_->backend->state()); });
}

void Model::close() {
    const std::unique_lock lock(impl_->mutex);
    if (!impl_->backend->has_file()) return;
    impl_->closed = true; // even if it fails: the state in memory may be ahead of the file
    ++impl_->version;
    impl_->backend = impl_->backend->close();
}

bool Model::has_file() const {
    return impl_->read([&] { return impl_->backend->has_file(); });
}

const Learner& Model::learner() const {
    return impl_->learner();
}

} // namespace sprig

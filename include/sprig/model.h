#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/assessment.h"
#include "sprig/data.h"
#include "sprig/explain.h"
#include "sprig/front_end.h"
#include "sprig/image.h"
#include "sprig/learner.h"
#include "sprig/learners.h"
#include "sprig/store.h"
#include "sprig/strokes.h"

namespace sprig {

/// How pen strokes are drawn for a model that normalises pictures like this: of the same size.
[[nodiscard]] StrokeParams strokes_for(const NormaliseParams& normalisation);

struct ModelOptions {
    // The learner of a new model. If the model file exists, it must match, or opening it fails.
    std::string learner = {}; ///< empty: constellation
    std::string preset = {};  ///< empty: the learner's default
    Settings settings = {};   ///< parameters that override the preset
    /// Whether shapes are recognised in any pose: turned, mirrored and upside down. If the model file exists,
    /// true must match; false accepts either.
    bool free_pose = false;
    std::optional<std::uint64_t> seed = {};

    // Storage
    bool durable = false;      ///< wait for the disk at every lesson, so that lessons survive a power failure
    std::size_t undo = 20;     ///< maximum number of lessons that can be undone; 0 stores no undo data
    std::size_t events = 2000; ///< maximum number of events in the log

    // Answers
    /// The number of units that an answer looks at, those that are most like the image; 0: all of them. An
    /// answer can then be another one, its ranking has only the classes of these units, and probabilities are
    /// relative to them. Makes models of thousands of classes faster; none of 512 units or fewer.
    std::size_t budget = 0;

    // Image preparation
    bool raw = false; ///< use grey levels as they are (255 is ink) instead of normalising
    NormaliseParams normalise = {};
};

/// A class with its probability and score.
struct RankedClass {
    std::string label;
    double probability = 0;
    double score = 0;
};

/// The prediction for an image.
struct Answer {
    std::string label; ///< empty if the model has no classes
    double probability = 0;
    /// How well the class fits the image: its score divided by the number of nodes. It is low for an image of
    /// an unknown class. Not set if the learner does not provide it.
    std::optional<double> fit = {};
    /// How likely it is that the image shows one of the classes at all, if it is as likely as not beforehand.
    /// Not set if the learner cannot say it.
    std::optional<double> known = {};
    double margin = 0; ///< the best score minus the second best; 0 if there are fewer than two classes
    /// All classes, or with a budget those that were looked at: most likely first, ties by label.
    std::vector<RankedClass> ranking = {};

    /// The `count` most likely classes, or all if there are fewer.
    [[nodiscard]] std::span<const RankedClass> top(std::size_t count) const;
};

struct ExplainOptions {
    /// The class to compare with; by default the second best.
    std::optional<std::string> versus = {};
    std::string name = {};  ///< of the image, for the drawing
    std::string label = {}; ///< the true class, if known, for the drawing
};

/// The explanation of a prediction for an image.
class ImageExplanation {
  public:
    ImageExplanation(LocalExplanation values, std::string name, std::string label)
        : values_(std::move(values)), name_(std::move(name)), label_(std::move(label)) {}

    [[nodiscard]] const LocalExplanation& values() const { return values_; }
    /// A few sentences, one per line: the answer, the reasons for it, and what would change it.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string json() const;
    /// One page: the deciding nodes marked on the image, the units where they matched, and the missing nodes.
    [[nodiscard]] std::string svg() const;
    void write_svg(const std::filesystem::path& path) const;

  private:
    LocalExplanation values_;
    std::string name_;
    std::string label_;
};

/// A class, in a summary of a model.
struct ClassFacts {
    std::string label;
    std::uint64_t samples = 0; ///< lessons
    std::size_t units = 0;
};

/// What a model contains between two lessons.
struct ModelSummary {
    ModelFacts facts;
    std::vector<ClassFacts> classes; ///< in order of arrival
    std::size_t bytes = 0;           ///< as `ModelSize::bytes`
    std::uint64_t digest = 0;        ///< as `Model::digest`
};

struct TestOptions {
    std::size_t threads = 1; ///< does not change the results
};

/// A shape classifier that learns one image at a time: a front end, a learner and, optionally, a file.
///
/// An image is a `Picture`, which is normalised first; `Strokes`, which are drawn with a pen (`render`); an
/// `ImageView` of grey levels (255 is ink), used as it is; or a `Network` made by the model's front end
/// (`extract`). Any other network is rejected with Error(bad_input).
///
/// Threads: one thread may change the model while others call its const functions. These wait for at most one
/// lesson, and each uses the state between two lessons. Two threads must not change the model at once.
class Model {
  public:
    /// A new model in memory. Throws Error(usage) if there is no such learner, preset or parameter, or the
    /// pose cannot be free.
    explicit Model(const ModelOptions& options = {});
    /// Opens a model file for learning; if it does not exist, the first lesson creates it. Every lesson is in
    /// the file when `learn` returns. Throws Error(usage) if the file does not match the options,
    /// Error(failed) if another program has it open for learning, Error(bad_input) if it is damaged.
    [[nodiscard]] static Model open(const std::filesystem::path& path, const ModelOptions& options = {});
    /// Reads a model file, or a file of `to_bytes`, into memory; changes are not written to the file. Throws
    /// Error(bad_input) if it is not a model or is damaged.
    [[nodiscard]] static Model load(const std::filesystem::path& path, const ModelOptions& options = {});
    /// Reads the output of `to_bytes`. Throws Error(bad_input) if it is not a model or is damaged.
    [[nodiscard]] static Model from_bytes(std::string_view bytes, const ModelOptions& options = {});
    ~Model();
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    // Learning
    /// Learns one image; an unknown label adds a class. Throws Error(bad_input) and changes nothing if the
    /// image cannot be used.
    LearnReport learn(const Picture& picture, std::string_view label);
    LearnReport learn(const Strokes& strokes, std::string_view label);
    LearnReport learn(ImageView image, std::string_view label);
    LearnReport learn(const Network& network, std::string_view label);
    /// Learns many networks, with the same result as `learn` for each, in order. If the classes of the
    /// learner are independent, they are distributed over `threads` threads. All are in the file when it
    /// returns: a program that is killed before may have saved none of them.
    void learn_all(std::span<const NetworkSample> samples, std::size_t threads);
    /// Adds a class before its first image.
    void add_class(std::string_view label);
    /// Undoes the last lesson. Throws Error(usage) if there is no lesson that can be undone.
    void undo();
    /// Lessons before one of these changes cannot be undone. Throw Error(usage) if there is no such class,
    /// the new label is taken, or an exact merge is not possible.
    void rename(std::string_view label, std::string_view new_label);
    void forget(std::string_view label);
    void merge(const Model& other);

    // Prediction
    [[nodiscard]] Answer predict(const Picture& picture) const;
    [[nodiscard]] Answer predict(const Strokes& strokes) const;
    [[nodiscard]] Answer predict(ImageView image) const;
    [[nodiscard]] Answer predict(const Network& network) const;
    /// The label alone, empty if the model has no classes. Cheaper than `predict`, with the same answer
    /// except for ties.
    [[nodiscard]] std::string decide(ImageView image) const;
    [[nodiscard]] std::string decide(const Network& network) const;
    /// Throws Error(usage) if the class in the options does not exist.
    [[nodiscard]] ImageExplanation explain(const Picture& picture, const ExplainOptions& options = {}) const;
    [[nodiscard]] ImageExplanation explain(const Strokes& strokes, const ExplainOptions& options = {}) const;
    [[nodiscard]] ImageExplanation explain(ImageView image, const ExplainOptions& options = {}) const;
    [[nodiscard]] ImageExplanation explain(const Network& network, const ExplainOptions& options = {}) const;
    /// Assesses the model on labelled images. Throws Error(usage) if an image has no label.
    [[nodiscard]] Assessment test(const Dataset& data, const TestOptions& options = {}) const;
    /// The network that the model's front end extracts from an image.
    [[nodiscard]] Network extract(const Picture& picture) const;
    [[nodiscard]] Network extract(const Strokes& strokes) const;
    [[nodiscard]] Network extract(ImageView image) const;
    /// The image that the model makes of a picture or of strokes, and reads.
    [[nodiscard]] Image prepare(const Picture& picture) const;
    [[nodiscard]] Image prepare(const Strokes& strokes) const;
    /// Where the points of the strokes are in that image.
    [[nodiscard]] StrokePlacement placement(const Strokes& strokes) const;

    // Inspection
    [[nodiscard]] std::vector<std::string> classes() const; ///< in order of arrival
    /// The number of lessons of each class, in the same order.
    [[nodiscard]] std::vector<std::uint64_t> samples() const;
    [[nodiscard]] std::vector<UnitView> units() const;
    [[nodiscard]] ModelSize model_size() const;
    [[nodiscard]] GlobalExplanation explain_global(const GlobalOptions& options = {}) const;
    /// A drawing of all units, as SVG text.
    [[nodiscard]] std::string draw() const;
    [[nodiscard]] ModelFacts facts() const;
    [[nodiscard]] ModelSummary summary() const;
    /// Whether shapes are recognised in any pose.
    [[nodiscard]] bool free_pose() const;
    /// The latest changes of structure, oldest first.
    [[nodiscard]] std::vector<LoggedEvent> events() const;
    /// A digest of the learned content: equal histories give equal digests.
    [[nodiscard]] std::uint64_t digest() const;
    /// A message if the file was written with an older version of the learner's method. It continues with the
    /// current version.
    [[nodiscard]] std::optional<std::string> notice() const;

    // Storage
    /// Writes a copy to a new file. Throws Error(usage) if the file exists.
    void save(const std::filesystem::path& path) const;
    /// The labels and the learned content in a canonical form, without undo data and event log. Equal content
    /// gives equal bytes on every machine.
    [[nodiscard]] std::string to_bytes() const;
    /// Closes the file. The model can still be read, from memory, but not changed. Throws Error(failed) if
    /// that fails; no lesson is lost. Does nothing if there is no file.
    void close();
    /// Whether lessons are written to a file.
    [[nodiscard]] bool has_file() const;

    /// The learner itself, for research. Do not use it while another thread changes the model.
    [[nodiscard]] const Learner& learner() const;

  private:
    struct Impl;
    explicit Model(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace sprig

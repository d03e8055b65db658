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

namespace sprig {

struct ModelOptions {
    // What a new model is. Of a file that is there already it is what the file is expected to be: another one
    // is refused.
    std::string learner = {}; ///< empty: constellation
    std::string preset = {};  ///< empty: the learner's own default
    Settings settings = {};   ///< parameters beyond the preset
    std::optional<std::uint64_t> seed = {};

    // How a file is kept
    bool durable = false;      ///< wait for the disk at every lesson: not even a power cut takes one back
    std::size_t undo = 20;     ///< how many lessons can be undone; 0 stores nothing for it
    std::size_t events = 2000; ///< how many events the log keeps

    // How pictures are taken in
    bool raw = false; ///< grey levels as they are, 255 is ink, instead of normalising
    NormaliseParams normalise = {};
};

/// A class with what a model says for it.
struct RankedClass {
    std::string label;
    double probability = 0;
    double score = 0;
};

/// What a model takes an image for.
struct Answer {
    std::string label; ///< empty if the model knows no class
    double probability = 0;
    /// How well the class fits what is seen: its score for each node. What is like nothing known has little.
    /// None if the learner does not say.
    std::optional<double> fit = {};
    double margin = 0; ///< between its score and the next one's; 0 with fewer than two classes
    std::vector<RankedClass> ranking = {}; ///< all classes, the most likely first; equal ones by label

    /// The `count` most likely classes, or all if there are fewer.
    [[nodiscard]] std::span<const RankedClass> top(std::size_t count) const;
};

struct ExplainOptions {
    /// The class to compare with: the next best one if not given.
    std::optional<std::string> versus = {};
    std::string name = {};  ///< of what is explained, for the drawing
    std::string label = {}; ///< what it is, if that is known, for the drawing
};

/// Why an image was taken for what it was.
class ImageExplanation {
  public:
    ImageExplanation(LocalExplanation values, std::string name, std::string label)
        : values_(std::move(values)), name_(std::move(name)), label_(std::move(label)) {}

    [[nodiscard]] const LocalExplanation& values() const { return values_; }
    /// A few sentences, one on each line: the answer, what decides, what would have changed it.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string json() const;
    /// One page: what decides, marked on the shape; the units where they were found; what is missing.
    [[nodiscard]] std::string svg() const;
    void write_svg(const std::filesystem::path& path) const;

  private:
    LocalExplanation values_;
    std::string name_;
    std::string label_;
};

/// A recogniser of shapes that learns one image at a time: a front end, a learner and, if wanted, a file.
/// Images go in, labels come out.
///
/// An image is a `Picture` as a person's file holds it, which is normalised first; an `ImageView` of grey
/// levels, 255 is ink, taken as it is; or a `Network` made by the model's own front end (`see`). A network
/// that was made otherwise is refused with Error(bad_input).
///
/// Threads: one may change the model while any number of others ask it. Questions are the const functions;
/// they wait for at most one lesson, and each is about the model as it is between two lessons. Two threads
/// must not change it at once.
class Model {
  public:
    /// A new model in memory. Throws Error(usage) if there is no such learner, preset or parameter.
    explicit Model(const ModelOptions& options = {});
    /// Opens a model file for learning, or makes one with the first lesson if there is none. Every lesson is
    /// in the file when `learn` returns. Throws Error(usage) if the file is another model than the options
    /// say, Error(failed) if another program is learning into it, Error(bad_input) if it is damaged.
    [[nodiscard]] static Model open(const std::filesystem::path& path, const ModelOptions& options = {});
    /// Reads a model file, or a file of `to_bytes`, into memory; changes do not reach the file. Throws
    /// Error(bad_input) if it is not one or damaged.
    [[nodiscard]] static Model load(const std::filesystem::path& path, const ModelOptions& options = {});
    /// The model that `to_bytes` wrote. Throws Error(bad_input) if the bytes are damaged or no model.
    [[nodiscard]] static Model from_bytes(std::string_view bytes, const ModelOptions& options = {});
    ~Model();
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    // Learning
    /// Learns one image of one class; a label that was never named before is a new class. Throws
    /// Error(bad_input), with nothing changed, if the image cannot be used.
    LearnReport learn(const Picture& picture, std::string_view label);
    LearnReport learn(ImageView image, std::string_view label);
    LearnReport learn(const Network& network, std::string_view label);
    /// Names a class before its first image.
    void add_class(std::string_view label);
    /// Takes back the last lesson. Throws Error(usage) if there is none that can be.
    void undo();
    /// These end the possibility to undo what was before. Throw Error(usage) if there is no such class, the
    /// new label is taken, or models cannot be merged exactly.
    void rename(std::string_view label, std::string_view new_label);
    void forget(std::string_view label);
    void merge(const Model& other);

    // Asking
    [[nodiscard]] Answer predict(const Picture& picture) const;
    [[nodiscard]] Answer predict(ImageView image) const;
    [[nodiscard]] Answer predict(const Network& network) const;
    /// The label alone, or nothing if the model knows no class: cheaper than a prediction, and the same
    /// answer but where two classes score alike.
    [[nodiscard]] std::string decide(ImageView image) const;
    [[nodiscard]] std::string decide(const Network& network) const;
    /// Throws Error(usage) if there is no such class as the options name.
    [[nodiscard]] ImageExplanation explain(const Picture& picture, const ExplainOptions& options = {}) const;
    [[nodiscard]] ImageExplanation explain(ImageView image, const ExplainOptions& options = {}) const;
    [[nodiscard]] ImageExplanation explain(const Network& network, const ExplainOptions& options = {}) const;
    /// How far the model can be relied on, by labelled images. Throws Error(usage) if one has no label.
    [[nodiscard]] Assessed test(const Dataset& data) const;
    /// The network of an image, as the model sees it.
    [[nodiscard]] Network see(const Picture& picture) const;
    [[nodiscard]] Network see(ImageView image) const;

    // Looking inside
    [[nodiscard]] std::vector<std::string> classes() const; ///< in the order in which they came
    /// How many lessons of each class there were, in the same order.
    [[nodiscard]] std::vector<std::uint64_t> samples() const;
    [[nodiscard]] std::vector<UnitView> units() const;
    [[nodiscard]] Census census() const;
    [[nodiscard]] GlobalExplanation explain_all(const GlobalOptions& options = {}) const;
    /// What was learned, as an SVG text.
    [[nodiscard]] std::string draw() const;
    [[nodiscard]] ModelFacts facts() const;
    /// The latest changes of structure, oldest first.
    [[nodiscard]] std::vector<LoggedEvent> events() const;
    /// A sum over all that was learned: equal histories give equal digests.
    [[nodiscard]] std::uint64_t digest() const;
    /// One sentence if the file was learned by an older method of its learner: it learns on by the present
    /// one.
    [[nodiscard]] std::optional<std::string> notice() const;

    // Keeping
    /// Writes a copy to a new file. Throws Error(usage) if there is one of that name already.
    void save(const std::filesystem::path& path) const;
    /// What was learned and the labels in one canonical form, without undo, log and history: equal content
    /// gives equal bytes on every machine.
    [[nodiscard]] std::string to_bytes() const;
    /// Leaves one file, complete; the model can still be asked, from memory, but not changed. Throws
    /// Error(failed) if that cannot be done; nothing that was learned is lost then. Without a file nothing
    /// happens.
    void close();
    /// Whether there is a file that lessons go into.
    [[nodiscard]] bool has_file() const;

    /// The learner itself, for research. It must not be looked at while another thread changes the model.
    [[nodiscard]] const Learner& learner() const;

  private:
    struct Impl;
    explicit Model(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace sprig

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

class ModelFile;
namespace store {
struct Kept;
const Kept& kept_of(const ModelFile& file);
Kept release(ModelFile& file);
} // namespace store

/// What a model file says of itself.
struct ModelFacts {
    std::string learner; ///< its name, as `Learner::name`
    std::string preset;  ///< what it was made as; may be empty
    std::string parameters;
    std::string front_end; ///< both as JSON
    std::string written_by;
    std::uint64_t method = 1;
    std::uint64_t seed = 0;
    std::uint64_t lessons = 0; ///< learned into this file, and not undone
    std::uint64_t undoable = 0;
    std::uint64_t bytes = 0; ///< of the file
    std::map<std::string, std::uint64_t> event_totals;
};

/// One change of structure, and the lesson it belongs to.
struct LoggedEvent {
    std::uint64_t lesson = 0;
    UnitEvent event;
};

/// A model that was read from a file. It is in memory: learning does not change the file.
struct StoredModel {
    std::unique_ptr<Learner> learner;
    ModelFacts facts;
    std::vector<LoggedEvent> events; ///< the latest, oldest first
    /// How many lessons of each class there were, in the order of the learner's classes.
    std::vector<std::uint64_t> samples;
};

/// Writes a model to a file that must not be there yet. Throws Error(usage) if it is, Error(failed) if it
/// cannot be written; then nothing is there.
void save_model(const Learner& learner, const std::filesystem::path& path, std::string_view preset = {});

/// Reads a model file or a file of `Model::to_bytes`, also while another program is learning into it: the state
/// after a finished lesson. Throws Error(bad_input) with a reason if it is not one, is damaged, or is of a
/// newer version.
[[nodiscard]] StoredModel load_model(const std::filesystem::path& path);

/// Checks all that `load_model` does, and the file's inner order too.
void verify_model(const std::filesystem::path& path);

/// A model that has all classes of both, in a new file. Only of Constellation, whose classes know nothing of
/// each other: the result is what learning both streams would have given. Throws Error(usage) if that
/// cannot be: other learners, other parameters, or one class in both.
void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result);

/// How the word for an event reads, as in `ModelFacts::event_totals`.
[[nodiscard]] std::string_view event_name(UnitEvent::Kind kind);

/// A model file open for learning. Every lesson is in the file when `learn` returns: who is killed loses
/// nothing that was finished. There is one such program at a time; readers do not disturb it.
class ModelFile {
  public:
    enum class Durability : std::uint8_t {
        process, ///< what is learned survives the end of the program, however it ends
        power,   ///< ... and the end of the power, at the price of waiting for the disk at every lesson
    };
    struct Options {
        Durability durability = Durability::process;
        std::size_t undo = 20;     ///< how many lessons can be undone; 0 stores nothing for it
        std::size_t events = 2000; ///< how many events the log keeps
    };

    /// Throws Error(failed) at once if another program is learning into the file, Error(bad_input) as
    /// `load_model` does.
    explicit ModelFile(const std::filesystem::path& path);
    ModelFile(const std::filesystem::path& path, const Options& options);
    /// Closes; what goes wrong then is not told.
    ~ModelFile();
    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;
    ModelFile(ModelFile&&) = delete;
    ModelFile& operator=(ModelFile&&) = delete;

    [[nodiscard]] const Learner& learner() const;
    [[nodiscard]] std::uint64_t lessons() const;
    /// One sentence if the file was learned by an older method of its learner: it learns on by the present
    /// one.
    [[nodiscard]] const std::optional<std::string>& notice() const;

    /// One lesson. Throws as `Learner::learn` does, with nothing changed. If the file cannot be written,
    /// Error(failed): the file holds the state before, and has to be opened again.
    LearnReport learn(const Network& network, std::string_view label);
    /// Names a class before its first lesson.
    void add_class(std::string_view label);

    /// Takes back the last lesson: the model is what it was before. Throws Error(usage) if the file holds
    /// none that could be.
    void undo();
    /// Both end the possibility to undo what was before. Throw Error(usage) if there is no such class, or the
    /// new label is taken.
    void rename_class(std::string_view label, std::string_view new_label);
    void forget_class(std::string_view label);

    /// Takes in all classes of another model of the same learner and parameters. Throws Error(usage) if that
    /// cannot be exact, as `merge_models` does.
    void merge(const Learner& other);

    /// What the file says of itself, and the latest events, those of lessons that are not in the tables yet
    /// among them.
    [[nodiscard]] ModelFacts facts() const;
    [[nodiscard]] std::vector<LoggedEvent> events() const;

    /// Puts everything in its place and leaves one file. Throws Error(failed) if that cannot be done; nothing
    /// that was learned is lost then.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    friend const store::Kept& store::kept_of(const ModelFile& file);
    friend store::Kept store::release(ModelFile& file);
};

} // namespace sprig

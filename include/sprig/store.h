#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

class ModelFile;
namespace store {
struct ModelState;
const ModelState& state_of(const ModelFile& file);
ModelState take_state(ModelFile& file);
} // namespace store

/// The metadata of a model file.
struct ModelFacts {
    std::string learner;      ///< its name, as `Learner::name`
    std::string preset;       ///< the preset that it was made with; may be empty
    std::string parameters;   ///< of the learner, as JSON
    std::string front_end;    ///< parameters of the front end, as JSON
    bool free_pose = false;   ///< whether it recognises shapes in any pose
    std::string written_by;   ///< the program that wrote it last
    std::uint64_t method = 1; ///< as `Learner::version`
    std::uint64_t seed = 0;
    std::uint64_t lessons = 0;  ///< learned into this file and not undone
    std::uint64_t undoable = 0; ///< number of lessons that can be undone
    std::uint64_t bytes = 0;    ///< of the file
    std::map<std::string, std::uint64_t> event_totals;
};

/// A change of structure and its lesson.
struct LoggedEvent {
    std::uint64_t lesson = 0;
    UnitEvent event;
};

/// A model read from a file into memory: learning does not change the file.
struct StoredModel {
    std::unique_ptr<Learner> learner;
    ModelFacts facts;
    std::vector<LoggedEvent> events; ///< the latest, oldest first
    /// The number of lessons of each class, in the order of the learner's classes.
    std::vector<std::uint64_t> samples;
};

/// A network and its label, to be learned.
struct NetworkSample {
    const Network* network = nullptr;
    std::string_view label;
};

/// Writes a model to a new file. Throws Error(usage) if the file exists, Error(failed) if it cannot be
/// written; it leaves no partial file.
void save_model(const Learner& learner, const std::filesystem::path& path, std::string_view preset = {});

/// Reads a model file, or a file of `Model::to_bytes`. Another program may be learning into it: the result is
/// the state after a complete lesson. Throws Error(bad_input) with the reason if the file is not a model, is
/// damaged, or has a newer format.
[[nodiscard]] StoredModel load_model(const std::filesystem::path& path);

/// Loads the model and also runs SQLite's integrity check. Throws as `load_model` does.
void verify_model(const std::filesystem::path& path);

/// Writes a model with the classes of all these models, at least one, to a new file. Only for learners with
/// independent classes, such as Constellation: the result equals learning all their streams. Throws
/// Error(usage) if the learners or parameters differ, or if two models have a class of the same label.
void merge_models(std::span<const std::filesystem::path> models, const std::filesystem::path& result);
/// The same for two models.
void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result);

/// The shard, from 0 to `shards` - 1, that learns a class if a stream is divided by class over several
/// learners: a hash of the label, the same on every machine and in every version. The merged models of all
/// shards equal the model of the whole stream.
[[nodiscard]] std::size_t shard_of(std::string_view label, std::size_t shards);

/// The name of an event kind, as in `ModelFacts::event_totals`.
[[nodiscard]] std::string_view event_name(UnitEvent::Kind kind);

/// A model file open for learning. Every lesson is in the file when `learn` returns, so a killed program
/// loses no complete lesson. Only one program can have a file open for learning; readers do not block it.
class ModelFile {
  public:
    enum class Durability : std::uint8_t {
        process, ///< lessons survive a crash of the program
        power,   ///< lessons survive a power failure; every lesson waits for the disk
    };
    struct Options {
        Durability durability = Durability::process;
        std::size_t undo = 20;     ///< maximum number of lessons that can be undone; 0 stores no undo data
        std::size_t events = 2000; ///< maximum number of events in the log
    };

    /// Throws Error(failed) at once if another program is learning into the file, Error(bad_input) as
    /// `load_model` does.
    explicit ModelFile(const std::filesystem::path& path);
    ModelFile(const std::filesystem::path& path, const Options& options);
    /// Closes the file and ignores errors; call `close` to see them.
    ~ModelFile();
    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;
    ModelFile(ModelFile&&) = delete;
    ModelFile& operator=(ModelFile&&) = delete;

    [[nodiscard]] const Learner& learner() const;
    [[nodiscard]] std::uint64_t lessons() const;
    /// A message if the file was written with an older version of the learner's method. It continues with the
    /// current version.
    [[nodiscard]] const std::optional<std::string>& notice() const;

    /// Learns one lesson. Throws as `Learner::learn` does, with nothing changed. Throws Error(failed) if the
    /// file cannot be written: the file then holds the previous state and must be opened again.
    LearnReport learn(const Network& network, std::string_view label);
    /// Learns many samples, with the same result as `learn` for each, in order. If the classes of the learner
    /// are independent, they are distributed over `threads` threads. All of these lessons are in the file
    /// when it returns.
    void learn_all(std::span<const NetworkSample> samples, std::size_t threads);
    /// Adds a class before its first lesson.
    void add_class(std::string_view label);

    /// Undoes the last lesson. Throws Error(usage) if there is no lesson that can be undone.
    void undo();
    /// Lessons before a rename or a removal cannot be undone. Throw Error(usage) if there is no such class,
    /// or the new label is taken.
    void rename_class(std::string_view label, std::string_view new_label);
    void forget_class(std::string_view label);

    /// Adds all classes of another model. Throws Error(usage) if an exact merge is not possible, as
    /// `merge_models` does.
    void merge(const Learner& other);

    /// The metadata and the latest events, including lessons that are not in the tables yet.
    [[nodiscard]] ModelFacts facts() const;
    [[nodiscard]] std::vector<LoggedEvent> events() const;

    /// Writes all changes to the tables and removes the files beside the model file. Throws Error(failed) if
    /// that fails; no lesson is lost.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    friend const store::ModelState& store::state_of(const ModelFile& file);
    friend store::ModelState store::take_state(ModelFile& file);
};

} // namespace sprig

#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/model.h"
#include "sprig/store.h"
#include "store/model_state.h"

namespace sprig::model {

/// The state of a model, in memory only or also in a file.
class Backend {
  public:
    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    Backend(Backend&&) = delete;
    Backend& operator=(Backend&&) = delete;

    [[nodiscard]] virtual const store::ModelState& state() const = 0;
    [[nodiscard]] virtual bool has_file() const = 0;
    [[nodiscard]] virtual ModelFacts facts() const = 0;
    [[nodiscard]] virtual std::vector<LoggedEvent> events() const = 0;
    virtual LearnReport learn(const Network& network, std::string_view label) = 0;
    virtual void learn_all(std::span<const NetworkSample> samples, std::size_t threads) = 0;
    virtual void add_class(std::string_view label) = 0;
    virtual void undo() = 0;
    virtual void rename(std::string_view label, std::string_view new_label) = 0;
    virtual void forget(std::string_view label) = 0;
    virtual void merge(const Learner& other) = 0;
    /// Closes the file and returns a backend with its state in memory. Does nothing and returns null if there
    /// is no file.
    [[nodiscard]] virtual std::unique_ptr<Backend> close() = 0;
};

class MemoryBackend final : public Backend {
  public:
    /// `undo`, `max_events`: maximum number of lessons that can be undone and of logged events. `facts`,
    /// `events`: of the file that the model was read from.
    MemoryBackend(store::ModelState state, std::size_t undo, std::size_t max_events, ModelFacts facts = {},
                  std::vector<LoggedEvent> events = {});

    [[nodiscard]] const store::ModelState& state() const override { return state_; }
    [[nodiscard]] bool has_file() const override { return false; }
    [[nodiscard]] ModelFacts facts() const override;
    [[nodiscard]] std::vector<LoggedEvent> events() const override {
        return {events_.begin(), events_.end()};
    }
    LearnReport learn(const Network& network, std::string_view label) override;
    void learn_all(std::span<const NetworkSample> samples, std::size_t threads) override;
    void add_class(std::string_view label) override;
    void undo() override;
    void rename(std::string_view label, std::string_view new_label) override;
    void forget(std::string_view label) override;
    void merge(const Learner& other) override;
    [[nodiscard]] std::unique_ptr<Backend> close() override { return nullptr; }

  private:
    void edit(store::Delta delta);
    LearnReport record(store::Lesson lesson);

    store::ModelState state_;
    std::size_t undo_;
    std::size_t max_events_;
    /// Of the model, and of the file that it was read from. Except `lessons`, which the state has, and
    /// `undoable`, which is of the file.
    ModelFacts facts_;
    std::deque<learner::Inverse> inverses_;
    std::deque<LoggedEvent> events_;
};

class FileBackend final : public Backend {
  public:
    FileBackend(const std::filesystem::path& path, const ModelFile::Options& options)
        : path_(path), file_(path, options) {}

    [[nodiscard]] const store::ModelState& state() const override { return store::state_of(file_); }
    [[nodiscard]] bool has_file() const override { return true; }
    [[nodiscard]] ModelFacts facts() const override { return file_.facts(); }
    [[nodiscard]] std::vector<LoggedEvent> events() const override { return file_.events(); }
    LearnReport learn(const Network& network, std::string_view label) override {
        return file_.learn(network, label);
    }
    void learn_all(std::span<const NetworkSample> samples, std::size_t threads) override {
        file_.learn_all(samples, threads);
    }
    void add_class(std::string_view label) override { file_.add_class(label); }
    void undo() override { file_.undo(); }
    void rename(std::string_view label, std::string_view new_label) override {
        file_.rename_class(label, new_label);
    }
    void forget(std::string_view label) override { file_.forget_class(label); }
    void merge(const Learner& other) override { file_.merge(other); }

    [[nodiscard]] ModelFile& file() { return file_; }
    [[nodiscard]] std::unique_ptr<Backend> close() override;

  private:
    std::filesystem::path path_;
    ModelFile file_;
};

[[nodiscard]] std::vector<ClassFacts> class_facts_of(const store::ModelState& state);

} // namespace sprig::model

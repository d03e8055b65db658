#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "sprig/error.h"
#include "sprig/model.h"

namespace sprig::serve {

/// The model that is served. Any thread may use it: changes are made one after the other, and predictions run
/// beside them.
class ServedModel {
  public:
    /// Opens a model file, or creates it. Throws as `Model::open` and `Model::save`.
    ServedModel(std::filesystem::path path, ModelOptions options);
    /// A model without a file.
    explicit ServedModel(Model model);

    /// For predictions, which do not hold up lessons.
    [[nodiscard]] std::shared_ptr<const Model> get() const;
    /// For longer work, for which the next lesson waits: it begins after the lessons that are waiting, so
    /// that many such requests cannot hold up a lesson forever.
    [[nodiscard]] std::shared_ptr<const Model> get_after_waiting_lessons() const;
    /// Calls `read` with the model between two lessons: for several questions about the same state.
    template <typename Read>
    auto read(const Read& read) const {
        const std::lock_guard no_changes(writing_);
        return read(std::as_const(*writable()));
    }

    /// Calls `change` with the model. If the file cannot be written, the model is opened again, because the
    /// state in memory may be ahead of the file; the error is thrown on.
    template <typename Change>
    auto change(const Change& change) {
        const std::lock_guard one_at_a_time(writing_);
        reopen_if_necessary();
        try {
            return change(*writable());
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::failed) give_up_file();
            throw;
        }
    }

    /// Closes the file. Throws Error(failed) if that fails; no lesson is lost.
    void close();

  private:
    [[nodiscard]] std::shared_ptr<Model> writable() const;
    void give_up_file();
    void reopen_if_necessary();
    void replace(Model model);

    std::filesystem::path path_; ///< empty: no file
    ModelOptions options_;
    mutable std::mutex writing_; ///< held by a change, and by what no change may interrupt
    mutable std::mutex pointer_; ///< guards `model_`
    std::shared_ptr<Model> model_;
    bool must_reopen_ = false;
};

} // namespace sprig::serve

#include "serve/served_model.h"

#include <utility>

#include "sprig/error.h"

namespace sprig::serve {

namespace {

/// A file that exists from the start has every change, also a class without lessons.
Model open_or_create(const std::filesystem::path& path, const ModelOptions& options) {
    std::error_code unknown; // opening the file reports errors
    if (!std::filesystem::exists(path, unknown)) Model(options).save(path);
    return Model::open(path, options);
}

} // namespace

ServedModel::ServedModel(std::filesystem::path path, const ModelOptions& options)
    : path_(std::move(path)), options_(options),
      model_(std::make_shared<Model>(open_or_create(path_, options_))) {}

ServedModel::ServedModel(Model model) : model_(std::make_shared<Model>(std::move(model))) {}

std::shared_ptr<Model> ServedModel::writable() const {
    const std::lock_guard lock(pointer_);
    return model_;
}

std::shared_ptr<const Model> ServedModel::get() const {
    return writable();
}

std::shared_ptr<const Model> ServedModel::get_after_waiting_lessons() const {
    { const std::lock_guard waiting_lessons_first(writing_); }
    return writable();
}

void ServedModel::give_up_file() {
    if (path_.empty()) return;
    try {
        writable()->close(); // releases the file, so that it can be opened again
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): the first error is the one to report
    }
    must_reopen_ = true;
    try {
        reopen_if_necessary();
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): the next change tries again, and reports it
    }
}

void ServedModel::reopen_if_necessary() {
    if (!must_reopen_) return;
    auto reopened = std::make_shared<Model>(Model::open(path_, options_));
    const std::lock_guard lock(pointer_);
    model_ = std::move(reopened);
    must_reopen_ = false;
}

void ServedModel::close() {
    const std::lock_guard one_at_a_time(writing_);
    writable()->close();
}

} // namespace sprig::serve

#include "serve/served_model.h"

#include <functional>
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

/// After an error that is reported: another one would not say more.
void ignore_errors(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error&) { // NOLINT(bugprone-empty-catch)
    }
}

} // namespace

ServedModel::ServedModel(std::filesystem::path path, ModelOptions options)
    : path_(std::move(path)), options_(std::move(options)),
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
    must_reopen_ = true;
    ignore_errors([&] { writable()->close(); }); // so that the file can be opened again
    ignore_errors([&] { reopen_if_necessary(); });
    // If there is still no room to open it for learning, it can be read. The next change tries again.
    if (must_reopen_) ignore_errors([&] { replace(Model::load(path_, options_)); });
}

void ServedModel::reopen_if_necessary() {
    if (!must_reopen_) return;
    replace(Model::open(path_, options_));
    must_reopen_ = false;
}

void ServedModel::replace(Model model) {
    auto replacement = std::make_shared<Model>(std::move(model));
    const std::lock_guard lock(pointer_);
    model_ = std::move(replacement);
}

void ServedModel::close() {
    const std::lock_guard one_at_a_time(writing_);
    writable()->close();
}

} // namespace sprig::serve

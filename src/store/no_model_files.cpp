// Compiled instead of the component for model files if that is left out.

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/store.h"
#include "store/model_files.h"

namespace sprig {

namespace {

[[noreturn]] void unavailable(const std::filesystem::path& path) {
    throw failed(
        fmt::format("the model file '{}' cannot be used: this library was built without model files; "
                    "build it with SPRIG_WITH_MODEL_FILES=ON, or use to_bytes and from_bytes",
                    path.string()));
}

/// No `ModelFile` can be made, so its functions are never called.
[[noreturn]] void unavailable() {
    unavailable("");
}

} // namespace

namespace store {

void require_model_files(const std::filesystem::path& path) {
    unavailable(path);
}
void check_new_file(const std::filesystem::path& path) {
    unavailable(path);
}
void create_file(const std::filesystem::path& path, const ModelState& /*state*/) {
    unavailable(path);
}
ModelState read_file_state(const std::filesystem::path& path) {
    unavailable(path);
}
StoredModel load_file(const std::filesystem::path& path) {
    unavailable(path);
}
void verify_file(const std::filesystem::path& path) {
    unavailable(path);
}
const ModelState& state_of(const ModelFile& /*file*/) {
    unavailable();
}
ModelState take_state(ModelFile& /*file*/) {
    unavailable();
}

} // namespace store

struct ModelFile::Impl {};

ModelFile::ModelFile(const std::filesystem::path& path) {
    unavailable(path);
}
ModelFile::ModelFile(const std::filesystem::path& path, const Options& /*options*/) {
    unavailable(path);
}
ModelFile::~ModelFile() = default;

const Learner& ModelFile::learner() const {
    unavailable();
}
std::uint64_t ModelFile::lessons() const {
    unavailable();
}
const std::optional<std::string>& ModelFile::notice() const {
    unavailable();
}
LearnReport ModelFile::learn(const Network& /*network*/, std::string_view /*label*/) {
    unavailable();
}
void ModelFile::learn_all(std::span<const NetworkSample> /*samples*/, std::size_t /*threads*/) {
    unavailable();
}
void ModelFile::add_class(std::string_view /*label*/) {
    unavailable();
}
void ModelFile::undo() {
    unavailable();
}
void ModelFile::rename_class(std::string_view /*label*/, std::string_view /*new_label*/) {
    unavailable();
}
void ModelFile::forget_class(std::string_view /*label*/) {
    unavailable();
}
void ModelFile::merge(const Learner& /*other*/) {
    unavailable();
}
ModelFacts ModelFile::facts() const {
    unavailable();
}
std::vector<LoggedEvent> ModelFile::events() const {
    unavailable();
}
void ModelFile::close() {}

} // namespace sprig

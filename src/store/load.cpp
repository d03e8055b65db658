#include <utility>

#include "sprig/store.h"
#include "store/bytes_form.h"
#include "store/model_files.h"

namespace sprig {

using namespace store;

namespace {

std::string quoted(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

/// Reads a file of the bytes form, which has no log.
StoredModel read_bytes(const std::filesystem::path& path) {
    const std::string bytes = read_bytes_file(path);
    StoredModel model;
    ModelState state = from_bytes(bytes, quoted(path));
    model.facts = facts_of(state.header);
    model.facts.bytes = bytes.size();
    model.samples = samples_of(state);
    model.learner = std::move(state.learner);
    return model;
}

/// Reads a model file, including its journal, or a file of the bytes form.
ModelState read_state(const std::filesystem::path& path) {
    if (is_bytes_file(path)) return from_bytes(read_bytes_file(path), quoted(path));
    return read_file_state(path);
}

} // namespace

StoredModel load_model(const std::filesystem::path& path) {
    return is_bytes_file(path) ? read_bytes(path) : load_file(path);
}

void verify_model(const std::filesystem::path& path) {
    if (is_bytes_file(path)) {
        (void)read_bytes(path);
    } else {
        verify_file(path);
    }
}

void save_model(const Learner& learner, const std::filesystem::path& path, std::string_view preset) {
    create_file(path, ModelState(learner, std::string(preset)));
}

void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result) {
    ModelState all = read_state(first);
    (void)all.change(all.merge_delta(read_state(second)));
    create_file(result, all);
}

} // namespace sprig

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/error.h"
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

void store::save_shard(const Learner& learner, const std::filesystem::path& path, std::string_view preset,
                       std::size_t shard, std::size_t shards) {
    const ModelState whole(learner, std::string(preset));
    std::vector<ClassId> own;
    for (const ClassId id : whole.entries->classes()) {
        if (shard_of(whole.class_entry(id).value().label, shards) == shard) own.push_back(id);
    }
    ModelState part(storage_for(whole.header), whole.content_of(own));
    part.header.steps = part.learner->steps();
    part.header.lessons = part.header.steps;
    create_file(path, part);
}

void merge_models(std::span<const std::filesystem::path> models, const std::filesystem::path& result) {
    if (models.empty()) throw usage_error("there are no models to merge; name at least one");
    check_new_file(result); // now, not after the work
    ModelState all = read_state(models.front());
    std::vector<std::size_t> first_classes = {0}; // of each model: the number of classes before it
    for (const std::filesystem::path& path : models.subspan(1)) {
        const ModelState next = read_state(path);
        const auto owner = [&](ClassId id) {
            const std::vector<ClassId> ids = all.entries->classes();
            const auto place =
                static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
            const auto after = std::upper_bound(first_classes.begin(), first_classes.end(), place);
            return models[static_cast<std::size_t>(after - first_classes.begin()) - 1];
        };
        first_classes.push_back(all.entries->classes().size());
        (void)all.change(all.merge_delta(
            next,
            {.pair = fmt::format("{} and {}", quoted(models.front()), quoted(path)),
             .both =
                 [&](ClassId id) { return fmt::format("{} and {} both", quoted(owner(id)), quoted(path)); },
             .model = path.string()}));
    }
    create_file(result, all);
}

void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result) {
    const std::array models = {first, second};
    merge_models(models, result);
}

std::size_t shard_of(std::string_view label, std::size_t shards) {
    if (shards == 0) throw usage_error("a stream cannot be divided into 0 shards; use at least 1");
    return static_cast<std::size_t>(random::mix(label) % shards);
}

} // namespace sprig

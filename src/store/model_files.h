#pragma once

#include <filesystem>

#include "sprig/store.h"
#include "store/model_state.h"

/// Model files are a component of the library, which can be left out (SPRIG_WITH_MODEL_FILES). These
/// functions and `ModelFile` are what the rest of the library uses of it. Without the component they throw
/// Error(failed).
namespace sprig::store {

/// Throws if the component was left out; `path` is the file that it is needed for.
void require_model_files(const std::filesystem::path& path);

/// Throws Error(usage) if a new file cannot have this path.
void check_new_file(const std::filesystem::path& path);
/// Writes a model to a new file atomically.
void create_file(const std::filesystem::path& path, const ModelState& state);

/// Writes the classes of a shard, by `shard_of`, to a new file.
void save_shard(const Learner& learner, const std::filesystem::path& path, std::string_view preset,
                std::size_t shard, std::size_t shards);

// `read_state`, `load_model` and `verify_model` for a file that is not in the bytes form.
[[nodiscard]] ModelState read_file_state(const std::filesystem::path& path);
[[nodiscard]] StoredModel load_file(const std::filesystem::path& path);
void verify_file(const std::filesystem::path& path);

} // namespace sprig::store

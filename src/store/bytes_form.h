#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "store/model_state.h"

namespace sprig::store {

// The bytes form: the labels and the learned content of a model in a canonical form, without undo data and
// event log. Equal content gives equal bytes on every machine. docs/file-format.md has the layout.

[[nodiscard]] std::string to_bytes(const ModelState& state);
/// Throws Error(bad_input) if the bytes are not a model, are damaged, or have a newer format. Uses at most a
/// small multiple of their size in memory. Error messages call them `name`.
[[nodiscard]] ModelState from_bytes(std::string_view bytes, const std::string& name = "the bytes");

/// Whether a file starts with the magic bytes; false if there is no such file.
[[nodiscard]] bool is_bytes_file(const std::filesystem::path& path);
[[nodiscard]] std::string read_bytes_file(const std::filesystem::path& path);

} // namespace sprig::store

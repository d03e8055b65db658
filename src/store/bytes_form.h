#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "store/kept.h"

namespace sprig::store {

// A model as bytes: what it learned and its labels, in one canonical form. Equal content gives equal bytes on
// every machine. There is no undo, no log and no history in them. docs/file-format.md has the layout.

[[nodiscard]] std::string to_bytes(const Kept& kept);
/// Throws Error(bad_input) if the bytes are damaged, are no model, or are of a newer version. Takes no more
/// memory than a small multiple of their size. Errors call them `name`.
[[nodiscard]] Kept from_bytes(std::string_view bytes, const std::string& name = "the bytes");

/// Whether a file begins as such bytes do; false if there is none.
[[nodiscard]] bool is_bytes_file(const std::filesystem::path& path);
[[nodiscard]] std::string read_bytes_file(const std::filesystem::path& path);

} // namespace sprig::store

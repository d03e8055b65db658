#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace sprig::cli {

/// Parses KEY=VALUE texts. Throws Error(usage) for another format or a duplicate key.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
parse_settings(const std::vector<std::string>& texts);

/// Adds the option --set.
void add_set_option(CLI::App& verb, std::vector<std::string>& settings);

/// Creates a folder for results; does nothing for an empty path. Throws Error(failed) if it cannot be
/// created.
void make_folder(const std::filesystem::path& folder);

/// Beginnings of addresses, for shell completion.
[[nodiscard]] std::vector<std::string> address_completions();

} // namespace sprig::cli

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace sprig::cli {

/// The words of --set, KEY=VALUE each, as pairs. Throws Error(usage) if one is not that, or a key is there
/// twice.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
parse_settings(const std::vector<std::string>& texts);

/// The option --set, which several verbs have.
void add_set_option(CLI::App& verb, std::vector<std::string>& settings);

/// Makes the folder for results, if one is named: before the work, so that a place where nothing can be
/// written is known at once. Throws Error(failed) if it cannot be made.
void make_folder(const std::filesystem::path& folder);

/// Beginnings of addresses of data sets, for a shell to offer.
[[nodiscard]] std::vector<std::string> address_words();

} // namespace sprig::cli

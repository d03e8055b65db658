#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sprig::cli {

/// The words of --set, KEY=VALUE each, as pairs. Throws Error(usage) if one is not that, or a key is there
/// twice.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
parse_settings(const std::vector<std::string>& texts);

/// Makes the folder for results, if one is named: before the work, so that a place where nothing can be
/// written is known at once. Throws Error(failed) if it cannot be made.
void make_folder(const std::filesystem::path& folder);

/// Says once that charts will be written as text only, where nothing is installed that draws them.
void tell_if_charts_are_missing();

} // namespace sprig::cli

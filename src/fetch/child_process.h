#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sprig::fetch {

struct ChildResult {
    bool found = true; ///< whether the program exists
    bool succeeded = false;
    std::string ending;      ///< such as "exited with code 1" or "was stopped by signal 2"
    std::string last_output; ///< its last lines of output, joined
};

/// Runs a program from the PATH, without a shell, in `folder`. Its input is empty; its output goes to a log
/// file there.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder);

} // namespace sprig::fetch

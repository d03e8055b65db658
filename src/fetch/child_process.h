#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sprig::fetch {

struct ChildResult {
    bool found = true; ///< whether there is such a program
    bool succeeded = false;
    std::string how;        ///< how it ended: "ended with code 1", "was stopped by signal 2"
    std::string last_words; ///< the last lines it wrote, in one line
};

/// Runs a program, found as the shell finds it but without a shell, in `folder`. It reads nothing, and
/// what it writes goes to a file there.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder);

} // namespace sprig::fetch

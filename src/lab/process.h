#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::lab {

struct ProgramResult {
    int code = 0;       ///< what it ended with; -1 if it was killed
    std::string output; ///< what it printed
};

/// Runs another program with some input, and waits for it; what it says on its standard error is dropped.
/// None if there is no such program. Throws Error(failed) if it cannot be run for another reason.
[[nodiscard]] std::optional<ProgramResult> run_program(const std::vector<std::string>& command,
                                                       std::string_view input);

} // namespace sprig::lab

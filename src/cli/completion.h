#pragma once

#include <string>
#include <vector>

#include "cli/declarations.h"

namespace sprig::cli {

// Scripts that make a shell complete the program's verbs, options and values, for the shell to source.

[[nodiscard]] std::string bash_completion(const DeclaredVerb& program);
[[nodiscard]] std::string zsh_completion(const DeclaredVerb& program);
[[nodiscard]] std::string fish_completion(const DeclaredVerb& program);

/// In single quotes, as the three of them read it but for what `inner` stands for: the text for a quote
/// itself.
[[nodiscard]] std::string quoted(const std::string& text, const char* inner = "'\\''");

} // namespace sprig::cli

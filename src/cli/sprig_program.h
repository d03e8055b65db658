#pragma once

#include "cli/program.h"

namespace sprig::cli {

/// The program `sprig` with all its verbs.
[[nodiscard]] Program sprig_program();

} // namespace sprig::cli

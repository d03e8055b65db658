#pragma once

#include <string>

#include "cli/verbs.h"

namespace sprig::cli {

/// How the program ended.
struct Outcome {
    int code = done;
    std::string message = {}; ///< for the person; empty if all went well
};

/// The whole program, with the words of the command line. `team`: who runs the same program and shares the
/// work of 'lab run'; null: nobody.
[[nodiscard]] Outcome run(int argc, char** argv, lab::Team* team = nullptr);

} // namespace sprig::cli

#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace sprig::cli {

/// What the program's exit code says.
enum ExitCode : int { done = 0, work_failed = 1, wrong_usage = 2, wrong_input = 3, interrupted = 130 };

/// Thrown by a verb whose result is its exit code, when all has been said.
struct EndWith {
    ExitCode code = done;
};

/// How the program ended.
struct Outcome {
    int code = done;
    std::string message = {}; ///< for the person; empty if all went well
};

/// What one of our programs is.
struct Program {
    std::string name;
    std::string description;
    std::string footer;
    std::function<void(CLI::App& app)> add_verbs;
    bool speaks = true; ///< prints its help and its version; of several processes only one does
};

/// The whole program, with the words of the command line.
[[nodiscard]] Outcome run(const Program& program, int argc, char** argv);
/// The same for `main`: says what there is to say, and returns the exit code.
[[nodiscard]] int run_and_report(const Program& program, int argc, char** argv);

} // namespace sprig::cli

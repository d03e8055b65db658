#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace sprig::cli {

/// Exit codes of the programs.
enum ExitCode : int { done = 0, work_failed = 1, wrong_usage = 2, wrong_input = 3, interrupted = 130 };

/// Thrown by a verb to exit with a code and no further message.
struct ExitRequest {
    ExitCode code = done;
};

/// How the program ended.
struct Outcome {
    int code = done;
    std::string message = {}; ///< error message; empty on success
};

/// Describes a command-line program.
struct Program {
    std::string name;
    std::string description;
    std::string footer;
    std::function<void(CLI::App& app)> add_verbs;
    bool prints_help = true; ///< false for all but one of several processes
};

/// Parses the command line and runs the verb.
[[nodiscard]] Outcome run(const Program& program, int argc, char** argv);
/// For `main`: runs the program, prints an error message and returns the exit code.
[[nodiscard]] int run_and_report(const Program& program, int argc, char** argv);

} // namespace sprig::cli

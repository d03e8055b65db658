#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

/// What the programs use of the operating system beyond the standard library and what the library uses of it
/// (`core/system.h`). No other file of the programs calls it.
namespace sprig::host {

/// From now on, SIGINT and SIGTERM only make `stop_was_requested` true. The second one ends the program.
void catch_stop_signals();
[[nodiscard]] bool stop_was_requested();

/// Waits until there is something to read from standard input, or for `milliseconds`. Returns false if there
/// is nothing yet.
[[nodiscard]] bool wait_for_input(int milliseconds);
/// Reads what there is from standard input; 0 bytes at its end. After a signal, or if there is nothing yet,
/// the problem is std::errc::interrupted.
[[nodiscard]] std::size_t read_input(std::span<char> to, std::error_code& problem);
/// Whether standard error is a terminal.
[[nodiscard]] bool errors_go_to_a_terminal();

struct ProcessEnd {
    bool found = true;  ///< the program exists and can be executed
    bool exited = true; ///< by itself, not by a signal
    int code = 0;       ///< its exit code, or the number of the signal
};
/// Runs a program in a folder and waits for it. It has no input; its output goes to `log`. The first argument
/// is its name.
[[nodiscard]] ProcessEnd run_process(std::vector<std::string> arguments, const std::filesystem::path& folder,
                                     const std::filesystem::path& log, std::error_code& problem);

/// Starts a program and does not wait for it. It has no input and no output, and signals to this program's
/// terminal do not reach it.
void start_process(std::vector<std::string> arguments, std::error_code& problem);

/// A shared library that is loaded while the program runs. It is never unloaded.
class SharedLibrary {
  public:
    explicit SharedLibrary(const std::string& file);

    [[nodiscard]] bool is_loaded() const { return handle_ != nullptr; }
    /// The address of a function; null if there is none of this name.
    [[nodiscard]] void* find(const char* name) const;
    /// Why loading or finding failed.
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    void* handle_;
    mutable std::string problem_;
};

} // namespace sprig::host

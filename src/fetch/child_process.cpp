#include "fetch/child_process.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sprig/error.h"

// POSIX requires the program to declare it.
extern char** environ; // NOLINT(readability-redundant-declaration): glibc does declare it

namespace sprig::fetch {

namespace {

class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    SpawnActions(SpawnActions&&) = delete;
    SpawnActions& operator=(SpawnActions&&) = delete;

    [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

/// The last lines of a log, joined to one line for an error message.
[[nodiscard]] std::string last_output(const std::filesystem::path& log) {
    constexpr std::size_t max_lines = 3;
    constexpr std::size_t max_length = 400;
    std::ifstream stream(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return c < ' '; }),
                   line.end());
        if (!line.empty()) lines.push_back(line);
        if (lines.size() > max_lines) lines.erase(lines.begin());
    }
    std::string text = fmt::format("{}", fmt::join(lines, " / "));
    if (text.size() > max_length) text = "..." + text.substr(text.size() - max_length);
    return text;
}

[[nodiscard]] int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw failed(
                fmt::format("cannot wait for a child process: {}", std::generic_category().message(errno)));
        }
    }
    return status;
}

} // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
    const std::filesystem::path log = folder / "log.txt";
    SpawnActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(actions.get(), STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());

    std::vector<std::string> words = arguments; // posix_spawnp takes writable strings
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    ChildResult result;
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
    if (error == ENOENT || error == EACCES) {
        result.found = false;
        return result;
    }
    if (error != 0) {
        throw failed(
            fmt::format("cannot start {}: {}", arguments[0], std::generic_category().message(error)));
    }
    const int status = wait_for(child);
    result.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    result.ending = WIFSIGNALED(status) ? fmt::format("was stopped by signal {}", WTERMSIG(status))
                                        : fmt::format("exited with code {}", WEXITSTATUS(status));
    result.last_output = last_output(log);
    return result;
}

} // namespace sprig::fetch

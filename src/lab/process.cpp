#include "lab/process.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sprig/error.h"

extern char**
    environ; // NOLINT(readability-redundant-declaration): POSIX says that it is declared by the user

namespace sprig::lab {

namespace {

struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
/// A file without a name, gone when it is closed.
using Scratch = std::unique_ptr<std::FILE, Close>;

Scratch scratch() {
    Scratch file(std::tmpfile());
    if (!file) throw failed(fmt::format("a temporary file cannot be made: {}", std::strerror(errno)));
    return file;
}

std::string read_all(std::FILE* file) {
    std::rewind(file);
    std::string text;
    std::array<char, 65536> buffer = {};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
        text.append(buffer.data(), count);
    return text;
}

/// What the new program finds open.
class FileActions {
  public:
    FileActions(std::FILE* input, std::FILE* output) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, fileno(input), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, fileno(output), STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_ = {};
};

int wait_for(pid_t program) {
    int status = 0;
    while (waitpid(program, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

std::optional<ProgramResult> run_program(const std::vector<std::string>& command, std::string_view input) {
    const Scratch given = scratch();
    if (std::fwrite(input.data(), 1, input.size(), given.get()) != input.size())
        throw failed(fmt::format("a temporary file cannot be written: {}", std::strerror(errno)));
    std::rewind(given.get()); // writes what is left, too
    const Scratch printed = scratch();
    const FileActions actions(given.get(), printed.get());
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str())); // NOLINT
    words.push_back(nullptr);
    pid_t program = 0;
    const int error = posix_spawnp(&program, words.front(), actions.get(), nullptr, words.data(), environ);
    if (error == ENOENT) return std::nullopt;
    if (error != 0) throw failed(fmt::format("{} cannot be run: {}", command.front(), std::strerror(error)));
    const int code = wait_for(program);
    return ProgramResult{code, read_all(printed.get())};
}

} // namespace sprig::lab

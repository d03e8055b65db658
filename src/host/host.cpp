#include "host/host.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// POSIX requires the program to declare it.
extern char** environ; // NOLINT(readability-redundant-declaration): glibc does declare it

namespace sprig::host {

namespace {

std::error_code error_of(int number) {
    return {number, std::generic_category()};
}

// A signal handler can only access globals. It may interrupt one thread while another one reads this.
std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int signal) {
    stop_requested = true;
    std::signal(signal, SIG_DFL);
}

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

/// For posix_spawnp, which takes writable strings.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& word : arguments) argv.push_back(word.data());
    argv.push_back(nullptr);
    return argv;
}

[[nodiscard]] ProcessEnd wait_for(pid_t child, std::error_code& problem) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno == EINTR) continue;
        problem = error_of(errno);
        return {};
    }
    if (WIFSIGNALED(status)) return {.exited = false, .code = WTERMSIG(status)};
    return {.code = WEXITSTATUS(status)};
}

} // namespace

void catch_stop_signals() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
}

bool stop_was_requested() {
    return stop_requested;
}

bool wait_for_input(int milliseconds) {
    pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, milliseconds);
    return ready > 0 || (ready < 0 && errno != EINTR); // reading reports the error
}

std::size_t read_input(std::span<char> to, std::error_code& problem) {
    problem.clear();
    const ssize_t got = read(STDIN_FILENO, to.data(), to.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    problem = error_of(errno == EAGAIN ? EINTR : errno);
    return 0;
}

bool errors_go_to_a_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

ProcessEnd run_process(std::vector<std::string> arguments, const std::filesystem::path& folder,
                       const std::filesystem::path& log, std::error_code& problem) {
    SpawnActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(actions.get(), STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
    std::vector<char*> argv = pointers_to(arguments);

    problem.clear();
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
    if (error == ENOENT || error == EACCES) return {.found = false};
    if (error == 0) return wait_for(child, problem);
    problem = error_of(error);
    return {};
}

void start_process(std::vector<std::string> arguments, std::error_code& problem) {
    SpawnActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(actions.get(), STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(actions.get(), STDIN_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::vector<char*> argv = pointers_to(arguments);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], actions.get(), &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    problem = error == 0 ? std::error_code() : error_of(error);
}

SharedLibrary::SharedLibrary(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) problem_ = dlerror();
}

void* SharedLibrary::find(const char* name) const {
    void* const found = dlsym(handle_, name);
    if (found == nullptr) problem_ = dlerror();
    return found;
}

} // namespace sprig::host

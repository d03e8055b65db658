#include "core/system.h"

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Programs in WebAssembly have no threads unless they are built for them.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define SPRIG_HAS_THREADS 0
#else
#define SPRIG_HAS_THREADS 1
#include <thread>
#endif

namespace sprig::os {

namespace {

std::error_code last_error() {
    return {errno, std::generic_category()};
}

int flags_of(OpenFile::Kind kind) {
    switch (kind) {
    case OpenFile::Kind::folder:
        return O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    case OpenFile::Kind::folder_not_a_link:
        return O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    case OpenFile::Kind::new_file:
        return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    case OpenFile::Kind::lock_file:
        break;
    }
    return O_RDWR | O_CREAT | O_CLOEXEC;
}

} // namespace

OpenFile::OpenFile(const std::filesystem::path& path, Kind kind, std::error_code& problem)
    : descriptor_(open(path.c_str(), flags_of(kind), 0666)) {
    problem = is_open() ? std::error_code() : last_error();
}

OpenFile::~OpenFile() {
    close();
}

OpenFile::OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    if (this != &other) {
        close();
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

void OpenFile::close() {
    if (is_open()) ::close(descriptor_);
    descriptor_ = -1;
}

bool OpenFile::is_at(const std::filesystem::path& path) const {
    struct stat open = {};
    struct stat named = {};
    return fstat(descriptor_, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

bool OpenFile::lock() const {
    return flock(descriptor_, LOCK_EX) == 0;
}

bool OpenFile::try_lock() const {
    return flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
}

void OpenFile::write(std::string_view bytes, std::error_code& problem) const {
    problem.clear();
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            problem = last_error();
            return;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OpenFile::sync_and_close(std::error_code& problem) {
    problem.clear();
    if (fsync(descriptor_) != 0) problem = last_error();
    if (::close(std::exchange(descriptor_, -1)) != 0 && !problem) problem = last_error();
}

std::filesystem::path make_unique_folder(const std::filesystem::path& pattern, std::error_code& problem) {
    std::string name = pattern.string();
    problem = mkdtemp(name.data()) != nullptr ? std::error_code() : last_error();
    return name;
}

void for_each_name(const std::filesystem::path& folder, const std::function<void(std::string_view)>& visit) {
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), closedir);
    while (const dirent* entry = opened ? readdir(opened.get()) : nullptr) visit(entry->d_name);
}

long process_number() {
    return getpid();
}

std::string environment(const char* variable) {
    const char* const value =
        std::getenv(variable); // NOLINT(concurrency-mt-unsafe): never set by this program
    return value == nullptr ? "" : value;
}

#if SPRIG_HAS_THREADS

struct ThreadGroup::Threads {
    std::vector<std::thread> all;
};

ThreadGroup::ThreadGroup() : threads_(std::make_unique<Threads>()) {}

ThreadGroup::~ThreadGroup() {
    for (std::thread& thread : threads_->all) thread.join();
}

bool ThreadGroup::start(std::function<void()> work) {
    threads_->all.reserve(threads_->all.size() + 1); // a started thread must have a place
    try {
        threads_->all.emplace_back(std::move(work));
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

std::size_t ThreadGroup::size() const {
    return threads_->all.size();
}

#else

struct ThreadGroup::Threads {};

ThreadGroup::ThreadGroup() = default;
ThreadGroup::~ThreadGroup() = default;

bool ThreadGroup::start(std::function<void()> /*work*/) {
    return false;
}

std::size_t ThreadGroup::size() const {
    return 0;
}

#endif

} // namespace sprig::os

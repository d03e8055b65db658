#include "store/lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::store {

namespace {

/// Whether an open file still has this path: the previous holder of the lock may have removed it.
bool is_same_file(int file, const std::filesystem::path& path) {
    struct stat open = {};
    struct stat named = {};
    return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

} // namespace

WriterLock::WriterLock(const std::filesystem::path& path, const std::string& name)
    : path_(path.string() + "-lock") {
    while (true) {
        file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file_ < 0) {
            throw failed(fmt::format("the model file '{}' cannot be written: {}: {}", name, path_.string(),
                                     std::strerror(errno)));
        }
        if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
            close(file_);
            throw failed(
                fmt::format("the model file '{}' is being changed by another program; wait until it is "
                            "done, or work on a copy",
                            name));
        }
        if (is_same_file(file_, path_)) return;
        close(file_);
    }
}

WriterLock::~WriterLock() {
    unlink(path_.c_str()); // while the lock is held, so that a waiting program detects it and retries
    close(file_);
}

} // namespace sprig::store

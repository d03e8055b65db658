#include "store/lock.h"

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::store {

WriterLock::WriterLock(const std::filesystem::path& path, const std::string& name)
    : path_(path.string() + "-lock") {
    do {
        std::error_code problem;
        file_ = os::OpenFile(path_, os::OpenFile::Kind::lock_file, problem);
        if (problem) {
            throw failed(fmt::format("the model file '{}' cannot be written: {}: {}", name, path_.string(),
                                     problem.message()));
        }
        if (!file_.try_lock()) {
            throw failed(
                fmt::format("the model file '{}' is being changed by another program; wait until it is "
                            "done, or work on a copy",
                            name));
        }
    } while (!file_.is_at(path_)); // the previous holder of the lock may have removed it
}

WriterLock::~WriterLock() {
    std::error_code ignored;
    // While the lock is held, so that a waiting program detects it and retries.
    std::filesystem::remove(path_, ignored);
}

} // namespace sprig::store

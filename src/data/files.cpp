#include "data/files.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig::data_detail {

namespace {

[[nodiscard]] std::string reason_of(int error_number) {
    // An input stream need not set errno; then there is nothing better to say.
    return error_number == 0 ? "the system gives no reason" : std::generic_category().message(error_number);
}

[[nodiscard]] Error cannot_read(const fs::path& path, const std::string& reason) {
    return bad_input(fmt::format("cannot read '{}': {}", path.string(), reason));
}

} // namespace

std::uint64_t regular_file_size(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) throw cannot_read(path, "there is no such file");
    if (error) throw cannot_read(path, error.message());
    if (status.type() == fs::file_type::directory) throw cannot_read(path, "it is a folder, not a file");
    // A pipe or a device has no size and may never end.
    if (status.type() != fs::file_type::regular) throw cannot_read(path, "it is not a regular file");
    const std::uint64_t size = fs::file_size(path, error);
    if (error) throw cannot_read(path, error.message());
    return size;
}

Bytes read_file(const fs::path& path) {
    const std::uint64_t size = regular_file_size(path);
    if (size > largest_file) {
        throw cannot_read(
            path, fmt::format("its {} bytes are more than the {} we read at most", size, largest_file));
    }
    return read_file_part(path, 0, static_cast<std::size_t>(size));
}

Bytes read_file_part(const fs::path& path, std::uint64_t offset, std::size_t count) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw cannot_read(path, reason_of(errno));
    Bytes bytes(count);
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(stream.gcount()) != count) {
        throw cannot_read(path, fmt::format("it ended after {} of {} bytes", stream.gcount(), count));
    }
    return bytes;
}

TemporaryFolder::TemporaryFolder(const fs::path& parent, std::string_view prefix) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) {
        throw failed(fmt::format("cannot make the folder '{}': {}", parent.string(), error.message()));
    }
    remove_abandoned(parent, prefix);
    const std::string pattern = (parent / fmt::format("{}XXXXXX", prefix)).string();
    // Whoever cleans up may take a folder for abandoned between its making and its locking.
    do {
        std::string name = pattern;
        if (lock_ >= 0) close(lock_);
        if (mkdtemp(name.data()) == nullptr) {
            throw failed(
                fmt::format("cannot make a temporary folder in '{}': {}", parent.string(), reason_of(errno)));
        }
        path_ = name;
        lock_ = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (lock_ >= 0 && flock(lock_, LOCK_EX) == 0 && !fs::exists(path_));
}

TemporaryFolder::~TemporaryFolder() {
    // A destructor must not throw; what cannot be removed is left to the next clean-up.
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

void remove_abandoned(const fs::path& parent, std::string_view prefix) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(parent, ignored)) {
        if (!entry.path().filename().string().starts_with(prefix)) continue;
        const int lock = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (lock < 0) continue;
        // A program that lives holds the lock; the system lets go of it however the program ends.
        if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
        close(lock);
    }
}

} // namespace sprig::data_detail

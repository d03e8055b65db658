#include "data/files.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sprig/data.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig::data_detail {

namespace {

[[nodiscard]] std::string reason_of(int error_number) {
    // An input stream need not set errno.
    return error_number == 0 ? "unknown reason" : std::generic_category().message(error_number);
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
    // A pipe or a device has no size and may be endless.
    if (status.type() != fs::file_type::regular) throw cannot_read(path, "it is not a regular file");
    const std::uint64_t size = fs::file_size(path, error);
    if (error) throw cannot_read(path, error.message());
    return size;
}

Bytes read_file(const fs::path& path) {
    const std::uint64_t size = regular_file_size(path);
    if (size > max_file_size) {
        throw cannot_read(path,
                          fmt::format("its size of {} bytes exceeds the limit of {}", size, max_file_size));
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
        throw failed(fmt::format("cannot create the folder '{}': {}", parent.string(), error.message()));
    }
    const std::string pattern = (parent / fmt::format("{}XXXXXX", prefix)).string();
    // Another process may remove the folder as abandoned before it is locked; then try again.
    do {
        std::string name = pattern;
        if (lock_ >= 0) close(lock_);
        if (mkdtemp(name.data()) == nullptr) {
            throw failed(fmt::format("cannot create a temporary folder in '{}': {}", parent.string(),
                                     reason_of(errno)));
        }
        path_ = name;
        lock_ = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (lock_ >= 0 && flock(lock_, LOCK_EX) == 0 && !fs::exists(path_));
}

TemporaryFolder::~TemporaryFolder() {
    // A destructor must not throw; `remove_abandoned` handles what is left.
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

void remove_abandoned(const fs::path& parent, std::string_view prefix) {
    constexpr std::size_t suffix = 6; // characters chosen by mkdtemp
    // Not std::filesystem::directory_iterator, which terminates the program when memory runs out.
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(parent.c_str()), closedir);
    while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (!name.starts_with(prefix) || name.size() != prefix.size() + suffix) continue;
        const fs::path path = parent / name;
        const int lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (lock < 0) continue;
        // A running process holds the lock; the system releases it when the process ends.
        std::error_code ignored;
        if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
        close(lock);
    }
}

} // namespace sprig::data_detail

namespace sprig {

namespace {

[[nodiscard]] Error cannot_write(const fs::path& path, int error_number) {
    return failed(fmt::format("cannot write '{}': {}; the file is unchanged", path.string(),
                              std::generic_category().message(error_number)));
}

/// An open temporary file next to its destination. It is removed unless `install` succeeded.
class PendingFile {
  public:
    explicit PendingFile(const fs::path& destination) : destination_(destination) {
        // Not mkstemp, which makes the file private: with 0666 the umask decides. O_EXCL prevents two writers
        // from using the same file.
        constexpr int attempts = 100;
        for (int attempt = 0; attempt < attempts && descriptor_ < 0; ++attempt) {
            // Not the destination's name with a suffix, which may be too long.
            temporary_ =
                (destination.parent_path() / fmt::format(".sprig-{}-{}.tmp", getpid(), attempt)).string();
            descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor_ < 0 && errno != EEXIST) break;
        }
        if (descriptor_ < 0) throw cannot_write(destination, errno);
    }
    ~PendingFile() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!installed_) unlink(temporary_.c_str());
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    PendingFile(PendingFile&&) = delete;
    PendingFile& operator=(PendingFile&&) = delete;

    void write(std::string_view content) const {
        while (!content.empty()) {
            const ssize_t written = ::write(descriptor_, content.data(), content.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw cannot_write(destination_, errno);
            content.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void install() {
        // Without fsync, a crash after the rename could leave an empty file.
        if (fsync(descriptor_) != 0) throw cannot_write(destination_, errno);
        const int descriptor = descriptor_;
        descriptor_ = -1;
        if (close(descriptor) != 0) throw cannot_write(destination_, errno);
        if (rename(temporary_.c_str(), destination_.c_str()) != 0) throw cannot_write(destination_, errno);
        installed_ = true;
    }

  private:
    fs::path destination_;
    std::string temporary_;
    int descriptor_ = -1;
    bool installed_ = false;
};

} // namespace

void write_file_atomically(const fs::path& path, std::string_view content) {
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error)) {
        throw failed(fmt::format("cannot write '{}': there is no folder '{}'; create it first", path.string(),
                                 folder.string()));
    }
    if (fs::is_directory(path, error)) {
        throw failed(fmt::format("cannot write '{}': it is a folder; name a file in it", path.string()));
    }
    // A rename would replace a symbolic link instead of the file it points to.
    const fs::path destination = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
    PendingFile file(destination.empty() ? path : destination);
    file.write(content);
    file.install();
}

} // namespace sprig

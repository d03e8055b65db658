#include "data/files.h"

#include <cerrno>
#include <fstream>
#include <system_error>

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
    const fs::path pattern = parent / fmt::format("{}XXXXXX", prefix);
    // Another process may remove the folder as abandoned before it is opened or locked; then try again.
    do {
        path_ = os::make_unique_folder(pattern, error);
        if (error) {
            throw failed(fmt::format("cannot create a temporary folder in '{}': {}", parent.string(),
                                     error.message()));
        }
        lock_ = os::OpenFile(path_, os::OpenFile::Kind::folder, error);
        if (lock_.is_open()) (void)lock_.lock();
    } while (!fs::exists(path_));
}

TemporaryFolder::~TemporaryFolder() {
    // A destructor must not throw; `remove_abandoned` handles what is left.
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void remove_abandoned(const fs::path& parent, std::string_view prefix) {
    constexpr std::size_t suffix = 6; // characters of a unique name
    os::for_each_name(parent, [&](std::string_view name) {
        if (!name.starts_with(prefix) || name.size() != prefix.size() + suffix) return;
        const fs::path path = parent / name;
        std::error_code ignored;
        const os::OpenFile folder(path, os::OpenFile::Kind::folder_not_a_link, ignored);
        // A running process holds the lock; the system releases it when the process ends.
        if (folder.is_open() && folder.try_lock()) fs::remove_all(path, ignored);
    });
}

} // namespace sprig::data_detail

namespace sprig {

namespace {

/// An open temporary file next to its destination. It is removed unless `install` succeeded.
class PendingFile {
  public:
    explicit PendingFile(const fs::path& destination) : destination_(destination) {
        // Two writers cannot use the same file, because it must be new.
        constexpr int attempts = 100;
        std::error_code problem;
        for (int attempt = 0; attempt < attempts && !file_.is_open(); ++attempt) {
            // Not the destination's name with a suffix, which may be too long.
            temporary_ =
                destination.parent_path() / fmt::format(".sprig-{}-{}.tmp", os::process_number(), attempt);
            file_ = os::OpenFile(temporary_, os::OpenFile::Kind::new_file, problem);
            if (problem && problem != std::errc::file_exists) break;
        }
        check(problem);
    }
    ~PendingFile() {
        std::error_code ignored;
        if (!installed_) fs::remove(temporary_, ignored);
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    PendingFile(PendingFile&&) = delete;
    PendingFile& operator=(PendingFile&&) = delete;

    void write(std::string_view content) const {
        std::error_code problem;
        file_.write(content, problem);
        check(problem);
    }

    void install() {
        std::error_code problem;
        file_.sync_and_close(problem); // otherwise a crash after the rename could leave an empty file
        check(problem);
        fs::rename(temporary_, destination_, problem);
        check(problem);
        installed_ = true;
    }

  private:
    void check(const std::error_code& problem) const {
        if (problem) {
            throw failed(fmt::format("cannot write '{}': {}; the file is unchanged", destination_.string(),
                                     problem.message()));
        }
    }

    fs::path destination_;
    fs::path temporary_;
    os::OpenFile file_;
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

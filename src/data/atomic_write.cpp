#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sprig/data.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig {

namespace {

[[nodiscard]] Error cannot_write(const fs::path& path, int error_number) {
    return failed(fmt::format("cannot write '{}': {}; the file is as it was before", path.string(),
                              std::generic_category().message(error_number)));
}

/// An open temporary file beside its destination, which is removed unless it took the destination's place.
class PendingFile {
  public:
    explicit PendingFile(const fs::path& destination) : destination_(destination) {
        // mkstemp would make the file private; open with 0666 lets the user's umask decide, as for
        // any other file. O_EXCL keeps two writers apart.
        constexpr int attempts = 100;
        for (int attempt = 0; attempt < attempts && descriptor_ < 0; ++attempt) {
            // A name of its own, not the destination's with an ending: that may be too long already.
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
        // Without the fsync a crash after the rename could leave an empty file under the final name.
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
        throw failed(fmt::format("cannot write '{}': there is no folder '{}'; make it first", path.string(),
                                 folder.string()));
    }
    if (fs::is_directory(path, error)) {
        throw failed(fmt::format("cannot write '{}': it is a folder; name a file in it", path.string()));
    }
    // A rename onto a symbolic link would replace the link; writing means the file it points to.
    const fs::path destination = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
    PendingFile file(destination.empty() ? path : destination);
    file.write(content);
    file.install();
}

} // namespace sprig

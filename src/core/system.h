#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

/// What the library uses of the operating system beyond the standard library. No other file of the library
/// calls it, and learning and predicting in memory need none of it.
namespace sprig::os {

/// An open file or folder. Errors are reported as by std::filesystem.
class OpenFile {
  public:
    enum class Kind {
        folder,            ///< an existing folder
        folder_not_a_link, ///< the same, unless the path is a symbolic link
        new_file,  ///< a file for writing that does not exist yet; the umask determines who may read it
        lock_file, ///< a file for `try_lock`, created if necessary
    };

    OpenFile() = default;
    OpenFile(const std::filesystem::path& path, Kind kind, std::error_code& problem);
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    /// Whether the path still leads to this file: it may have been removed or replaced.
    [[nodiscard]] bool is_at(const std::filesystem::path& path) const;

    /// An exclusive lock among programs, released when the file is closed, even by a crash. The first waits
    /// for it. Return whether they have it.
    [[nodiscard]] bool lock() const;
    [[nodiscard]] bool try_lock() const;

    /// Writes all bytes.
    void write(std::string_view bytes, std::error_code& problem) const;
    /// Waits until everything is on the disk, and closes the file.
    void sync_and_close(std::error_code& problem);

  private:
    void close();

    int descriptor_ = -1;
};

/// Creates a folder whose name is unique: the pattern with its last six characters, XXXXXX, replaced.
[[nodiscard]] std::filesystem::path make_unique_folder(const std::filesystem::path& pattern,
                                                       std::error_code& problem);
/// Calls `visit` with the name of everything in a folder. Unlike std::filesystem::directory_iterator, it does
/// not terminate the program when memory runs out.
void for_each_name(const std::filesystem::path& folder, const std::function<void(std::string_view)>& visit);

/// A number that no other running program on this machine has.
[[nodiscard]] long process_number();
/// The value of an environment variable; empty if it is not set.
[[nodiscard]] std::string environment(const char* variable);

/// Threads that work until their function returns. The destructor waits for all of them.
class ThreadGroup {
  public:
    ThreadGroup();
    ~ThreadGroup();
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;
    ThreadGroup(ThreadGroup&&) = delete;
    ThreadGroup& operator=(ThreadGroup&&) = delete;

    /// Starts a thread. Returns false if the system has no more of them, or none at all.
    bool start(std::function<void()> work);
    [[nodiscard]] std::size_t size() const;

  private:
    struct Threads;
    std::unique_ptr<Threads> threads_;
};

} // namespace sprig::os

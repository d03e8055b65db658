#pragma once

#include <filesystem>
#include <string>

namespace sprig::store {

/// An exclusive lock for the program that changes a model file. The operating system releases it when the
/// program ends or crashes.
class WriterLock {
  public:
    /// Locks the file at `path`; error messages call it `name`. Throws Error(failed) at once if the lock is
    /// held.
    WriterLock(const std::filesystem::path& path, const std::string& name);
    ~WriterLock();
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;
    WriterLock(WriterLock&&) = delete;
    WriterLock& operator=(WriterLock&&) = delete;

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

} // namespace sprig::store

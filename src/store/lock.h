#pragma once

#include <filesystem>
#include <string>

#include "core/system.h"

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
    os::OpenFile file_;
};

} // namespace sprig::store

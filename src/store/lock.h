#pragma once

#include <filesystem>
#include <string>

namespace sprig::store {

/// Held by the one program that may change a model file. The system lets go of it when the program ends,
/// however it ends.
class WriterLock {
  public:
    /// Of the file that lies there and is called so. Throws Error(failed) at once if somebody else holds it.
    WriterLock(const std::filesystem::path& place, const std::string& name);
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

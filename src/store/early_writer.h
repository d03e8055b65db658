#pragma once

#include <cstddef>
#include <string>

namespace sprig::store {

/// Asks the system to begin writing a file to the disk now and then, without waiting for it. Whoever has to
/// wait for all of it some day then waits for little. Nothing depends on it: where it cannot be done, it is
/// not done.
class EarlyWriter {
  public:
    explicit EarlyWriter(const std::string& path);
    ~EarlyWriter();
    EarlyWriter(const EarlyWriter&) = delete;
    EarlyWriter& operator=(const EarlyWriter&) = delete;
    EarlyWriter(EarlyWriter&&) = delete;
    EarlyWriter& operator=(EarlyWriter&&) = delete;

    /// So many bytes were added to the file.
    void written(std::size_t bytes);

  private:
    int file_ = -1;
    std::size_t waiting_ = 0;
};

} // namespace sprig::store

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/system.h"

namespace sprig::data_detail {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// Larger files are rejected before memory is allocated.
inline constexpr std::uint64_t max_file_size = std::uint64_t{1} << 31;

/// Reads a whole file. Errors contain the path and the system's reason.
[[nodiscard]] Bytes read_file(const std::filesystem::path& path);
/// Reads `count` bytes at `offset`. Throws if there are fewer.
[[nodiscard]] Bytes read_file_part(const std::filesystem::path& path, std::uint64_t offset,
                                   std::size_t count);
/// The size of a regular file. Throws the same errors as `read_file`.
[[nodiscard]] std::uint64_t regular_file_size(const std::filesystem::path& path);

[[nodiscard]] inline std::string_view as_text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A folder with a unique name that is removed with this object.
class TemporaryFolder {
  public:
    /// Creates `parent/prefixXXXXXX`, and `parent` if it is missing.
    TemporaryFolder(const std::filesystem::path& parent, std::string_view prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    os::OpenFile lock_; ///< held while the process lives; see `remove_abandoned`
};

/// Removes temporary folders with this prefix that killed processes left behind.
void remove_abandoned(const std::filesystem::path& parent, std::string_view prefix);

} // namespace sprig::data_detail

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::data_detail {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// Nothing we read is larger; a larger file is refused before memory is asked for.
inline constexpr std::uint64_t largest_file = std::uint64_t{1} << 31;

/// A whole file. Errors name the path and the reason the system gives.
[[nodiscard]] Bytes read_file(const std::filesystem::path& path);
/// `count` bytes from `offset` on; an error if there are fewer.
[[nodiscard]] Bytes read_file_part(const std::filesystem::path& path, std::uint64_t offset,
                                   std::size_t count);
/// The size of a regular file; the same errors as `read_file`.
[[nodiscard]] std::uint64_t regular_file_size(const std::filesystem::path& path);

[[nodiscard]] inline std::string_view as_text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A folder of a fresh name that goes away with this object, whatever happened inside it.
class TemporaryFolder {
  public:
    /// Makes `parent/prefixXXXXXX`, and `parent` itself where it is missing.
    TemporaryFolder(const std::filesystem::path& parent, std::string_view prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int lock_ = -1; ///< held while this program lives: see `remove_abandoned`
};

/// Removes the temporary folders of that prefix which programs left behind that were killed.
void remove_abandoned(const std::filesystem::path& parent, std::string_view prefix);

} // namespace sprig::data_detail

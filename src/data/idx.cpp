#include "data/idx.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/endian.h"
#include "data/gzip.h"
#include "sprig/error.h"

namespace sprig::data_detail {

namespace {

constexpr std::uint32_t images_magic = 0x00000803;
constexpr std::uint32_t labels_magic = 0x00000801;
constexpr std::uint32_t max_image_side = 8192;

[[nodiscard]] std::string describe_magic(std::uint32_t magic) {
    if (magic == images_magic) return "it is an IDX file of images";
    if (magic == labels_magic) return "it is an IDX file of labels";
    return "it is not an IDX file of unsigned bytes";
}

} // namespace

IdxFile IdxFile::open(const std::filesystem::path& path, Content content) {
    IdxFile file(content, path.string());
    const std::uint64_t size = regular_file_size(path);
    const std::size_t start_size = std::min<std::size_t>(size, file.header_size());
    const Bytes start = read_file_part(path, 0, start_size);
    if (is_gzip(start)) {
        file.unpack(read_file(path));
    } else {
        file.parse_header(start);
        file.check_size(size);
        file.path_ = path;
    }
    return file;
}

IdxFile IdxFile::decode(ByteView bytes, Content content, const std::string& name) {
    IdxFile file(content, name);
    if (is_gzip(bytes)) {
        file.unpack(bytes);
    } else {
        file.parse_header(bytes);
        file.check_size(bytes.size());
        file.bytes_.assign(bytes.begin(), bytes.end());
    }
    return file;
}

void IdxFile::unpack(ByteView compressed) {
    Inflater inflater(compressed, Inflater::Format::gzip, name_);
    inflater.read(bytes_, header_size());
    parse_header(bytes_);
    // One extra byte is enough to detect a file that is too long.
    inflater.read(bytes_, static_cast<std::size_t>(expected_size()) - bytes_.size() + 1);
    check_size(bytes_.size());
}

std::size_t IdxFile::item_size() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
}

std::uint64_t IdxFile::expected_size() const {
    return header_size() + (static_cast<std::uint64_t>(count_) * item_size());
}

void IdxFile::parse_header(ByteView bytes) {
    const char* const wanted = content_ == Content::images ? "images" : "labels";
    const std::uint32_t expected = content_ == Content::images ? images_magic : labels_magic;
    if (bytes.size() >= 4 && big_endian_32(bytes, 0) != expected) {
        const std::uint32_t found = big_endian_32(bytes, 0);
        throw bad_input(fmt::format("'{}' should contain {} but starts with 0x{:08x} instead of 0x{:08x}: {}",
                                    name_, wanted, found, expected, describe_magic(found)));
    }
    if (bytes.size() < header_size()) {
        throw bad_input(fmt::format("'{}' is cut short: it has {} bytes, but its header needs {}; "
                                    "get it again",
                                    name_, bytes.size(), header_size()));
    }
    count_ = big_endian_32(bytes, 4);
    if (count_ == 0) throw bad_input(fmt::format("'{}' contains 0 {}", name_, wanted));
    if (content_ == Content::images) {
        const std::uint32_t rows = big_endian_32(bytes, 8);
        const std::uint32_t columns = big_endian_32(bytes, 12);
        if (rows == 0 || columns == 0 || rows > max_image_side || columns > max_image_side) {
            throw bad_input(fmt::format("'{}' has images of {} rows and {} columns, but both must be 1 to {}",
                                        name_, rows, columns, max_image_side));
        }
        rows_ = static_cast<int>(rows);
        columns_ = static_cast<int>(columns);
    }
    if (expected_size() > max_file_size) {
        throw bad_input(fmt::format("'{}' declares {} {} ({} bytes), but the limit is {} bytes", name_,
                                    count_, wanted, expected_size(), max_file_size));
    }
}

void IdxFile::check_size(std::uint64_t actual) const {
    if (actual < expected_size()) {
        throw bad_input(fmt::format("'{}' is cut short: it has {} bytes instead of {}; get it again", name_,
                                    actual, expected_size()));
    }
    if (actual > expected_size()) {
        throw bad_input(
            fmt::format("'{}' is too long: its header declares {} bytes, but more follow; it may be damaged",
                        name_, expected_size()));
    }
}

Bytes IdxFile::items(std::size_t first, std::size_t number) const {
    const std::size_t offset = header_size() + (first * item_size());
    const std::size_t length = number * item_size();
    if (!path_.empty()) return read_file_part(path_, offset, length);
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(length)};
}

} // namespace sprig::data_detail

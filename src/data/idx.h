#pragma once

#include <filesystem>
#include <string>

#include "data/files.h"

namespace sprig::data_detail {

/// A file in MNIST's IDX format: a magic number, big-endian dimensions, then the bytes; raw or gzipped. The
/// header and the size are checked when the file is opened.
class IdxFile {
  public:
    enum class Content { images, labels };

    [[nodiscard]] static IdxFile open(const std::filesystem::path& path, Content content);
    /// Decodes a file in memory. `name` is used in error messages.
    [[nodiscard]] static IdxFile decode(ByteView bytes, Content content, const std::string& name);

    [[nodiscard]] std::size_t count() const { return count_; }
    /// Size of one image; 1 x 1 for labels.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] std::size_t item_size() const;
    /// The bytes of `number` items starting at `first`. Of a raw file, only these are read.
    [[nodiscard]] Bytes items(std::size_t first, std::size_t number) const;

  private:
    IdxFile(Content content, std::string name) : content_(content), name_(std::move(name)) {}
    [[nodiscard]] std::size_t header_size() const { return content_ == Content::images ? 16 : 8; }
    [[nodiscard]] std::uint64_t expected_size() const;
    void parse_header(ByteView bytes);
    void unpack(ByteView compressed);
    void check_size(std::uint64_t actual) const;

    Content content_;
    std::string name_;
    std::filesystem::path path_; ///< empty if `bytes_` holds the file
    Bytes bytes_;
    std::size_t count_ = 0;
    int rows_ = 1;
    int columns_ = 1;
};

} // namespace sprig::data_detail

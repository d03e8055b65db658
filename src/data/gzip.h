#pragma once

#include <memory>
#include <string>

#include "data/files.h"

struct z_stream_s;

namespace sprig::data_detail {

/// Whether the bytes start with the gzip signature.
[[nodiscard]] inline bool is_gzip(ByteView bytes) {
    return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/// Decompresses gzip or zlib data in steps, so that the caller limits the memory used, even for a small file
/// that decompresses to gigabytes.
class Inflater {
  public:
    enum class Format { gzip, zlib };

    /// `bytes` must outlive this object. `name` is used in error messages.
    Inflater(ByteView bytes, Format format, std::string name);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    Inflater(Inflater&&) = delete;
    Inflater& operator=(Inflater&&) = delete;

    /// Appends up to `count` bytes to `out`; fewer only at the end of the data. Throws bad_input for damaged
    /// or truncated data.
    void read(Bytes& out, std::size_t count);
    /// Whether the end of the data, including the checksum, has been read.
    [[nodiscard]] bool at_end() const { return at_end_; }

  private:
    [[nodiscard]] bool start_next_member();

    std::unique_ptr<z_stream_s> stream_;
    Format format_;
    std::string name_;
    std::size_t total_ = 0;
    bool at_end_ = false;
};

} // namespace sprig::data_detail

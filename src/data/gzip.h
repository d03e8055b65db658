#pragma once

#include <memory>
#include <string>

#include "data/files.h"

struct z_stream_s;

namespace sprig::data_detail {

/// Whether these bytes begin as a gzip file does, whatever the file is called.
[[nodiscard]] bool is_gzip(ByteView bytes);

/// Decompresses gzip or zlib data step by step, so that the caller decides how much he is willing to
/// hold: a small file that would unfold into gigabytes never does.
class Inflater {
  public:
    enum class Format { gzip, zlib };

    /// `bytes` must outlive the reader; `name` is what errors call it.
    Inflater(ByteView bytes, Format format, std::string name);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    Inflater(Inflater&&) = delete;
    Inflater& operator=(Inflater&&) = delete;

    /// Appends up to `count` bytes to `out`; fewer only where the data really ends. Throws bad_input
    /// for damaged data and for data that break off.
    void read(Bytes& out, std::size_t count);
    /// Whether the end of the data has been seen, checksum included.
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

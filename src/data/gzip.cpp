#include "data/gzip.h"

#include <algorithm>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <zlib.h>

#include "sprig/error.h"

namespace sprig::data_detail {

namespace {

// In zlib, 16 added to the window size selects the gzip format.
constexpr int gzip_window = 15 + 16;
constexpr int zlib_window = 15;
// Memory grows with the data that are actually read.
constexpr std::size_t step = std::size_t{1} << 20;

} // namespace

Inflater::Inflater(ByteView bytes, Format format, std::string name)
    : stream_(std::make_unique<z_stream>()), format_(format), name_(std::move(name)) {
    if (bytes.size() > std::numeric_limits<uInt>::max()) {
        throw bad_input(fmt::format("'{}' is too large to decompress", name_));
    }
    // zlib does not write to its input.
    stream_->next_in = const_cast<Bytef*>(bytes.data());
    stream_->avail_in = static_cast<uInt>(bytes.size());
    if (inflateInit2(stream_.get(), format == Format::gzip ? gzip_window : zlib_window) != Z_OK) {
        throw std::bad_alloc();
    }
}

Inflater::~Inflater() {
    inflateEnd(stream_.get());
}

bool Inflater::start_next_member() {
    // By the standard, concatenated gzip files form one gzip file.
    if (format_ != Format::gzip || !is_gzip({stream_->next_in, stream_->avail_in})) return false;
    return inflateReset(stream_.get()) == Z_OK;
}

void Inflater::read(Bytes& out, std::size_t count) {
    while (count > 0 && !at_end_) {
        const std::size_t chunk = std::min(count, step);
        const std::size_t before = out.size();
        out.resize(before + chunk);
        stream_->next_out = out.data() + before;
        stream_->avail_out = static_cast<uInt>(chunk);
        const int result = inflate(stream_.get(), Z_NO_FLUSH);
        const std::size_t got = chunk - stream_->avail_out;
        out.resize(before + got);
        count -= got;
        total_ += got;
        if (result == Z_STREAM_END) {
            if (start_next_member()) continue;
            at_end_ = true;
            if (stream_->avail_in != 0 && format_ == Format::gzip) {
                throw bad_input(fmt::format("'{}' has {} extra bytes after its compressed data; get it again",
                                            name_, stream_->avail_in));
            }
        } else if (result == Z_BUF_ERROR || (result == Z_OK && stream_->avail_in == 0 && got < chunk)) {
            throw bad_input(fmt::format("'{}' is cut short: its compressed data end after {} decompressed "
                                        "bytes; get it again",
                                        name_, total_));
        } else if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (result != Z_OK) {
            throw bad_input(fmt::format("'{}' is damaged: its compressed data are invalid ({}); get it again",
                                        name_, stream_->msg != nullptr ? stream_->msg : "no details"));
        }
    }
}

} // namespace sprig::data_detail

#include "store/early_writer.h"

#include <fcntl.h>
#include <unistd.h>

namespace sprig::store {

namespace {

constexpr std::size_t enough = std::size_t{1} << 20;

} // namespace

EarlyWriter::EarlyWriter(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {}

EarlyWriter::~EarlyWriter() {
    if (file_ >= 0) close(file_);
}

void EarlyWriter::written(std::size_t bytes) {
    waiting_ += bytes;
    if (file_ < 0 || waiting_ < enough) return;
    waiting_ = 0;
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
}

} // namespace sprig::store

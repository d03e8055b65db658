// Compiled instead of the decoders if they are left out.

#include <string>
#include <utility>

#include <fmt/format.h>

#include "data/gzip.h"
#include "data/picture_formats.h"
#include "sprig/error.h"

struct z_stream_s {};

namespace sprig::data_detail {

namespace {

[[noreturn]] void unavailable(const std::string& name, const char* content, const char* instead) {
    throw failed(fmt::format("'{}' is {}, and this library was built without decoders; build it with "
                             "SPRIG_WITH_DECODERS=ON, or {}",
                             name, content, instead));
}

} // namespace

Picture decode_png(ByteView /*bytes*/, const std::string& name) {
    unavailable(name, "a PNG file", "convert it to PGM");
}
Picture decode_jpeg(ByteView /*bytes*/, const std::string& name) {
    unavailable(name, "a JPEG file", "convert it to PGM");
}
Picture decode_bmp(ByteView /*bytes*/, const std::string& name) {
    unavailable(name, "a BMP file", "convert it to PGM");
}

Inflater::Inflater(ByteView /*bytes*/, Format format, std::string name)
    : format_(format), name_(std::move(name)) {
    unavailable(name_, "compressed", "unpack it with gzip");
}
Inflater::~Inflater() = default;
void Inflater::read(Bytes& /*out*/, std::size_t /*count*/) {}

} // namespace sprig::data_detail

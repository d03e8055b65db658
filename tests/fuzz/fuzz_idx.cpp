#include "data/idx.h"
#include "fuzz_target.h"
#include "sprig/error.h"

namespace {

using sprig::data_detail::ByteView;
using sprig::data_detail::IdxFile;
using sprig::fuzz::require;

void decode_as(ByteView bytes, IdxFile::Content content) {
    try {
        const IdxFile file = IdxFile::decode(bytes, content, "input");
        require(file.count() > 0 && file.rows() > 0 && file.columns() > 0);
        require(file.item_size() ==
                static_cast<std::size_t>(file.rows()) * static_cast<std::size_t>(file.columns()));
        require(file.items(0, file.count()).size() == file.count() * file.item_size());
        const auto last = file.items(file.count() - 1, 1);
        require(last.size() == file.item_size());
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    decode_as({data, size}, IdxFile::Content::images);
    decode_as({data, size}, IdxFile::Content::labels);
    return 0;
}

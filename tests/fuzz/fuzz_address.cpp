#include <string_view>

#include "data/address.h"
#include "fuzz_target.h"
#include "sprig/error.h"

namespace {

using sprig::data_detail::Address;
using sprig::data_detail::Selection;
using sprig::fuzz::require;

void check(const Address& address) {
    require(!address.base.empty());
    if (address.selection) require(address.selection->first <= address.selection->last);
    switch (address.kind) {
    case Address::Kind::known_set:
        require(!address.set.empty() && !address.part.empty());
        break;
    case Address::Kind::idx:
        require(!address.path.empty() && !address.labels.empty());
        break;
    case Address::Kind::folder:
    case Address::Kind::strokes:
    case Address::Kind::picture:
        require(!address.path.empty());
        break;
    }
    for (const std::size_t size : {std::size_t{1}, std::size_t{60000}}) {
        try {
            const Selection selection = sprig::data_detail::selected(address, size);
            require(selection.first <= selection.last && selection.last < size);
        } catch (const sprig::Error& error) {
            require(error.kind() == sprig::ErrorKind::usage);
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // Three cases: no path exists, every path exists, and paths of even length exist.
    for (int existing = 0; existing < 3; ++existing) {
        try {
            check(sprig::data_detail::parse_address(text, [&](const std::filesystem::path& path) {
                return existing == 1 || (existing == 2 && path.native().size() % 2 == 0);
            }));
        } catch (const sprig::Error& error) {
            require(error.kind() == sprig::ErrorKind::usage);
        }
    }
    return 0;
}

#include <string_view>

#include "fuzz_target.h"
#include "sprig/error.h"
#include "sprig/network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using sprig::fuzz::require;
    try {
        const sprig::Network network = sprig::network_from_json({reinterpret_cast<const char*>(data), size});
        network.check();
        // Accepted input survives a round trip.
        require(sprig::network_from_json(sprig::to_json(network)) == network);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
    return 0;
}

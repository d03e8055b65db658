#include <nlohmann/json.hpp>

#include "fuzz_target.h"
#include "lab/protocol/results.h"
#include "sprig/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using sprig::fuzz::require;
    const auto json = nlohmann::ordered_json::parse(data, data + size, nullptr, false);
    if (json.is_discarded()) return 0;
    try {
        const sprig::lab::SeedRun run = sprig::lab::run_of(json);
        (void)sprig::lab::numbers_of(run);
        // Accepted input survives a round trip.
        const auto again = sprig::lab::json_of(run);
        require(sprig::lab::json_of(sprig::lab::run_of(again)) == again);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
    return 0;
}

#include <string>

#include "fuzz_target.h"
#include "learner/packing.h"
#include "sprig/error.h"
#include "store/bytes_form.h"

/// Adds a valid checksum, which a fuzzer would never find. Accepted bytes must give a valid model whose bytes
/// are canonical.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using sprig::fuzz::require;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    sprig::learner::append_checksum(bytes);
    try {
        const sprig::store::ModelState state = sprig::store::from_bytes(bytes);
        state.learner->check();
        const std::string canonical = sprig::store::to_bytes(state);
        require(sprig::store::to_bytes(sprig::store::from_bytes(canonical)) == canonical);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
    return 0;
}

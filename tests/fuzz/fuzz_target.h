#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// What libFuzzer calls, and our replay too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sprig::fuzz {

/// A promise that must hold for every input. Ends the program where it does not, in every build type:
/// that is how a finding is reported.
inline void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace sprig::fuzz

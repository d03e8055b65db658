#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Called by libFuzzer and by replay_main.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sprig::fuzz {

/// Aborts the program in every build type if a property does not hold, which is how findings are reported.
inline void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace sprig::fuzz

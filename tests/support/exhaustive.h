#pragma once

#include <cstdlib>

namespace sprig::test {

/// Whether tests try all cases instead of a sample: set by `make test-full`.
inline bool exhaustive() {
    const char* value = std::getenv("SPRIG_EXHAUSTIVE");
    return value != nullptr && *value != '\0' && *value != '0';
}

} // namespace sprig::test

#pragma once

#include <cstdlib>

namespace sprig::test {

/// Whether an environment variable is set to something other than 0.
inline bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' && *value != '0';
}

/// Whether tests try all cases instead of a sample: set by `make test-full`.
inline bool exhaustive() {
    return is_set("SPRIG_EXHAUSTIVE");
}

/// Whether tests repeat less: set for the tests with the sanitized library, which are slow, and which `make
/// test` also runs without sanitizers.
inline bool brief() {
    return is_set("SPRIG_BRIEF");
}

} // namespace sprig::test

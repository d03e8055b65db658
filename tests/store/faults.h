#pragma once

#include <cstdint>

namespace sprig::store_test {

/// The operations that can fail.
enum class Fault : std::uint8_t { write, sync, memory };

/// Makes the n-th operation of this kind from now on fail, once.
void arm(Fault what, long n);
/// Stops the injection. Returns whether an operation failed.
bool disarm();

/// Installs the file system and the allocator with fault injection. Call it before SQLite is used.
void install_faults();

} // namespace sprig::store_test

#pragma once

#include <cstdint>

namespace sprig::store_test {

/// What can be made to fail.
enum class Fault : std::uint8_t { write, sync, memory };

/// From now on the n-th of these fails, once.
void arm(Fault what, long n);
/// Nothing fails any more. Whether something did.
bool disarm();

/// Puts a file system that can fail under SQLite, and memory that can: before SQLite is used.
void install_faults();

} // namespace sprig::store_test

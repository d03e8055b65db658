#pragma once

namespace sprig::test {

/// The number of allocations so far. A program that uses it is built with `support/allocations.cpp`, whose
/// operator new replaces the standard one.
[[nodiscard]] long allocations();

/// The peak of bytes in use since `start_peak`, relative to the bytes in use at that time.
void start_peak();
[[nodiscard]] long peak_bytes();

} // namespace sprig::test

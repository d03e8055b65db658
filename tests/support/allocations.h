#pragma once

namespace sprig::test {

/// How often memory was asked for so far, by whomever. A program that wants to know is built with
/// `support/allocations.cpp`, whose operator new takes the place of the library's.
[[nodiscard]] long allocations();

/// The most bytes that were in use at once since `start_peak`, beyond what was in use then.
void start_peak();
[[nodiscard]] long peak_bytes();

} // namespace sprig::test

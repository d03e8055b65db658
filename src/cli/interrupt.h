#pragma once

namespace sprig::cli {

/// Thrown at a safe point after Ctrl-C. Not an Error: nothing went wrong.
struct Interrupted {};

/// From now on Ctrl-C (or a polite kill) asks for a stop; the second one stops at once.
void catch_interrupts();

/// Throws Interrupted if a stop was asked for. Called where stopping loses nothing.
void stop_if_interrupted();

} // namespace sprig::cli

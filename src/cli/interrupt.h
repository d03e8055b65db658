#pragma once

namespace sprig::cli {

/// Thrown at a safe point after Ctrl-C. Not an Error, because nothing failed.
struct Interrupted {};

/// Makes SIGINT (Ctrl-C) and SIGTERM request a stop. A second signal ends the program at once.
void catch_interrupts();

/// Throws Interrupted if a stop was requested. Called where stopping loses nothing.
void stop_if_interrupted();

} // namespace sprig::cli

#include "cli/interrupt.h"

#include "host/host.h"

namespace sprig::cli {

void catch_interrupts() {
    host::catch_stop_signals();
}

void stop_if_interrupted() {
    if (host::stop_was_requested()) throw Interrupted{};
}

} // namespace sprig::cli

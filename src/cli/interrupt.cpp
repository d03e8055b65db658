#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace sprig::cli {

namespace {

// A signal handler can only access globals. It may interrupt one thread while another one reads this.
std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int signal) {
    stop_requested = true;
    std::signal(signal, SIG_DFL);
}

} // namespace

void catch_interrupts() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
}

void stop_if_interrupted() {
    if (stop_requested) throw Interrupted{};
}

} // namespace sprig::cli

#include "cli/interrupt.h"

#include <csignal>

namespace sprig::cli {

namespace {

// A signal handler can only access globals.
volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int signal) {
    stop_requested = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

void catch_interrupts() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
}

void stop_if_interrupted() {
    if (stop_requested != 0) throw Interrupted{};
}

} // namespace sprig::cli

#include "cli/interrupt.h"

#include <csignal>

namespace sprig::cli {

namespace {

// The one global of the program: a signal handler can reach nothing else.
volatile std::sig_atomic_t asked_to_stop = 0;

void ask_to_stop(int signal) {
    asked_to_stop = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

void catch_interrupts() {
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
}

void stop_if_interrupted() {
    if (asked_to_stop != 0) throw Interrupted{};
}

} // namespace sprig::cli

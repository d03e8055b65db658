#include "cli/standard_input.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

/// Short, because a stop may be requested just before waiting.
constexpr int timeout_ms = 200;

} // namespace

StandardInput::StandardInput() : std::istream(static_cast<std::streambuf*>(this)) {
    exceptions(std::ios::badbit); // rethrow exceptions of `underflow`
}

void StandardInput::wait_for_input() const {
    pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    while (true) {
        const int ready = poll(&input, 1, timeout_ms);
        stop_if_interrupted();
        if (is_cancelled_) throw Interrupted{};
        if (ready > 0 || (ready < 0 && errno != EINTR)) return; // read() reports the error
    }
}

std::streambuf::int_type StandardInput::underflow() {
    ssize_t got = -1;
    while (got < 0) {
        wait_for_input();
        got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            throw failed(
                fmt::format("cannot read standard input: {}", std::generic_category().message(errno)));
    }
    if (got == 0) return std::streambuf::traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
    return std::streambuf::traits_type::to_int_type(buffer_[0]);
}

} // namespace sprig::cli

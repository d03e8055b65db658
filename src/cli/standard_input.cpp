#include "cli/standard_input.h"

#include <system_error>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "host/host.h"
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
    bool ready = false;
    while (!ready) {
        ready = host::wait_for_input(timeout_ms);
        stop_if_interrupted();
        if (is_cancelled_) throw Interrupted{};
    }
}

std::streambuf::int_type StandardInput::underflow() {
    std::size_t got = 0;
    std::error_code problem;
    do {
        wait_for_input();
        got = host::read_input(buffer_, problem);
        if (problem && problem != std::errc::interrupted)
            throw failed(fmt::format("cannot read standard input: {}", problem.message()));
    } while (problem);
    if (got == 0) return std::streambuf::traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
    return std::streambuf::traits_type::to_int_type(buffer_[0]);
}

} // namespace sprig::cli

#pragma once

#include <array>
#include <atomic>
#include <istream>
#include <streambuf>

namespace sprig::cli {

/// Standard input as a stream that returns data as soon as they arrive. Unlike `std::cin`, it can be
/// interrupted while it waits, with Ctrl-C or `cancel`; reading then throws Interrupted.
class StandardInput : private std::streambuf, public std::istream {
  public:
    StandardInput();

    /// Ends the waiting of another thread, soon.
    void cancel() { is_cancelled_ = true; }

  private:
    std::streambuf::int_type underflow() override;
    void wait_for_input() const;

    std::atomic<bool> is_cancelled_ = false;
    std::array<char, 4096> buffer_ = {};
};

} // namespace sprig::cli

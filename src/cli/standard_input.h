#pragma once

#include <array>
#include <istream>
#include <streambuf>

namespace sprig::cli {

/// Standard input as a stream that returns data as soon as they arrive. Unlike `std::cin`, it can be
/// interrupted with Ctrl-C while it waits; reading then throws Interrupted.
class StandardInput : private std::streambuf, public std::istream {
  public:
    StandardInput();

  private:
    std::streambuf::int_type underflow() override;

    std::array<char, 4096> buffer_ = {};
};

} // namespace sprig::cli

#pragma once

#include <array>
#include <istream>
#include <streambuf>

namespace sprig::cli {

/// Standard input as a stream that gives out what is there as soon as it is there, and that Ctrl-C can stop
/// while it waits: reading then throws Interrupted. (`std::cin` would wait on.)
class StandardInput : private std::streambuf, public std::istream {
  public:
    StandardInput();

  private:
    std::streambuf::int_type underflow() override;

    std::array<char, 4096> buffer_ = {};
};

} // namespace sprig::cli

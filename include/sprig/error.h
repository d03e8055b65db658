#pragma once

#include <stdexcept>
#include <string>

namespace sprig {

/// What went wrong, in the terms a caller can act on.
enum class ErrorKind {
    failed,    ///< the work itself failed: a disk is full, a download broke off
    usage,     ///< the caller asked for something that does not exist or makes no sense
    bad_input, ///< a file, an image or a text is not what it must be
};

/// Every error this library throws. The message is one sentence that names the thing, the reason and,
/// where there is one, the way out; it is meant to be shown to a person as it is.
class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

/// Shorthands for the three kinds.
[[nodiscard]] inline Error failed(const std::string& message) {
    return {ErrorKind::failed, message};
}
[[nodiscard]] inline Error usage_error(const std::string& message) {
    return {ErrorKind::usage, message};
}
[[nodiscard]] inline Error bad_input(const std::string& message) {
    return {ErrorKind::bad_input, message};
}

} // namespace sprig

#pragma once

#include <stdexcept>
#include <string>

namespace sprig {

/// The kind of an error, by what the caller can do about it.
enum class ErrorKind {
    failed,    ///< the operation failed: a disk is full, a download was interrupted
    usage,     ///< an argument is invalid or names something that does not exist
    bad_input, ///< a file, an image or a text is invalid
};

/// The type of all errors that this library throws. The message is one sentence, ready to be shown to the
/// user: it names the object, the reason and, if there is one, the remedy.
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

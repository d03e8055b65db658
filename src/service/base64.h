#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::service {

/// Base64 of RFC 4648, with padding.
[[nodiscard]] std::string to_base64(std::span<const std::uint8_t> bytes);
/// The inverse; it accepts no other text, so that equal bytes have equal texts. Throws Error(bad_input),
/// which calls the text `name`.
[[nodiscard]] std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view name);

} // namespace sprig::service

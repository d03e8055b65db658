#pragma once

#include <string>
#include <string_view>

namespace sprig::store {

/// Makes long content shorter: words of 8 bytes that were there before are told by how long ago. The new
/// units of one lesson see the same shape, so that most of their words are. (LZ4 makes it no shorter, in two
/// and a half times the time, and this is paid for at every lesson.)
[[nodiscard]] std::string squeezed(std::string_view bytes);
/// What it was. Throws Error(bad_input) if it is not what `squeezed` made.
[[nodiscard]] std::string unsqueezed(std::string_view bytes);

} // namespace sprig::store

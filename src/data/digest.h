#pragma once

#include <string>

#include "data/files.h"

namespace sprig::data_detail {

/// SHA-256 as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(ByteView bytes);

} // namespace sprig::data_detail

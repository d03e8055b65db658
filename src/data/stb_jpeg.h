#pragma once

#include <optional>
#include <string>

#include "data/files.h"
#include "sprig/image.h"

namespace sprig::data_detail {

struct StbResult {
    std::optional<Picture> picture;
    std::string reason;         ///< in the decoder's words, when there is no picture
    bool read_past_end = false; ///< the decoder wanted more bytes than there are, and went on without
};

/// Hands a JPEG file to stb_image. The file must have passed our own check of its structure.
[[nodiscard]] StbResult decode_with_stb(ByteView bytes);

} // namespace sprig::data_detail

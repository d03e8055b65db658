#pragma once

#include <string>
#include <string_view>

#include "store/codec.h"
#include "store/content.h"

namespace sprig::store {

/// A change as bytes, with a checksum at the end: what stands by itself, or what only tells what differs from
/// the content that it is going to be applied to.
[[nodiscard]] std::string pack(const Delta& delta);
[[nodiscard]] std::string pack(const Delta& delta, const Content& before, const Codec& codec);
/// Throws Error(bad_input) if the bytes are not what `pack` made for this content.
[[nodiscard]] Delta unpack_delta(std::string_view bytes, const Content& before, const Codec& codec);

} // namespace sprig::store

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sprig/strokes.h"

namespace sprig::lab {

/// The kinds of gestures: arrow, check, circle, ...
[[nodiscard]] std::span<const std::string_view> gesture_kinds();

/// A gesture as a person draws it. A person has a style: proportions, slant, how much corners are rounded and
/// lines tremble, and a form of each gesture. Samples of a person differ less than people do. The same
/// arguments give the same points.
struct Gesture {
    std::size_t kind = 0;
    std::uint64_t person = 0;
    std::uint64_t sample = 0;

    [[nodiscard]] Strokes strokes() const;
};

} // namespace sprig::lab

#pragma once

#include <string>
#include <string_view>

namespace sprig::draw {

/// An SVG text as the bytes of a PNG file, `zoom` times as large as it says. Needs librsvg, so it is the
/// program's and not the library's. Throws Error(bad_input) if the text is not SVG, and Error(usage) if
/// the picture would be absurdly large.
[[nodiscard]] std::string render_png(std::string_view svg, double zoom = 2);

} // namespace sprig::draw

#pragma once

#include <string>
#include <string_view>

namespace sprig::draw {

/// Renders an SVG as a PNG file, enlarged `zoom` times. Throws Error(bad_input) if the text is not SVG,
/// Error(usage) if the picture would be too large, Error(failed) if librsvg or cairo is not installed.
[[nodiscard]] std::string render_png(std::string_view svg, double zoom = 2);

} // namespace sprig::draw

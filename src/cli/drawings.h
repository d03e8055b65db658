#pragma once

#include <string>
#include <string_view>

namespace sprig::cli {

/// Refuses the name of a drawing that is neither an .svg nor a .png file: before the work, not after it.
void require_drawing(const std::string& path);

/// Writes an SVG text to a file, as it is or as a PNG picture, by the file's name; whole or not at all.
void write_drawing(const std::string& path, std::string_view svg);

} // namespace sprig::cli

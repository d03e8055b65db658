#pragma once

#include <string>
#include <string_view>

namespace sprig::cli {

/// Throws Error(usage) if the path does not end in .svg or .png. Call it before the work.
void require_drawing(const std::string& path);

/// Writes a drawing atomically as SVG or PNG, depending on the file's extension.
void write_drawing(const std::string& path, std::string_view svg);

} // namespace sprig::cli

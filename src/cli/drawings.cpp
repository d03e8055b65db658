#include "cli/drawings.h"

#include <fmt/format.h>

#include "draw/raster.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

/// Whether a file name has this ending; the ending alone does not count.
bool has_ending(std::string_view path, std::string_view ending) {
    return path.size() > ending.size() && path.ends_with(ending);
}

} // namespace

void require_drawing(const std::string& path) {
    if (!has_ending(path, ".svg") && !has_ending(path, ".png"))
        throw usage_error(fmt::format("{} is neither an .svg nor a .png file", path));
}

void write_drawing(const std::string& path, std::string_view svg) {
    if (has_ending(path, ".png")) {
        write_file_atomically(path, draw::render_png(svg));
    } else {
        write_file_atomically(path, svg);
    }
}

} // namespace sprig::cli

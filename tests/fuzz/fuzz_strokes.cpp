#include <algorithm>
#include <sstream>
#include <string>

#include "fuzz_target.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/strokes.h"

namespace {

using sprig::fuzz::require;

std::size_t points_of(const sprig::Strokes& strokes) {
    std::size_t points = 0;
    for (const sprig::Stroke& stroke : strokes) points += stroke.size();
    return points;
}

void check(const sprig::LabelledStrokes& drawing) {
    require(points_of(drawing.strokes) <= sprig::max_stroke_points);
    require(std::none_of(drawing.label.begin(), drawing.label.end(),
                         [](char c) { return static_cast<unsigned char>(c) < ' '; }));
    const sprig::Image image = sprig::render(drawing.strokes);
    require(image.width == 28 && image.height == 28 && image.pixels.size() == 28U * 28U);
    require(*std::max_element(image.pixels.begin(), image.pixels.end()) > 127);
    // The order and the directions of strokes do not matter.
    sprig::Strokes backwards = drawing.strokes;
    std::reverse(backwards.begin(), backwards.end());
    for (sprig::Stroke& stroke : backwards) std::reverse(stroke.begin(), stroke.end());
    require(sprig::render(backwards) == image);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
    sprig::StrokeLines lines(stream);
    for (std::size_t lines_read = 0; lines_read <= size + 1; ++lines_read) { // at most one per byte
        try {
            const auto line = lines.next();
            if (!line) return 0;
            require(line->json.size() <= sprig::StrokeLines::max_line_length);
            check(sprig::parse_strokes(line->json));
        } catch (const sprig::Error& error) {
            require(error.kind() == sprig::ErrorKind::bad_input);
        }
    }
    require(false);
    return 0;
}

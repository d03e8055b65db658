#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/strokes.h"

namespace sprig::data_detail {

/// A drawing as an image, with its label.
struct DrawnStrokes {
    std::string label; ///< empty if unlabelled
    Image image;
};

/// Reads a drawing from a line of JSON. Errors begin with `where`, such as "'gestures.jsonl', line 7".
[[nodiscard]] DrawnStrokes read_drawing(std::string_view json, const std::string& where,
                                        const StrokeParams& params);

/// A file of drawings: a JSON object on each line. Empty lines are skipped. Only the positions of the lines
/// are kept in memory.
class StrokeFile {
  public:
    /// Finds the lines. Throws Error(bad_input) if the file cannot be read, has no lines or too many.
    explicit StrokeFile(std::filesystem::path path);

    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    /// Reads a drawing. Any number of threads may call it. Throws Error(bad_input) with the number of the
    /// line.
    [[nodiscard]] DrawnStrokes read(std::size_t index, const StrokeParams& params) const;

    static constexpr std::size_t max_lines = 10'000'000;

  private:
    struct Line {
        std::uint64_t offset;
        std::uint32_t length;
        std::uint32_t number; ///< in the file, from 1
    };

    std::filesystem::path path_;
    std::vector<Line> lines_;
};

} // namespace sprig::data_detail

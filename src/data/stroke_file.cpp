#include "data/stroke_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/files.h"
#include "data/lines.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::data_detail {

namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 20;

constexpr std::string_view blanks = " \t\r";

/// Calls `found(offset, length, number)` for every line that is not blank.
template <typename Found>
void for_each_line(const std::filesystem::path& path, std::uint64_t size, const Found& found) {
    std::uint64_t begin = 0; // of the current line
    std::uint64_t number = 1;
    bool blank = true;
    for (std::uint64_t offset = 0; offset < size; offset += chunk_size) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, size - offset));
        const Bytes bytes = read_file_part(path, offset, count);
        std::string_view text = as_text(bytes);
        std::uint64_t at = offset;
        if (offset == 0 && text.starts_with(byte_order_mark)) {
            text.remove_prefix(byte_order_mark.size());
            at = begin = byte_order_mark.size();
        }
        for (const char c : text) {
            if (c == '\n') {
                if (!blank) found(begin, at - begin, number);
                begin = at + 1;
                ++number;
                blank = true;
            } else {
                blank = blank && blanks.find(c) != std::string_view::npos;
            }
            ++at;
        }
    }
    if (!blank) found(begin, size - begin, number);
}

[[nodiscard]] Error drawing_too_long(const std::string& where) {
    return bad_input(fmt::format("{} is longer than {} bytes; leave out points that lie close together",
                                 where, StrokeLines::max_line_length));
}

} // namespace

DrawnStrokes read_drawing(std::string_view json, const std::string& where, const StrokeParams& params) {
    try {
        LabelledStrokes drawing = parse_strokes(json);
        return {std::move(drawing.label), render(drawing.strokes, params)};
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", where, error.what()));
    }
}

StrokeFile::StrokeFile(std::filesystem::path path) : path_(std::move(path)) {
    const std::uint64_t size = regular_file_size(path_);
    if (size > max_file_size) {
        throw bad_input(
            fmt::format("cannot read '{}': its size of {} bytes exceeds the limit of {}; split it",
                        path_.string(), size, max_file_size));
    }
    for_each_line(path_, size, [&](std::uint64_t offset, std::uint64_t length, std::uint64_t number) {
        if (lines_.size() == max_lines) {
            throw bad_input(fmt::format("'{}' has more than {} lines; split it", path_.string(), max_lines));
        }
        // Sizes and numbers fit, because the size of the file is limited.
        lines_.push_back({offset, static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(number)});
    });
    if (lines_.empty()) throw bad_input(fmt::format("'{}' contains no drawings", path_.string()));
}

DrawnStrokes StrokeFile::read(std::size_t index, const StrokeParams& params) const {
    const Line& line = lines_[index];
    const std::string where = fmt::format("'{}', line {}", path_.string(), line.number);
    if (line.length > StrokeLines::max_line_length) throw drawing_too_long(where);
    const Bytes bytes = read_file_part(path_, line.offset, line.length);
    return read_drawing(as_text(bytes), where, params);
}

} // namespace sprig::data_detail

namespace sprig {

StrokeLines::StrokeLines(std::istream& stream, std::string name) : stream_(&stream), name_(std::move(name)) {}

std::optional<StrokeLine> StrokeLines::next() {
    using namespace data_detail;
    StrokeLine line;
    while (stream_->good()) {
        ++number_;
        line.where = fmt::format("{}, line {}", name_, number_);
        const LineRead read = read_line(*stream_, line.json, max_line_length);
        if (read == LineRead::too_long) throw drawing_too_long(line.where);
        if (stream_->bad()) throw failed(fmt::format("cannot read {} after line {}", name_, number_ - 1));
        if (read == LineRead::end) break;
        if (number_ == 1 && line.json.starts_with(byte_order_mark))
            line.json.erase(0, byte_order_mark.size());
        if (line.json.find_first_not_of(blanks) != std::string::npos) return line;
    }
    return {};
}

} // namespace sprig

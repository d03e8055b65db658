#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>

namespace sprig::data_detail {

/// Some editors write it at the start of a file. It is not part of the first line.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

enum class LineRead { line, end, too_long };

/// Reads one line without its line end, byte by byte, so that nothing is read beyond it. A line that is
/// longer than `max_length` ends the stream, because its rest is not a line of its own.
inline LineRead read_line(std::istream& stream, std::string& line, std::size_t max_length) {
    line.clear();
    for (char c = 0; stream.get(c) && c != '\n';) {
        if (line.size() == max_length) {
            stream.setstate(std::ios::failbit);
            return LineRead::too_long;
        }
        line += c;
    }
    if (stream.eof() && line.empty()) return LineRead::end;
    if (line.ends_with('\r')) line.pop_back();
    return LineRead::line;
}

} // namespace sprig::data_detail

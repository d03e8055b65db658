#include <sstream>
#include <string>

#include "fuzz_target.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace {

using sprig::fuzz::require;

void check(const sprig::LabelledLine& line) {
    const std::string all = line.label + line.path.native();
    require(!line.label.empty() && !line.path.empty());
    require(line.label.find('\t') == std::string::npos);
    require(all.find('\n') == std::string::npos && all.find('\0') == std::string::npos);
    require(all.size() < sprig::LabelledLines::max_line_length);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::istringstream stream(text);
    sprig::LabelledLines lines(stream);
    for (std::size_t lines_read = 0; lines_read <= size + 1; ++lines_read) { // at most one per byte
        try {
            const auto line = lines.next();
            if (!line) return 0;
            check(*line);
            // The position is at the end of a line.
            const auto at = stream.eof() ? size : static_cast<std::size_t>(stream.tellg());
            require(at == size || (at > 0 && text[at - 1] == '\n'));
        } catch (const sprig::Error& error) {
            require(error.kind() == sprig::ErrorKind::bad_input);
        }
    }
    require(false);
    return 0;
}

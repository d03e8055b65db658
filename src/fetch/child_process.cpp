#include "fetch/child_process.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "host/host.h"
#include "sprig/error.h"

namespace sprig::fetch {

namespace {

/// The last lines of a log, joined to one line for an error message.
[[nodiscard]] std::string last_output(const std::filesystem::path& log) {
    constexpr std::size_t max_lines = 3;
    constexpr std::size_t max_length = 400;
    std::ifstream stream(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return c < ' '; }),
                   line.end());
        if (!line.empty()) lines.push_back(line);
        if (lines.size() > max_lines) lines.erase(lines.begin());
    }
    std::string text = fmt::format("{}", fmt::join(lines, " / "));
    if (text.size() > max_length) text = "..." + text.substr(text.size() - max_length);
    return text;
}

} // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
    const std::filesystem::path log = folder / "log.txt";
    std::error_code problem;
    const host::ProcessEnd end = host::run_process(arguments, folder, log, problem);
    if (problem) throw failed(fmt::format("cannot run {}: {}", arguments[0], problem.message()));
    ChildResult result;
    result.found = end.found;
    if (!end.found) return result;
    result.succeeded = end.exited && end.code == 0;
    result.ending = fmt::format("{} {}", end.exited ? "exited with code" : "was stopped by signal", end.code);
    result.last_output = last_output(log);
    return result;
}

} // namespace sprig::fetch

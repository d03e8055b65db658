#include "cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "host/host.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

bool stderr_is_a_terminal() {
    static const bool is_terminal = host::errors_go_to_a_terminal();
    return is_terminal;
}

/// Number of characters of a UTF-8 text: all bytes except continuation bytes.
std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Error cannot_print() {
    return failed(fmt::format("the result cannot be written to standard output: {}",
                              std::generic_category().message(errno)));
}

} // namespace

void print_message(std::string_view message) {
    fmt::print(stderr, "{}\n", message);
}

void print(std::string_view result) {
    if (std::fwrite(result.data(), 1, result.size(), stdout) != result.size()) throw cannot_print();
}

void flush_results() {
    if (std::fflush(stdout) != 0) throw cannot_print();
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), begin_(Clock::now()), shown_(begin_) {}

ProgressBar::~ProgressBar() {
    if (on_screen_) std::fputs("\r\x1b[K", stderr);
}

/// Limits the rate of updates.
bool ProgressBar::is_due() {
    if (!stderr_is_a_terminal()) return false;
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return false;
    shown_ = now;
    on_screen_ = true;
    return true;
}

void ProgressBar::update(std::size_t done, std::size_t total, const std::string& note) {
    stop_if_interrupted();
    if (total == 0 || !is_due()) return;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const double elapsed = std::chrono::duration<double>(shown_ - begin_).count();
    const std::string left =
        share > 0.01 ? fmt::format(", {:.0f} s left", elapsed / share * (1 - share)) : "";
    constexpr int width = 30;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r\x1b[K{} [{:#<{}}{: <{}}] {:.0f} %{}{}", label_, "", filled, "", width - filled,
               100 * share, left, note);
    std::fflush(stderr);
}

void ProgressBar::count(std::size_t done, const std::string& note) {
    stop_if_interrupted();
    if (!is_due()) return;
    fmt::print(stderr, "\r\x1b[K{} {}{}", label_, with_commas(done), note);
    std::fflush(stderr);
}

std::string Table::text(bool has_total) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], characters(row[c]));
    }
    std::size_t width = 2 * (widths.size() - 1);
    for (const std::size_t w : widths) width += w;
    std::string text;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (r == 1 || (has_total && r + 1 == rows_.size())) text += fmt::format("{:-<{}}\n", "", width);
        for (std::size_t c = 0; c < rows_[r].size(); ++c) {
            const std::string space(widths[c] - characters(rows_[r][c]), ' ');
            text += c == 0 ? rows_[r][c] + space : "  " + space + rows_[r][c];
        }
        text += '\n';
    }
    return text;
}

std::string with_commas(std::uint64_t number) {
    std::string text = fmt::format("{}", number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

} // namespace sprig::cli

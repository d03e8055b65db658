#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::cli {

/// A message to the person on stderr, one line.
void say(std::string_view message);

/// A result on stdout. Throws Error(failed) if it cannot be written.
void print(std::string_view result);
/// Sees to it that all results are out.
void flush_results();

/// A line that shows how far a long piece of work is; only on a terminal, gone when it is done. Every
/// update is also a safe point for Ctrl-C.
class ProgressBar {
  public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;

    /// `note` is shown behind it as it is.
    void update(std::size_t done, std::size_t of, const std::string& note = {});
    /// Where nobody knows how much will come.
    void count(std::size_t done, const std::string& note = {});

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool is_due();

    std::string what_;
    Clock::time_point begin_;
    Clock::time_point shown_;
    bool on_screen_ = false;
};

/// Columns of text, the first to the left, the others to the right.
class Table {
  public:
    explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    /// The rows; with a line under the header and, if `has_total`, one above the last row.
    [[nodiscard]] std::string text(bool has_total = false) const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

/// 61263 as "61,263".
[[nodiscard]] std::string with_commas(std::uint64_t number);

} // namespace sprig::cli

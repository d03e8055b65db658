#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::cli {

/// Prints a message of one line to stderr.
void print_message(std::string_view message);

/// Prints a result to stdout. Throws Error(failed) if it cannot be written.
void print(std::string_view result);
/// Flushes stdout. Throws as `print`.
void flush_results();

/// A progress bar, shown only on a terminal and removed at the end. Every update is also a safe point for
/// Ctrl-C.
class ProgressBar {
  public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;

    /// `note` is shown after the bar.
    void update(std::size_t done, std::size_t total, const std::string& note = {});
    /// For work of unknown size.
    void count(std::size_t done, const std::string& note = {});

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool is_due();

    std::string label_;
    Clock::time_point begin_;
    Clock::time_point shown_;
    bool on_screen_ = false;
};

/// A text table. The first column is left-aligned, the others right-aligned.
class Table {
  public:
    explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    /// The table with a line below the header and, if `has_total`, one above the last row.
    [[nodiscard]] std::string text(bool has_total = false) const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

/// 61263 as "61,263".
[[nodiscard]] std::string with_commas(std::uint64_t number);

} // namespace sprig::cli

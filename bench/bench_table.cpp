// Measures the speed of Sprig and of what a user could use instead. The unit F is cv::findContours on the
// same images. scripts/bench runs this program.
//   bench_table list own|other              names all work
//   bench_table count WORK                  does it once, for Callgrind: see scripts/count-instructions
//   bench_table table COUNTS OUT [WORK]...  measures time, prints a table and writes it to OUT as CSV
// A line of the file COUNTS is WORK INSTRUCTIONS CONTOURS, per image. Without WORK: all work.

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include "find_contours.h"
#include "work.h"

namespace sprig::bench {
namespace {

using Arguments = std::span<char*>;

/// Processor time of this thread: it does not grow while other programs run.
double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_nsec) * 1e-9);
}

double seconds_of(const std::function<void()>& work) {
    const double begin = now();
    work();
    return now() - begin;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

struct Times {
    double in_f = 0;
    double seconds = 0; ///< per image
};

/// One round: in turn F and the work, on the same images.
Times measure_round(const Work& work, const Run& run, FindContours& find) {
    double unit = 0;
    double seconds = 0;
    for (std::size_t done = 0; done < work.count; done += work.slice) {
        const std::size_t first = work.first + done;
        find(first, work.slice); // so that F is not measured with the caches as the work left them
        unit += seconds_of([&] { find(first, work.slice); });
        seconds += seconds_of([&] { run(first, work.slice); });
    }
    return {seconds / unit, seconds / static_cast<double>(work.count)};
}

/// The medians of several rounds.
Times measure(const Work& work) {
    constexpr double enough = 3; // seconds
    constexpr std::size_t max_rounds = 25;
    FindContours find(work.images(), work.first, work.count);
    Run run;
    if (!work.changes) {
        run = work.prepare();
        run(work.first, work.slice);
    }
    std::vector<double> in_f;
    std::vector<double> seconds;
    double spent = 0;
    while (in_f.empty() || (spent < enough && in_f.size() < max_rounds)) {
        if (work.changes) run = work.prepare();
        const Times times = measure_round(work, run, find);
        in_f.push_back(times.in_f);
        seconds.push_back(times.seconds);
        spent += times.seconds * static_cast<double>(work.count);
    }
    return {median(in_f), median(seconds)};
}

/// Per image, as Callgrind counts them.
struct Instructions {
    double work = 0;
    double contours = 0;
};

std::map<std::string, Instructions> read_counts(const char* path) {
    std::map<std::string, Instructions> counts;
    std::ifstream file(path);
    if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
    std::string name;
    Instructions count;
    while (file >> name >> count.work >> count.contours) counts[name] = count;
    return counts;
}

/// A number with three significant digits.
std::string brief(double value) {
    if (value >= 100) return fmt::format("{:.0f}", value);
    return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

/// A whole number with commas between thousands.
std::string whole(double value) {
    std::string text = fmt::format("{:.0f}", value);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

struct Row {
    std::string name, title;
    Times times;
    std::optional<Instructions> count;
};

void print_table(const std::vector<Row>& rows) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.title.size());
    const auto print = [&](std::string_view title, std::string_view time, std::string_view rate,
                           std::string_view count, std::string_view in_f) {
        fmt::print("| {:<{}} | {:>9} | {:>12} | {:>14} | {:>17} |\n", title, width, time, rate, count, in_f);
    };
    print("work", "F in time", "images per s", "instructions", "F in instructions");
    fmt::print("|{:-<{}}|{:->10}:|{:->13}:|{:->15}:|{:->18}:|\n", "", width + 2, "", "", "", "");
    for (const Row& row : rows) {
        print(row.title, brief(row.times.in_f), whole(1 / row.times.seconds),
              row.count ? whole(row.count->work) : "-",
              row.count ? brief(row.count->work / row.count->contours) : "-");
    }
}

void write_csv(const std::vector<Row>& rows, const char* path) {
    std::ofstream file(path);
    file << "work,f_time,seconds_per_image,instructions_per_image,f_instructions\n";
    for (const Row& row : rows) {
        file << fmt::format("{},{:.4g},{:.4g},", row.name, row.times.in_f, row.times.seconds);
        file << (row.count
                     ? fmt::format("{:.0f},{:.4g}\n", row.count->work, row.count->work / row.count->contours)
                     : ",\n");
    }
    if (!file.flush()) throw std::runtime_error(fmt::format("cannot write {}", path));
}

int table(Arguments arguments) {
    if (arguments.size() < 2) return 2;
    const std::map<std::string, Instructions> counts = read_counts(arguments[0]);
    const Arguments chosen = arguments.subspan(2);
    std::vector<Row> rows;
    for (const auto& all : {own_work(), other_work()}) {
        for (const Work& work : all) {
            if (!chosen.empty() && std::ranges::count(chosen, work.name) == 0) continue;
            const auto count = counts.find(work.name);
            rows.push_back({work.name, work.title, measure(work),
                            count == counts.end() ? std::nullopt : std::optional(count->second)});
        }
    }
    print_table(rows);
    write_csv(rows, arguments[1]);
    return 0;
}

Work find_work(const std::string& name) {
    // The baselines load LibTorch, which takes long under Callgrind: only if they are needed.
    for (const auto work : {own_work, other_work}) {
        const std::vector<Work> all = work();
        const auto found = std::ranges::find(all, name, &Work::name);
        if (found != all.end()) return *found;
    }
    throw std::runtime_error(fmt::format("there is no work {}", name));
}

/// Runs all slices, and counts those that are to be counted. Callgrind writes what was counted to a file.
/// Returns the number of images of the counted slices.
std::size_t counted(const char* what, const Run& run, const Work& work) {
    std::size_t images = 0;
    for (std::size_t done = 0; done < work.count; done += work.slice) {
        const bool is_counted = done / work.slice % work.counted_every == 0;
        if (is_counted) CALLGRIND_START_INSTRUMENTATION;
        run(work.first + done, work.slice);
        if (!is_counted) continue;
        CALLGRIND_STOP_INSTRUMENTATION;
        images += work.slice;
    }
    CALLGRIND_DUMP_STATS_AT(what);
    return images;
}

/// Prints the number of counted images, of F and of the work.
int count(Arguments arguments) {
    if (arguments.size() != 1) return 2;
    const Work work = find_work(arguments[0]);
    FindContours find(work.images(), work.first, work.count);
    const Run run = work.prepare();
    if (!work.changes) run(work.first, work.slice);
    find(work.first, work.slice);
    const Run contours = [&](std::size_t first, std::size_t number) { find(first, number); };
    const std::size_t images = counted("contours", contours, work);
    fmt::print("{} {}\n", images, counted("work", run, work));
    return 0;
}

int list(Arguments arguments) {
    if (arguments.size() != 1) return 2;
    for (const Work& work : std::string_view(arguments[0]) == "own" ? own_work() : other_work())
        fmt::print("{}\n", work.name);
    return 0;
}

int run(Arguments arguments) {
    const std::string_view verb = arguments.empty() ? "" : arguments[0];
    if (verb == "list") return list(arguments.subspan(1));
    if (verb == "count") return count(arguments.subspan(1));
    if (verb == "table") return table(arguments.subspan(1));
    return 2;
}

} // namespace
} // namespace sprig::bench

int main(int argc, char** argv) {
    try {
        const int code = sprig::bench::run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
        if (code == 2)
            fmt::print(stderr, "bench_table: see the first lines of bench_table.cpp for its usage\n");
        return code;
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_table: {}\n", error.what());
        return 1;
    }
}

#include "lab/report/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "data/files.h"
#include "draw/palette.h"
#include "fetch/child_process.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

using data_detail::TemporaryFolder;
using fetch::ChildResult;
using fetch::run_child;

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "\"";
}

/// Seven digits are the same on every machine.
std::string number(double value) {
    return std::isfinite(value) ? fmt::format("{:.7g}", value) : "NaN";
}

/// gnuplot reads a colour with three digits, such as "#666", differently: expand it to six.
std::string colour(std::string_view text) {
    if (text.size() != 4) return in_quotes(text);
    std::string whole = "#";
    for (const char digit : text.substr(1)) whole.append(2, digit);
    return in_quotes(whole);
}

std::string colour_of(const Line& line, std::size_t index) {
    return colour(line.strong ? draw::ink_colour : draw::series_colour(index));
}

void add_data(std::string& script, const Line& line, std::size_t index) {
    script += fmt::format("$line{} << EOD\n", index);
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double spread = line.spread.empty() ? 0 : line.spread[i];
        script += fmt::format("{} {} {} {}\n", number(line.x[i]), number(line.y[i]),
                              number(line.y[i] - spread), number(line.y[i] + spread));
    }
    script += "EOD\n";
}

double last_x(const Chart& chart) {
    double last = 0;
    for (const Line& line : chart.lines)
        for (const double x : line.x) last = std::max(last, x);
    return last;
}

void add_bands(std::string& script, const Chart& chart) {
    if (chart.band <= 0) return;
    const bool is_open = !chart.x_range || std::isinf(chart.x_range->to);
    const double end = is_open ? last_x(chart) : chart.x_range->to;
    for (std::size_t i = 1; static_cast<double>(i) * chart.band < end; i += 2) {
        const double at = static_cast<double>(i) * chart.band;
        script += fmt::format("set object rectangle from {},graph 0 to {},graph 1 behind fillcolor rgb {} "
                              "fillstyle solid noborder\n",
                              number(at), number(std::min(at + chart.band, end)), colour(draw::band_colour));
    }
}

std::string range_of(const AxisRange& range) {
    const auto end = [](double value) { return std::isinf(value) ? std::string("*") : number(value); };
    return fmt::format("[{}:{}]", end(range.from), end(range.to));
}

void add_axes(std::string& script, const Chart& chart) {
    script +=
        fmt::format("set xlabel {}\nset ylabel {}\n", in_quotes(chart.x_title), in_quotes(chart.y_title));
    if (chart.x_range) script += fmt::format("set xrange {}\n", range_of(*chart.x_range));
    if (chart.y_range) script += fmt::format("set yrange {}\n", range_of(*chart.y_range));
    if (chart.logarithmic_x) script += "set logscale x\n";
    if (chart.logarithmic_y) script += "set logscale y\n";
    if (chart.x_names.empty()) return;
    script += "set xtics (";
    for (std::size_t i = 0; i < chart.x_names.size(); ++i)
        script += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_quotes(chart.x_names[i]), i);
    script += ")\n";
}

/// All bands first, so that no band covers a line.
void add_plots(std::string& script, const Chart& chart) {
    std::string plots;
    const auto add = [&](const std::string& plot) {
        plots += (plots.empty() ? "plot " : ", \\\n     ") + plot;
    };
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Line& line = chart.lines[i];
        if (line.spread.empty()) continue;
        add(fmt::format(
            "$line{} using 1:3:4 with filledcurves fillcolor rgb {} fillstyle transparent solid 0.15 notitle",
            i, colour_of(line, i)));
    }
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Line& line = chart.lines[i];
        // Different marks too, because a chart may be printed in grey.
        const std::size_t marks = std::max<std::size_t>(1, line.x.size() / 10);
        add(fmt::format("$line{} using 1:2 with linespoints linecolor rgb {} linewidth {} dashtype {} "
                        "pointtype {} pointsize 0.6 pointinterval {} title {}",
                        i, colour_of(line, i), line.strong ? 3 : 1.6, line.dashed ? 2 : 1, 1 + (i % 13),
                        marks, in_quotes(line.name)));
    }
    script += plots + "\n";
}

void check(const Chart& chart) {
    if (chart.lines.empty()) throw usage_error("a chart needs at least one line");
    for (const Line& line : chart.lines) {
        if (line.x.size() != line.y.size() || (!line.spread.empty() && line.spread.size() != line.y.size()))
            throw usage_error(fmt::format("the line {} does not have one y for each x", line.name));
    }
}

} // namespace

std::string gnuplot_script(const Chart& chart) {
    check(chart);
    std::string script =
        fmt::format("set terminal svg size {},{} noenhanced font \"sans-serif,13\" background rgb \"white\"\n"
                    "set encoding utf8\n"
                    "set title {}\n"
                    "set key outside right top Left reverse samplen 2\n"
                    "set border 3 linecolor rgb {}\n"
                    "set tics nomirror out\n"
                    "set grid ytics linecolor rgb {} linetype 1\n",
                    chart.width, chart.height, in_quotes(chart.title), colour(draw::soft_colour),
                    colour(draw::grid_colour));
    add_axes(script, chart);
    add_bands(script, chart);
    for (std::size_t i = 0; i < chart.lines.size(); ++i) add_data(script, chart.lines[i], i);
    add_plots(script, chart);
    return script;
}

bool has_gnuplot() {
    static const bool has =
        run_child({"gnuplot", "--version"},
                  TemporaryFolder(std::filesystem::temp_directory_path(), "sprig-").path())
            .found;
    return has;
}

std::string draw_chart(const Chart& chart) {
    const TemporaryFolder folder(std::filesystem::temp_directory_path(), "sprig-");
    write_file_atomically(folder.path() / "chart.gp", "set output 'chart.svg'\n" + gnuplot_script(chart));
    const ChildResult drawn = run_child({"gnuplot", "chart.gp"}, folder.path());
    if (!drawn.found)
        throw failed("gnuplot, which draws the charts, is not installed: run scripts/install-deps lab");
    if (drawn.succeeded && std::filesystem::exists(folder.path() / "chart.svg")) {
        const data_detail::Bytes svg = data_detail::read_file(folder.path() / "chart.svg");
        if (data_detail::as_text(svg).find("</svg>") != std::string_view::npos)
            return std::string(data_detail::as_text(svg));
    }
    throw failed(
        fmt::format("gnuplot could not draw '{}': it {}: {}", chart.title, drawn.ending, drawn.last_output));
}

void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart) {
    write_file_atomically(folder / (name + ".gp"), gnuplot_script(chart));
    if (has_gnuplot()) write_file_atomically(folder / (name + ".svg"), draw_chart(chart));
}

namespace {

/// Adds the mean and the standard deviation over seeds; a gap if no seed has a value.
void add_point(Line& line, double x, const std::vector<double>& values) {
    line.x.push_back(x);
    line.y.push_back(mean(values).value_or(std::numeric_limits<double>::quiet_NaN()));
    line.spread.push_back(deviation(values).value_or(0));
}

/// A value of every checkpoint, in the order of the stream.
template <class Get>
Line by_block(std::string name, const Results& results, Get get) {
    Line line{std::move(name), {}, {}};
    const SeedRun& first = results.runs().front();
    const auto classes = static_cast<double>(first.accuracy.classes());
    for (std::size_t i = 0; i < first.checkpoints.size(); ++i) {
        std::vector<double> values;
        for (const SeedRun& run : results.runs()) values.push_back(get(run.checkpoints[i]));
        const Checkpoint& at = first.checkpoints[i];
        add_point(line, static_cast<double>(at.cycle) + (static_cast<double>(at.block + 1) / classes),
                  values);
    }
    return line;
}

/// The mean over classes after each block.
Line mean_by_block(const Results& results) {
    Line line = by_block("mean", results, [](const Checkpoint& at) { return at.drawn.balanced(); });
    line.spread.clear();
    line.strong = true;
    return line;
}

bool has_negative_units(const Results& results) {
    return std::ranges::any_of(results.runs(), [](const SeedRun& run) {
        return std::ranges::any_of(run.checkpoints,
                                   [](const Checkpoint& at) { return at.units.all.negative > 0; });
    });
}

} // namespace

Line accuracy_by_cycle(std::string name, const Results& results) {
    Line line{std::move(name), {}, {}};
    for (std::size_t cycle = 0; cycle < results.runs().front().accuracy.cycles(); ++cycle) {
        std::vector<double> values;
        for (const SeedRun& run : results.runs()) {
            const std::optional<double> accuracy = accuracy_at_end_of(run.accuracy, cycle);
            if (accuracy) values.push_back(*accuracy);
        }
        add_point(line, static_cast<double>(cycle), values);
    }
    return line;
}

Line units_by_block(std::string name, const Results& results,
                    const std::function<std::size_t(const ModelSize& units)>& count) {
    return by_block(std::move(name), results,
                    [&](const Checkpoint& at) { return static_cast<double>(count(at.units.all)); });
}

Line class_by_block(std::string name, const Results& results, std::size_t label) {
    Line line = by_block(std::move(name), results,
                         [label](const Checkpoint& at) { return at.drawn.by_class()[label]; });
    line.spread.clear();
    return line;
}

Chart stream_chart(std::string title, std::string y_title, std::vector<Line> lines, std::size_t cycles) {
    Chart chart{std::move(title), "cycle", std::move(y_title), std::move(lines)};
    chart.x_range = {0, static_cast<double>(cycles)};
    return chart;
}

Chart retention_chart(std::string title, const Results& results, const std::vector<std::string>& classes) {
    std::vector<Line> lines;
    for (std::size_t c = 0; c < classes.size(); ++c) lines.push_back(class_by_block(classes[c], results, c));
    lines.push_back(mean_by_block(results));
    Chart chart = stream_chart(std::move(title), "accuracy on held-out images", std::move(lines),
                               results.runs().front().accuracy.cycles());
    chart.y_range = {0, 1};
    chart.band = 1;
    return chart;
}

Chart growth_chart(std::string title, const Results& results) {
    std::vector<Line> lines = {
        units_by_block("units", results, [](const ModelSize& units) { return units.total(); })};
    lines.front().strong = true;
    if (has_negative_units(results)) {
        lines.push_back(
            units_by_block("positive", results, [](const ModelSize& units) { return units.positive; }));
        lines.push_back(
            units_by_block("negative", results, [](const ModelSize& units) { return units.negative; }));
    } else {
        // All units are positive: lines by polarity would show the total again, and zero.
        lines.push_back(units_by_block("singletons (units with one sample)", results,
                                       [](const ModelSize& units) { return units.singletons; }));
    }
    Chart chart =
        stream_chart(std::move(title), "units", std::move(lines), results.runs().front().accuracy.cycles());
    chart.band = 1;
    chart.y_range = {0, std::numeric_limits<double>::infinity()};
    return chart;
}

} // namespace sprig::lab

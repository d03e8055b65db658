#include "lab/chart.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "draw/palette.h"
#include "lab/process.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "\"";
}

/// Seven digits are more than a person sees, and the same on every machine.
std::string number(double value) {
    return std::isfinite(value) ? fmt::format("{:.7g}", value) : "NaN";
}

/// A colour in quotes. Three digits, as in "#666", are another colour to gnuplot.
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
    const bool is_open = !chart.x_range || std::isinf(chart.x_range->second);
    const double end = is_open ? last_x(chart) : chart.x_range->second;
    for (std::size_t i = 1; static_cast<double>(i) * chart.band < end; i += 2) {
        const double at = static_cast<double>(i) * chart.band;
        script += fmt::format("set object rectangle from {},graph 0 to {},graph 1 behind fillcolor rgb {} "
                              "fillstyle solid noborder\n",
                              number(at), number(std::min(at + chart.band, end)), colour(draw::band_colour));
    }
}

/// An end that is infinite is where the lines end.
std::string range_of(const std::pair<double, double>& range) {
    const auto end = [](double value) { return std::isinf(value) ? std::string("*") : number(value); };
    return fmt::format("[{}:{}]", end(range.first), end(range.second));
}

void add_axes(std::string& script, const Chart& chart) {
    script +=
        fmt::format("set xlabel {}\nset ylabel {}\n", in_quotes(chart.x_title), in_quotes(chart.y_title));
    if (chart.x_range) script += fmt::format("set xrange {}\n", range_of(*chart.x_range));
    if (chart.y_range) script += fmt::format("set yrange {}\n", range_of(*chart.y_range));
    if (chart.logarithmic_x) script += "set logscale x\n";
    if (chart.x_names.empty()) return;
    script += "set xtics (";
    for (std::size_t i = 0; i < chart.x_names.size(); ++i)
        script += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_quotes(chart.x_names[i]), i);
    script += ")\n";
}

/// Bands first, so that no line lies under another one's band.
void add_plots(std::string& script, const Chart& chart) {
    std::string plots;
    const auto add = [&](const std::string& plot) {
        plots += (plots.empty() ? "plot " : ", \\\n     ") + plot;
    };
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Line& line = chart.lines[i];
        if (line.spread.empty()) continue;
        add(fmt::format(
            "$line{} using 1:3:4 with filledcurves fillcolor rgb {} fillstyle transparent solid 0.15 "
            "notitle",
            i, colour_of(line, i)));
    }
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Line& line = chart.lines[i];
        // Marks as well as colours: a figure may be printed in grey.
        const std::size_t marks = std::max<std::size_t>(1, line.x.size() / 10);
        add(fmt::format(
            "$line{} using 1:2 with linespoints linecolor rgb {} linewidth {} dashtype {} pointtype {} "
            "pointsize 0.6 pointinterval {} title {}",
            i, colour_of(line, i), line.strong ? 3 : 1.6, line.dashed ? 2 : 1, 1 + (i % 13), marks,
            in_quotes(line.name)));
    }
    script += plots + "\n";
}

void check(const Chart& chart) {
    if (chart.lines.empty()) throw usage_error("a chart needs at least one line");
    for (const Line& line : chart.lines) {
        if (line.x.size() != line.y.size() || (!line.spread.empty() && line.spread.size() != line.y.size()))
            throw usage_error(fmt::format("the line {} has not one y for each x", line.name));
    }
}

} // namespace

std::string script_of(const Chart& chart) {
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
    static const bool has = run_program({"gnuplot", "--version"}, "").has_value();
    return has;
}

std::string draw_chart(const Chart& chart) {
    const std::string script = script_of(chart);
    std::optional<ProgramResult> drawn = run_program({"gnuplot", "-"}, script);
    if (!drawn)
        throw failed("gnuplot, which draws the charts, is not installed: scripts/install-deps program");
    if (drawn->code != 0 || drawn->output.find("</svg>") == std::string::npos)
        throw failed(fmt::format("gnuplot could not draw '{}'", chart.title));
    return std::move(drawn->output);
}

void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart) {
    write_file_atomically(folder / (name + ".gp"), script_of(chart));
    if (has_gnuplot()) write_file_atomically(folder / (name + ".svg"), draw_chart(chart));
}

} // namespace sprig::lab

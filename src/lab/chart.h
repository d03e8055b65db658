#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sprig::lab {

/// One line of a chart. A value that is not a number leaves a gap.
struct Line {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> spread = {}; ///< a pale band of so much above and below; empty: none
    bool strong = false;             ///< thick and black: what the others are compared with
    bool dashed = false;
};

/// Numbers along an axis, for a person. Drawn by gnuplot.
struct Chart {
    std::string title;
    std::string x_title;
    std::string y_title;
    std::vector<Line> lines;
    std::optional<std::pair<double, double>> x_range = {}; ///< none or infinite: what the lines need
    std::optional<std::pair<double, double>> y_range = {};
    double band = 0; ///< every other stretch of this length is grey, from x = 0 on; 0: none
    std::vector<std::string> x_names = {}; ///< what stands under x = 0, 1, ... in place of numbers
    bool logarithmic_x = false;
    int width = 900; ///< px
    int height = 460;
};

/// What gnuplot is told: the whole chart with its numbers. The same chart gives the same text.
[[nodiscard]] std::string script_of(const Chart& chart);

/// Whether charts can be drawn at all on this machine.
[[nodiscard]] bool has_gnuplot();

/// Writes a chart into a folder: NAME.gp, what gnuplot is told, and where that is installed NAME.svg.
void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart);

/// The chart as SVG text. Throws Error(failed) if gnuplot is not there, or refuses.
[[nodiscard]] std::string draw_chart(const Chart& chart);

} // namespace sprig::lab

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/protocol/results.h"

namespace sprig::lab {

/// One line of a chart. A NaN leaves a gap.
struct Line {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> spread = {}; ///< half the width of a pale band around the line; empty: no band
    bool strong = false;             ///< thick and black, for what the other lines are compared with
    bool dashed = false;
};

/// The limits of an axis; an infinite limit is fitted to the data.
struct AxisRange {
    double from = 0;
    double to = 0;
};

/// A line chart, drawn by gnuplot.
struct Chart {
    std::string title;
    std::string x_title;
    std::string y_title;
    std::vector<Line> lines;
    std::optional<AxisRange> x_range = {}; ///< not set: fitted to the data
    std::optional<AxisRange> y_range = {};
    double band = 0; ///< width of the alternating grey bands, from x = 0 on; 0: no bands
    std::vector<std::string> x_names = {}; ///< labels for x = 0, 1, ... instead of numbers
    bool logarithmic_x = false;
    bool logarithmic_y = false;
    int width = 900; ///< px
    int height = 460;
};

/// A gnuplot script with the data of the chart. The same chart gives the same text.
[[nodiscard]] std::string gnuplot_script(const Chart& chart);

/// Whether gnuplot is installed.
[[nodiscard]] bool has_gnuplot();

/// Writes NAME.gp, the gnuplot script, into a folder and, if gnuplot is installed, NAME.svg.
void write_chart(const std::filesystem::path& folder, const std::string& name, const Chart& chart);

/// The chart as SVG text. Throws Error(failed) if gnuplot is not installed or fails.
[[nodiscard]] std::string draw_chart(const Chart& chart);

// Lines along a stream: means over seeds with the standard deviation as spread. x is the cycle; blocks are
// fractions of it.

/// The accuracy at the end of each cycle; a gap where it was not evaluated.
[[nodiscard]] Line accuracy_by_cycle(std::string name, const Results& results);
/// The number of units after each block, as `count` counts them.
[[nodiscard]] Line units_by_block(std::string name, const Results& results,
                                  const std::function<std::size_t(const ModelSize& units)>& count);
/// The accuracy of one class after each block, without a spread.
[[nodiscard]] Line class_by_block(std::string name, const Results& results, std::size_t label);

/// A chart whose x axis is the cycles of a stream.
[[nodiscard]] Chart stream_chart(std::string title, std::string y_title, std::vector<Line> lines,
                                 std::size_t cycles);
/// The accuracy of each class after every block, and their mean in black. A class that is forgotten falls
/// while other classes are learned.
[[nodiscard]] Chart retention_chart(std::string title, const Results& results,
                                    const std::vector<std::string>& classes);

/// The number of units along the stream: by polarity if the learner has negative units, otherwise the total
/// and the singletons.
[[nodiscard]] Chart growth_chart(std::string title, const Results& results);

} // namespace sprig::lab

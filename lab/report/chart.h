#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/protocol/results.h"

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

/// From where to where an axis goes; an infinite end is where the lines end.
struct AxisRange {
    double from = 0;
    double to = 0;
};

/// Numbers along an axis, for a person. Drawn by gnuplot.
struct Chart {
    std::string title;
    std::string x_title;
    std::string y_title;
    std::vector<Line> lines;
    std::optional<AxisRange> x_range = {}; ///< none: what the lines need
    std::optional<AxisRange> y_range = {};
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

/// Lines along a stream: x is the cycle, with the blocks between. Means over seeds, with their spread.

/// The accuracy at the end of each cycle; where nothing was asked there is a gap.
[[nodiscard]] Line accuracy_by_cycle(std::string name, const Results& results);
/// How many units of some kind there are after each block.
[[nodiscard]] Line units_by_block(std::string name, const Results& results,
                                  const std::function<std::size_t(const Census& units)>& count);
/// The accuracy of one class after each block, without its spread.
[[nodiscard]] Line class_by_block(std::string name, const Results& results, std::size_t label);

/// A chart along the cycles of a stream.
[[nodiscard]] Chart along_the_stream(std::string title, std::string y_title, std::vector<Line> lines,
                                     std::size_t cycles);
/// One line for each class, their mean in black, and every other cycle in grey: what forgets goes down when
/// others are taught.
[[nodiscard]] Chart retention_chart(std::string title, const Results& results,
                                    const std::vector<std::string>& classes);

/// How the number of units grew: of a learner that has negative ones, by polarity; of others, all of them and
/// the singletons.
[[nodiscard]] Chart growth_chart(std::string title, const Results& results);

} // namespace sprig::lab

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/protocol/context.h"
#include "lab/report/chart.h"

namespace sprig::lab {

/// What stands in one place of a table: for a person, and for a program.
struct Cell {
    std::string text;
    std::optional<double> number = {};

    [[nodiscard]] bool is_tick() const;
    [[nodiscard]] bool is_cross() const;
};

[[nodiscard]] Cell cell(std::string text);
/// A tick or a cross: whether something agrees.
[[nodiscard]] Cell agreement(bool agrees);
[[nodiscard]] Cell cell(std::size_t count);
/// A number that a person sees with so many digits; "-" if there is none.
[[nodiscard]] Cell cell(std::optional<double> number, int digits);
/// Two cells: the mean over seeds, and the standard deviation.
void add_mean(std::vector<Cell>& row, std::span<const double> over_seeds, int digits);

/// What every table says of a model's size, as means over seeds: units, singletons, nodes, bytes.
inline const std::vector<std::string> census_header = {"units", "singletons", "nodes", "bytes"};
void add_census(std::vector<Cell>& row, std::span<const Census> over_seeds);

struct StudyTable {
    std::string name; ///< its file is called so, too
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<Cell>> rows = {};
};

struct StudyFigure {
    std::string file;
    std::string svg;
    std::string caption = {}; ///< whole sentences
};

struct StudyChart {
    std::string file; ///< without its ending
    Chart chart;
    std::string caption; ///< whole sentences
};

/// Why ours differs from the paper's in some places of a table, and which experiment shows it.
struct Reason {
    std::string table;  ///< its name
    std::string row;    ///< what the row begins with; empty: any
    std::string column; ///< the heading of our figure; empty: any
    std::string why;    ///< whole sentences
};

struct StudyResult {
    std::vector<StudyTable> tables = {};
    std::vector<std::string> notes = {}; ///< whole sentences
    std::vector<StudyChart> charts = {};
    std::vector<StudyFigure> figures = {}; ///< other drawings
    std::vector<Reason> reasons = {};
    /// What each of its experiments hangs on, by name: its learner's parameters and version, the stream. As
    /// JSON text.
    std::vector<std::pair<std::string, std::string>> experiments = {};
    std::vector<StudyTable> files = {}; ///< for programs only: written as files, shown nowhere
    /// What must hold and did not, as one sentence: then the work failed, whatever else was found.
    std::optional<std::string> failure = {};
};

/// What a study asks about: the held-out digits that its context names, or images of its own.
enum class AsksAbout : std::uint8_t { held_out_digits, own_images };

/// One question, and how it is answered.
struct Study {
    std::string name;
    std::string question;
    std::function<StudyResult(const StudyContext&)> run;
    AsksAbout asks_about = AsksAbout::held_out_digits;
    /// About how long ten seeds take on two cores.
    double minutes = 1;
    /// The only learner that it makes sense for; empty: any.
    std::string only_for = {};
    /// Whether it compares learners of its own choice, and not the chosen one.
    bool is_contest = false;
    /// Of a contest: whether somebody may choose its learners and its stream instead.
    bool has_stream = false;
    /// Whether it has methods to choose from, and long tables that it makes only if asked for.
    bool has_methods = false;
    /// Whether its work is pieces that are kept, so that a team can share them. Contests always do so.
    bool has_pieces = false;
    /// The data sets that it asks for besides MNIST.
    std::vector<std::string> also_needs = {};
    /// The preset of the default learner that is made for its question; empty: its own default.
    std::string preset = {};

    [[nodiscard]] bool can_be_shared() const { return is_contest || has_pieces; }

    /// The digits that what it found is about; none if it asked about no digits.
    [[nodiscard]] std::optional<HeldOut> held_out_in(const StudyContext& context) const {
        if (context.asked) return context.asked->material.held_out;
        if (asks_about == AsksAbout::own_images) return std::nullopt;
        return context.held_out;
    }
};

} // namespace sprig::lab

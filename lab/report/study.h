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

/// One cell of a table: the text for readers and, if it has one, the number for programs.
struct Cell {
    std::string text;
    std::optional<double> number = {};

    [[nodiscard]] bool is_tick() const;
    [[nodiscard]] bool is_cross() const;
};

[[nodiscard]] Cell cell(std::string text);
/// A tick if something agrees, otherwise a cross.
[[nodiscard]] Cell agreement(bool agrees);
[[nodiscard]] Cell cell(std::size_t count);
/// A number shown with `digits` decimals; "-" if there is none.
[[nodiscard]] Cell cell(std::optional<double> number, int digits);
/// Adds two cells: the mean over seeds and the standard deviation.
void add_mean(std::vector<Cell>& row, std::span<const double> over_seeds, int digits);

/// The size of a model, as means over seeds.
inline const std::vector<std::string> model_size_header = {"units", "singletons", "nodes", "bytes"};
void add_model_sizes(std::vector<Cell>& row, std::span<const ModelSize> over_seeds);

struct StudyTable {
    std::string name; ///< also the name of its CSV file
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<Cell>> rows = {};
};

struct StudyFigure {
    std::string file;
    std::string svg;
    std::string caption = {}; ///< in whole sentences
};

struct StudyChart {
    std::string file; ///< without an extension
    Chart chart;
    std::string caption; ///< in whole sentences
};

/// Why some results in a table differ from the paper's, and which experiment shows it.
struct Reason {
    std::string table;  ///< its name
    std::string row;    ///< prefix of the row's first cell; empty: any row
    std::string column; ///< heading of our value; empty: any column
    std::string why;    ///< in whole sentences
};

struct StudyResult {
    std::vector<StudyTable> tables = {};
    std::vector<std::string> notes = {}; ///< in whole sentences
    std::vector<StudyChart> charts = {};
    std::vector<StudyFigure> figures = {}; ///< drawings that are not charts
    std::vector<Reason> reasons = {};
    /// What determines each experiment, as JSON text by name: the learner's parameters and version, the
    /// stream.
    std::vector<std::pair<std::string, std::string>> experiments = {};
    std::vector<StudyTable> files = {}; ///< written as CSV files only, not shown in reports
    /// A required condition that does not hold, as one sentence. The study has then failed.
    std::optional<std::string> failure = {};
};

/// What a study evaluates on: the held-out digits that its context names, or images of its own, of which it
/// may have others for development.
enum class TestImages : std::uint8_t { held_out_digits, own_images, own_images_and_dev };

/// One question and the experiment that answers it.
struct Study {
    std::string name;
    std::string question;
    std::function<StudyResult(const StudyContext&)> run;
    TestImages test_images = TestImages::held_out_digits;
    /// Approximate time for ten seeds on two cores.
    double minutes = 1;
    /// The only learner that it applies to; empty: any.
    std::string only_for = {};
    /// Whether it compares a fixed set of learners instead of running the chosen one.
    bool compares_learners = false;
    /// Whether the chosen learner is one of those that it compares.
    bool compares_chosen = false;
    /// Whether the user may choose the compared learners and the stream.
    bool has_stream = false;
    /// Whether the user may choose methods, and it has long tables that are made only with --full.
    bool has_methods = false;
    /// Whether its work is divided into work items that several processes can share. A study that compares
    /// learners always is.
    bool has_work_items = false;
    /// The data sets that it needs besides MNIST.
    std::vector<std::string> also_needs = {};

    [[nodiscard]] bool can_be_shared() const { return compares_learners || has_work_items; }

    /// The held-out images that it evaluates on; not set if it evaluates on images of its own.
    [[nodiscard]] std::optional<HeldOut> held_out_in(const StudyContext& context) const {
        if (context.custom_stream) return context.custom_stream->data.held_out;
        if (test_images == TestImages::own_images) return std::nullopt;
        if (test_images == TestImages::own_images_and_dev && context.held_out != HeldOut::dev)
            return std::nullopt;
        return context.held_out;
    }
};

} // namespace sprig::lab

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/chart.h"
#include "lab/filter.h"
#include "lab/material.h"
#include "sprig/learner.h"

namespace sprig::lab {

class Team;

/// Which learner, by name; the lab knows none of them.
struct LearnerSetting {
    std::string learner;
    std::string preset;                                             ///< empty: the learner's own default
    std::vector<std::pair<std::string, std::string>> settings = {}; ///< beyond the preset: KEY and VALUE

    /// The same with some parameters set; those that were set before get the new value.
    [[nodiscard]] LearnerSetting with(std::span<const std::pair<std::string, std::string>> more) const;
};

/// Makes a learner that has seen nothing yet. Called from several threads.
using MakeLearner =
    std::function<std::unique_ptr<Learner>(const LearnerSetting& setting, std::uint64_t seed)>;

/// All that a study may depend on.
struct StudyContext {
    LearnerSetting chosen;
    MakeLearner make;
    std::vector<std::uint64_t> seeds;
    HeldOut held_out = HeldOut::t10k; ///< or dev
    std::size_t threads = 1;
    /// At most so many images in each set, to see quickly whether a study runs at all; 0: all of them.
    std::size_t limit = 0;
    /// Of a study that compares learners: only these, by name; empty: all.
    std::vector<std::string> methods = {};
    bool full = false; ///< of such a study: its long tables, too
    /// Where finished pieces of work are kept, by those studies that do so; empty: nowhere.
    std::filesystem::path keep = {};
    std::string study = {}; ///< its name: pieces that no other study has are kept under it
    Team* team = nullptr;   ///< who shares the pieces; null: this process is alone
    /// Begins to show a piece of work; what it returns is told how far the work is, and may throw to stop.
    std::function<Progress(const std::string& what)> show = {};

    [[nodiscard]] Progress begin(const std::string& what) const { return show ? show(what) : Progress{}; }
    [[nodiscard]] std::unique_ptr<Learner> make_chosen(std::uint64_t seed) const {
        return make(chosen, seed);
    }
    [[nodiscard]] std::size_t limited(std::size_t count) const {
        return limit == 0 || count < limit ? count : limit;
    }
};

/// What stands in one place of a table: for a person, and for a program.
struct Cell {
    std::string text;
    std::optional<double> number = {};
};

[[nodiscard]] Cell cell(std::string text);
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
    StudyTable seeds = {}; ///< what each seed of each experiment gave: for programs only; may be empty
    /// What must hold and did not, as one sentence: then the work failed, whatever else was found.
    std::optional<std::string> failure = {};
};

/// What a study asks about: the held-out digits that its context names, or images of its own.
enum class AsksAbout : std::uint8_t { held_out_digits, own_images };

/// One question, and how it is answered.
struct Study {
    const char* name;
    const char* question;
    std::function<StudyResult(const StudyContext&)> run;
    AsksAbout asks_about = AsksAbout::held_out_digits;
    /// The only learner that it makes sense for; null: any.
    const char* only_for = nullptr;
    /// Whether it compares learners of its own choice, and not the chosen one.
    bool is_contest = false;
    /// About how long ten seeds take on two cores.
    double minutes = 1;
    /// Whether it has methods to choose from, and long tables that it makes only if asked for.
    bool has_methods = false;
    /// Whether its work is pieces that are kept, so that a team can share them. Contests always do so.
    bool has_pieces = false;
    /// The data sets that it asks for besides MNIST.
    std::vector<const char*> also_needs = {};
    /// The preset of Constellation that is made for its question; null: the default one.
    const char* preset = nullptr;

    [[nodiscard]] bool can_be_shared() const { return is_contest || has_pieces; }

    /// The digits that what it found is about; none if it asked about no digits.
    [[nodiscard]] std::optional<HeldOut> held_out_in(const StudyContext& context) const {
        if (asks_about == AsksAbout::own_images) return std::nullopt;
        return context.held_out;
    }
};

/// All studies, in the order in which they are listed.
[[nodiscard]] const std::vector<Study>& all_studies();
/// The one of them that has that name. Throws Error(usage) that names them all if there is none.
[[nodiscard]] const Study& study_called(std::string_view name,
                                        const std::vector<Study>& studies = all_studies());

} // namespace sprig::lab

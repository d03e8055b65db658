#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/report/study.h"

namespace sprig::lab {

/// The results of a study and how they were made, without times: the same in every run.
[[nodiscard]] nlohmann::ordered_json study_json(const Study& study, const StudyContext& context,
                                                const StudyResult& result);
/// A table as comma-separated values: the full number of a cell that has one, otherwise its text.
[[nodiscard]] std::string csv_of(const StudyTable& table);

/// Writes into an existing folder: a CSV file for each table and for each of `files`, the charts as gnuplot
/// scripts and, if gnuplot is installed, as SVG, the other figures, `summary.json` and `times.json`. All but
/// `times.json` are byte for byte the same in every run.
void write_study(const std::filesystem::path& folder, const Study& study, const StudyContext& context,
                 const StudyResult& result, double seconds);

/// The complete result, to be stored and restored by `result_of`.
[[nodiscard]] nlohmann::ordered_json json_of(const StudyResult& result);
/// Throws Error(bad_input) if the JSON is not a study's result.
[[nodiscard]] StudyResult result_of(const nlohmann::ordered_json& json);

/// Runs a study that is not divided into work items as a single one: if it has already been finished with the
/// same learner, seeds and images, its stored result is returned.
[[nodiscard]] StudyResult run_as_one_item(const Study& study, const StudyContext& context);

struct StoredFigure {
    std::string file;
    std::string caption;
    std::string svg; ///< empty if it was not drawn
};

/// A study's result as read from its folder: all that a report needs.
struct StoredStudy {
    std::string name;
    std::string question;
    std::string version; ///< of Sprig
    std::string learner; ///< with its preset; empty if the study chooses its learners
    std::size_t seeds = 0;
    std::vector<StudyTable> tables;
    std::vector<StoredFigure> figures;
    std::vector<std::string> notes;
    std::vector<Reason> reasons;

    /// Null if there is no table of that name.
    [[nodiscard]] const StudyTable* table(std::string_view name) const;
};

/// A result in a table that does not agree with the paper's: a cross.
struct Disagreement {
    std::string row;    ///< the text of its first cell
    std::string column; ///< the heading of our value
};
[[nodiscard]] std::vector<Disagreement> disagreements_in(const StudyTable& table);
/// The heading of the value that a column belongs to. The columns that follow a value (sd, paper, off, agree)
/// belong to it.
[[nodiscard]] const std::string& heading_of(const StudyTable& table, std::size_t column);
/// Null if no reason is given.
[[nodiscard]] const Reason* reason_for(const StoredStudy& study, const StudyTable& table,
                                       const Disagreement& place);

/// A study from the text of its summary.json, without the drawings. Throws Error(bad_input) if it is invalid.
[[nodiscard]] StoredStudy parse_study(std::string_view text);

/// Reads a study's folder; not set if the study has not been run. Throws Error(bad_input) that names the file
/// if it is damaged.
[[nodiscard]] std::optional<StoredStudy> load_study(const std::filesystem::path& folder);

} // namespace sprig::lab

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/report/study.h"

namespace sprig::lab {

/// What a study found and how, without times: the same in every run.
[[nodiscard]] nlohmann::ordered_json study_json(const Study& study, const StudyContext& context,
                                                const StudyResult& result);
/// A table as comma-separated values: numbers in full where a cell has one, words where it has none.
[[nodiscard]] std::string csv_of(const StudyTable& table);

/// Writes a CSV file for each table, those for programs too, the charts as scripts for gnuplot and, where
/// that is installed, drawn by it, the other figures, `summary.json` and `times.json` into a folder that is
/// there. All but the last are the same, byte for byte, whenever the same was run.
void write_study(const std::filesystem::path& folder, const Study& study, const StudyContext& context,
                 const StudyResult& result, double seconds);

/// All that a study found, so that it can be kept and come back as it was.
[[nodiscard]] nlohmann::ordered_json json_of(const StudyResult& result);
/// Throws Error(bad_input) if it is not that.
[[nodiscard]] StudyResult result_of(const nlohmann::ordered_json& json);

/// Runs a study whose work is no pieces that could be kept one by one as a single piece: if it was finished
/// before with the same learner, seeds and images, that is what it found.
[[nodiscard]] StudyResult run_as_one_piece(const Study& study, const StudyContext& context);

struct StoredFigure {
    std::string file;
    std::string caption;
    std::string svg; ///< empty: it was not drawn
};

/// What a study left in its folder: all that a report needs.
struct StoredStudy {
    std::string name;
    std::string question;
    std::string version; ///< of Sprig
    std::string who;     ///< learner and preset; empty if the study chooses itself
    std::size_t seeds = 0;
    std::vector<StudyTable> tables;
    std::vector<StoredFigure> figures;
    std::vector<std::string> notes;
    std::vector<Reason> reasons;

    /// Null if there is none of that name.
    [[nodiscard]] const StudyTable* table(std::string_view name) const;
};

/// A place of a table where ours does not agree with the paper's.
struct Cross {
    std::string row;    ///< what its first cell says
    std::string column; ///< the heading of our figure
};
[[nodiscard]] std::vector<Cross> crosses_in(const StudyTable& table);
/// The heading of our figure that a column belongs to: its spread, the paper's figure and what follows.
[[nodiscard]] const std::string& heading_of(const StudyTable& table, std::size_t column);
/// What is known of a cross; null if nothing is.
[[nodiscard]] const Reason* reason_for(const StoredStudy& study, const StudyTable& table, const Cross& cross);

/// A study from the text of its summary, without the drawings. Throws Error(bad_input) if it is none.
[[nodiscard]] StoredStudy study_of_text(std::string_view text);

/// Reads a study's folder; none if it has not been run. Throws Error(bad_input) that names the file if what
/// is there is damaged.
[[nodiscard]] std::optional<StoredStudy> load_study(const std::filesystem::path& folder);

} // namespace sprig::lab

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/study.h"

namespace sprig::lab {

/// A table as a person sees it.
struct StoredTable {
    std::string name;
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

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
    std::vector<StoredTable> tables;
    std::vector<StoredFigure> figures;
    std::vector<std::string> notes;
    std::vector<Reason> reasons;

    /// Null if there is none of that name.
    [[nodiscard]] const StoredTable* table(std::string_view name) const;
};

/// A place of a table where ours does not agree with the paper's.
struct Cross {
    std::string row;    ///< what its first cell says
    std::string column; ///< the heading of our figure
};
[[nodiscard]] std::vector<Cross> crosses_in(const StoredTable& table);
/// The heading of our figure that a column belongs to: its spread, the paper's figure and what follows.
[[nodiscard]] const std::string& heading_of(const StoredTable& table, std::size_t column);
/// What is known of a cross; null if nothing is.
[[nodiscard]] const Reason* reason_for(const StoredStudy& study, const StoredTable& table,
                                       const Cross& cross);

/// A study from the text of its summary, without the drawings. Throws Error(bad_input) if it is none.
[[nodiscard]] StoredStudy study_of_text(std::string_view text);

/// Reads a study's folder; none if it has not been run. Throws Error(bad_input) that names the file if what
/// is there is damaged.
[[nodiscard]] std::optional<StoredStudy> load_study(const std::filesystem::path& folder);

} // namespace sprig::lab

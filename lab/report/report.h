#pragma once

#include <string>
#include <vector>

#include "lab/report/study_files.h"

namespace sprig::lab {

/// The paper's claims: its values, ours if they were measured, and whether the claim holds here.
[[nodiscard]] StudyTable claims_table(const std::vector<StoredStudy>& studies);

/// All studies on one self-contained page: tables, figures, and the commands that made them. `not_run` names
/// the missing studies. The same studies give the same bytes.
[[nodiscard]] std::string html_report(const std::vector<StoredStudy>& studies,
                                      const std::vector<std::string>& not_run);

/// A table as Markdown, with the reasons why results differ from the paper's.
[[nodiscard]] std::string markdown_of(const StoredStudy& study, const StudyTable& table);

/// The document with the text between each pair of marks
///     <!-- results STUDY/TABLE --> and <!-- end -->
/// replaced by that table; `results claims` is the table of claims. Throws Error(bad_input) if a mark has no
/// end, or names a table that does not exist.
[[nodiscard]] std::string with_results(const std::string& document, const std::vector<StoredStudy>& studies);

} // namespace sprig::lab

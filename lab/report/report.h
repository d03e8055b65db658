#pragma once

#include <string>
#include <vector>

#include "lab/report/study_files.h"

namespace sprig::lab {

/// What the paper claims, one by one: its figures, ours where they were measured, and whether the claim holds
/// here. Where a study has not been run, its claims say so.
[[nodiscard]] StudyTable claims_table(const std::vector<StoredStudy>& studies);

/// All studies on one page that needs nothing else: tables, figures, and how they were made. `not_run` names
/// those that are missing. The same studies give the same bytes.
[[nodiscard]] std::string html_report(const std::vector<StoredStudy>& studies,
                                      const std::vector<std::string>& not_run);

/// A table as Markdown, with why ours differs from the paper's where it does.
[[nodiscard]] std::string markdown_of(const StoredStudy& study, const StudyTable& table);

/// A document with what stands between its marks
///     <!-- results STUDY/TABLE --> and <!-- end -->
/// written anew from the studies; `results claims` is the table of claims. All else stays. Throws
/// Error(bad_input) if a mark has no end, or names a table that is not there.
[[nodiscard]] std::string with_results(const std::string& document, const std::vector<StoredStudy>& studies);

} // namespace sprig::lab

#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/study.h"

namespace sprig::lab {

/// What a study found and how, without times: the same in every run.
[[nodiscard]] nlohmann::ordered_json study_json(const Study& study, const StudyContext& context,
                                                const StudyResult& result);
/// A table as comma-separated values: numbers in full where a cell has one, words where it has none.
[[nodiscard]] std::string csv_of(const StudyTable& table);

/// Writes a CSV file for each table, `seeds.csv`, the charts as scripts for gnuplot and, where that is
/// installed, drawn by it, the other figures, `summary.json` and `times.json` into a folder that is there.
/// All but the last are the same, byte for byte, whenever the same was run.
void write_study(const std::filesystem::path& folder, const Study& study, const StudyContext& context,
                 const StudyResult& result, double seconds);

} // namespace sprig::lab

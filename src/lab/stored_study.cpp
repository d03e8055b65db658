#include "lab/stored_study.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

std::optional<std::string> text_in(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

StoredTable table_of(const Json& json) {
    StoredTable table{json.at("name").get<std::string>(), json.at("title").get<std::string>(),
                      json.at("columns").get<std::vector<std::string>>(),
                      json.at("shown").get<std::vector<std::vector<std::string>>>()};
    const auto fits = [&](const auto& row) { return !row.empty() && row.size() == table.header.size(); };
    if (!std::ranges::all_of(table.rows, fits)) throw bad_input("a table has not one cell for each column");
    return table;
}

/// A name in the study's own folder: nobody leads a report to another file.
std::string file_of(const Json& json) {
    auto file = json.get<std::string>();
    if (file.empty() || file.find('/') != std::string::npos || file == "." || file == "..")
        throw bad_input("a figure's file has no plain name");
    return file;
}

Reason reason_of(const Json& json) {
    return {json.at("table").get<std::string>(), json.at("row").get<std::string>(),
            json.at("column").get<std::string>(), json.at("why").get<std::string>()};
}

std::string name_of_learner(const Json& json) {
    if (!json.contains("learner")) return "";
    return fmt::format("{}, preset {}", json["learner"].get<std::string>(),
                       json.at("preset").get<std::string>());
}

StoredStudy study_of(const Json& json) {
    StoredStudy study;
    study.name = json.at("study").get<std::string>();
    study.question = json.at("question").get<std::string>();
    study.version = json.at("sprig").get<std::string>();
    study.who = name_of_learner(json);
    study.seeds = json.at("seeds").size();
    study.notes = json.at("notes").get<std::vector<std::string>>();
    for (const Json& reason : json.at("reasons")) study.reasons.push_back(reason_of(reason));
    for (const Json& table : json.at("tables")) study.tables.push_back(table_of(table));
    for (const Json& figure : json.at("figures"))
        study.figures.push_back({file_of(figure.at("file")), figure.at("caption").get<std::string>(), ""});
    return study;
}

/// Whether a heading says what a figure is; others stand beside one.
bool is_own(std::string_view heading) {
    constexpr std::array beside = {"sd", "paper", "off", "agree"};
    return std::ranges::count(beside, heading) == 0;
}

} // namespace

const StoredTable* StoredStudy::table(std::string_view wanted) const {
    const auto found = std::ranges::find(tables, wanted, &StoredTable::name);
    return found == tables.end() ? nullptr : &*found;
}

const std::string& heading_of(const StoredTable& table, std::size_t column) {
    while (column > 0 && !is_own(table.header[column])) --column;
    return table.header[column];
}

std::vector<Cross> crosses_in(const StoredTable& table) {
    std::vector<Cross> crosses;
    for (const std::vector<std::string>& row : table.rows)
        for (std::size_t c = 0; c < row.size() && c < table.header.size(); ++c)
            if (row[c] == "✗") crosses.push_back({row.front(), heading_of(table, c)});
    return crosses;
}

const Reason* reason_for(const StoredStudy& study, const StoredTable& table, const Cross& cross) {
    const auto is_about = [&](const Reason& reason) {
        return reason.table == table.name && cross.row.starts_with(reason.row) &&
               (reason.column.empty() || reason.column == cross.column);
    };
    const auto found = std::ranges::find_if(study.reasons, is_about);
    return found == study.reasons.end() ? nullptr : &*found;
}

StoredStudy study_of_text(std::string_view text) {
    try {
        return study_of(Json::parse(text));
    } catch (const nlohmann::json::exception& error) {
        throw bad_input(error.what());
    }
}

std::optional<StoredStudy> load_study(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "summary.json";
    const std::optional<std::string> text = text_in(file);
    if (!text) return std::nullopt;
    try {
        StoredStudy study = study_of_text(*text);
        for (StoredFigure& figure : study.figures) figure.svg = text_in(folder / figure.file).value_or("");
        return study;
    } catch (const Error& error) {
        throw bad_input(fmt::format("{} cannot be read ({}): run the study again, its finished runs are kept",
                                    file.string(), error.what()));
    }
}

} // namespace sprig::lab

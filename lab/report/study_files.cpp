#include "lab/report/study_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/protocol/work_items.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/version.h"
#include "vision/front_end_parameters.h"

namespace {

using Numbers = std::vector<double>;

/// JSON has no NaN: a gap in a line is null.
nlohmann::json with_gaps(const Numbers& numbers) {
    nlohmann::json json = nlohmann::json::array();
    for (const double number : numbers)
        json.push_back(std::isnan(number) ? nlohmann::json() : nlohmann::json(number));
    return json;
}

Numbers with_gaps(const nlohmann::json& json) {
    Numbers numbers;
    for (const nlohmann::json& item : json)
        numbers.push_back(item.is_null() ? std::numeric_limits<double>::quiet_NaN() : item.get<double>());
    return numbers;
}

} // namespace

namespace nlohmann {
/// An empty optional is null.
template <class Value>
struct adl_serializer<std::optional<Value>> {
    static void to_json(json& j, const std::optional<Value>& value) { j = value ? json(*value) : json(); }
    static void from_json(const json& j, std::optional<Value>& value) {
        if (!j.is_null()) value = j.get<Value>();
    }
};
} // namespace nlohmann

// The fields of each type that are stored, by name.
namespace sprig::lab {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cell, text, number)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StudyTable, name, title, header, rows)
void to_json(nlohmann::json& j, const Line& line) {
    j = {{"name", line.name},      {"x", with_gaps(line.x)},
         {"y", with_gaps(line.y)}, {"spread", with_gaps(line.spread)},
         {"strong", line.strong},  {"dashed", line.dashed}};
}
void from_json(const nlohmann::json& j, Line& line) {
    line = {j.at("name").get<std::string>(), with_gaps(j.at("x")),       with_gaps(j.at("y")),
            with_gaps(j.at("spread")),       j.at("strong").get<bool>(), j.at("dashed").get<bool>()};
}
void to_json(nlohmann::json& j, const AxisRange& range) {
    const auto end = [](double at) { return std::isinf(at) ? nlohmann::json() : nlohmann::json(at); };
    j = {end(range.from), end(range.to)};
}
void from_json(const nlohmann::json& j, AxisRange& range) {
    constexpr double open = std::numeric_limits<double>::infinity();
    range = {j.at(0).is_null() ? -open : j[0].get<double>(), j.at(1).is_null() ? open : j[1].get<double>()};
}
// A result that was stored before a field existed has its default.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Chart, title, x_title, y_title, lines, x_range, y_range, band,
                                                x_names, logarithmic_x, logarithmic_y, width, height)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StudyChart, file, chart, caption)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StudyFigure, file, svg, caption)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reason, table, row, column, why)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StudyResult, tables, notes, charts, figures, reasons, experiments, files,
                                   failure)
} // namespace sprig::lab

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json settings_json(const LearnerChoice& setting) {
    Json settings = Json::object();
    for (const auto& [key, value] : setting.settings) settings[key] = value;
    return settings;
}

Json parameters_json(const Learner& learner) {
    Json parameters = Json::parse(learner.parameters(), nullptr, false);
    if (parameters.is_discarded())
        throw failed(fmt::format("the parameters of the learner {} are not valid JSON", learner.name()));
    return parameters;
}

Json cell_json(const Cell& cell) {
    if (cell.number) return *cell.number;
    if (cell.text == "-") return nullptr;
    return cell.text;
}

/// A unique name for each column: headings such as "sd" and "paper" get the heading of the value that they
/// belong to.
std::vector<std::string> column_names(const StudyTable& table) {
    std::vector<std::string> names = table.header;
    std::string ours;
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (names[c] == "sd" && c > 0) {
            names[c] = names[c - 1] + " sd";
        } else if (names[c] == "paper" || names[c] == "off" || names[c] == "agree") {
            names[c] = ours + " " + names[c];
        } else {
            ours = names[c];
        }
    }
    return names;
}

/// The chosen learner, or the chosen methods of a study that compares learners.
void add_learner(Json& json, const Study& study, const StudyContext& context) {
    if (study.has_methods) {
        json["methods"] = context.methods;
        json["full"] = context.full;
    }
    if (study.compares_learners && !study.compares_chosen) return;
    const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds.front());
    json["learner"] = context.chosen.learner;
    json["preset"] = context.chosen.preset;
    json["settings"] = settings_json(context.chosen);
    json["version"] = learner->version();
    json["parameters"] = parameters_json(*learner);
    json["front_end"] = Json::parse(sprig::to_json(learner->front_end()));
}

Json table_json(const StudyTable& table) {
    Json rows = Json::array();
    Json shown = Json::array();
    for (const std::vector<Cell>& row : table.rows) {
        Json& cells = rows.emplace_back(Json::array());
        Json& texts = shown.emplace_back(Json::array());
        for (const Cell& cell : row) {
            cells.push_back(cell_json(cell));
            texts.push_back(cell.text);
        }
    }
    return {{"name", table.name},      {"title", table.title},    {"header", column_names(table)},
            {"rows", std::move(rows)}, {"columns", table.header}, {"shown", std::move(shown)}};
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

/// What determines the result of the study; includes the version of Sprig, because the study may change with
/// it.
CacheKey cache_key(const Study& study, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds.front());
    Json what = {{"study", study.name},
                 {"sprig", SPRIG_VERSION},
                 {"learner", context.chosen.learner},
                 {"version", learner->version()}};
    what["parameters"] = Json::parse(learner->parameters());
    what["front_end"] = Json::parse(sprig::to_json(learner->front_end()));
    what["seeds"] = context.seeds;
    const std::optional<HeldOut> held_out = study.held_out_in(context);
    what["held_out"] = held_out ? Json(name_of(*held_out)) : Json(nullptr);
    what["limit"] = context.limit;
    return {study.name + "/" + context.chosen.learner + "-" + context.chosen.preset, what};
}

std::optional<std::string> text_in(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

StudyTable stored_table(const Json& json) {
    StudyTable table{json.at("name").get<std::string>(), json.at("title").get<std::string>(),
                     json.at("columns").get<std::vector<std::string>>()};
    const Json& shown = json.at("shown");
    const Json& numbers = json.at("rows");
    if (shown.size() != numbers.size())
        throw bad_input("a table has a different number of rows in shown and in rows");
    for (std::size_t r = 0; r < shown.size(); ++r) {
        std::vector<Cell>& row = table.rows.emplace_back();
        for (const Json& text : shown.at(r)) row.push_back({text.get<std::string>()});
        if (row.empty() || row.size() != table.header.size() || numbers.at(r).size() != row.size())
            throw bad_input("a row of a table does not have one cell for each column");
        for (std::size_t c = 0; c < row.size(); ++c)
            if (const Json& number = numbers[r].at(c); number.is_number())
                row[c].number = number.get<double>();
    }
    return table;
}

/// A file name without a path, so that a report cannot read files outside of the study's folder.
std::string file_of(const Json& json) {
    auto file = json.get<std::string>();
    if (file.empty() || file.find('/') != std::string::npos || file == "." || file == "..")
        throw bad_input("the file of a figure is not a plain file name");
    return file;
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
    study.learner = name_of_learner(json);
    study.seeds = json.at("seeds").size();
    study.notes = json.at("notes").get<std::vector<std::string>>();
    for (const Json& reason : json.at("reasons"))
        study.reasons.push_back(nlohmann::json(reason).get<Reason>());
    for (const Json& table : json.at("tables")) study.tables.push_back(stored_table(table));
    for (const Json& figure : json.at("figures"))
        study.figures.push_back({file_of(figure.at("file")), figure.at("caption").get<std::string>(), ""});
    return study;
}

/// Whether a column has values of its own and does not belong to the one before it.
bool is_value_heading(std::string_view heading) {
    constexpr std::array dependent = {"sd", "paper", "off", "agree"};
    return std::ranges::count(dependent, heading) == 0;
}

} // namespace

Json study_json(const Study& study, const StudyContext& context, const StudyResult& result) {
    const std::optional<HeldOut> held_out = study.held_out_in(context);
    Json json = {{"sprig", SPRIG_VERSION}, {"study", study.name}, {"question", study.question}};
    add_learner(json, study, context);
    for (const auto& [name, what] : result.experiments) json["experiments"][name] = Json::parse(what);
    json["held_out"] = held_out ? Json(name_of(*held_out)) : Json(nullptr);
    json["seeds"] = context.seeds;
    if (context.limit > 0) json["limit"] = context.limit;
    Json& tables = json["tables"] = Json::array();
    for (const StudyTable& table : result.tables) tables.push_back(table_json(table));
    Json& figures = json["figures"] = Json::array();
    for (const StudyChart& chart : result.charts)
        figures.push_back({{"file", chart.file + ".svg"}, {"caption", chart.caption}});
    for (const StudyFigure& figure : result.figures)
        figures.push_back({{"file", figure.file}, {"caption", figure.caption}});
    json["notes"] = result.notes;
    Json& reasons = json["reasons"] = Json::array();
    for (const Reason& reason : result.reasons)
        reasons.push_back(
            {{"table", reason.table}, {"row", reason.row}, {"column", reason.column}, {"why", reason.why}});
    json["failure"] = result.failure ? Json(*result.failure) : Json(nullptr);
    return json;
}

std::string csv_of(const StudyTable& table) {
    std::string csv;
    const auto add = [&](std::size_t column, const std::string& text) {
        if (column > 0) csv += ',';
        csv += quoted(text);
    };
    const std::vector<std::string> names = column_names(table);
    for (std::size_t c = 0; c < names.size(); ++c) add(c, names[c]);
    csv += '\n';
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            add(c, row[c].number ? fmt::format("{}", *row[c].number) : row[c].text);
        csv += '\n';
    }
    return csv;
}

void write_study(const std::filesystem::path& folder, const Study& study, const StudyContext& context,
                 const StudyResult& result, double seconds) {
    for (const StudyTable& table : result.tables)
        write_file_atomically(folder / (table.name + ".csv"), csv_of(table));
    for (const StudyTable& table : result.files)
        write_file_atomically(folder / (table.name + ".csv"), csv_of(table));
    for (const StudyChart& chart : result.charts) write_chart(folder, chart.file, chart.chart);
    for (const StudyFigure& figure : result.figures) write_file_atomically(folder / figure.file, figure.svg);
    write_file_atomically(folder / "summary.json", text_of(study_json(study, context, result)));
    write_file_atomically(folder / "times.json", text_of({{"seconds", seconds}}));
}

Json json_of(const StudyResult& result) {
    return nlohmann::json(result);
}

StudyResult result_of(const Json& json) {
    try {
        return nlohmann::json(json).get<StudyResult>();
    } catch (const nlohmann::json::exception& error) {
        throw bad_input(std::string("this is not the result of a study: ") + error.what());
    }
}

StudyResult run_as_one_item(const Study& study, const StudyContext& context) {
    const ResultCache cache(context.cache);
    const CacheKey key = cache_key(study, context);
    const std::uint64_t first = context.seeds.front();
    if (const std::optional<Json> found = cache.find(key, first)) return result_of(*found);
    StudyResult result = study.run(context);
    cache.store(key, first, json_of(result));
    return result;
}

const StudyTable* StoredStudy::table(std::string_view wanted) const {
    const auto found = std::ranges::find(tables, wanted, &StudyTable::name);
    return found == tables.end() ? nullptr : &*found;
}

const std::string& heading_of(const StudyTable& table, std::size_t column) {
    while (column > 0 && !is_value_heading(table.header[column])) --column;
    return table.header[column];
}

std::vector<Disagreement> disagreements_in(const StudyTable& table) {
    std::vector<Disagreement> places;
    for (const std::vector<Cell>& row : table.rows)
        for (std::size_t c = 0; c < row.size() && c < table.header.size(); ++c)
            if (row[c].is_cross()) places.push_back({row.front().text, heading_of(table, c)});
    return places;
}

const Reason* reason_for(const StoredStudy& study, const StudyTable& table, const Disagreement& place) {
    const auto is_about = [&](const Reason& reason) {
        return reason.table == table.name && place.row.starts_with(reason.row) &&
               (reason.column.empty() || reason.column == place.column);
    };
    const auto found = std::ranges::find_if(study.reasons, is_about);
    return found == study.reasons.end() ? nullptr : &*found;
}

StoredStudy parse_study(std::string_view text) {
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
        StoredStudy study = parse_study(*text);
        for (StoredFigure& figure : study.figures) figure.svg = text_in(folder / figure.file).value_or("");
        return study;
    } catch (const Error& error) {
        throw bad_input(
            fmt::format("{} cannot be read ({}): run the study again, finished runs are not repeated",
                        file.string(), error.what()));
    }
}

} // namespace sprig::lab

#include "lab/study_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/version.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json settings_json(const LearnerSetting& setting) {
    Json settings = Json::object();
    for (const auto& [key, value] : setting.settings) settings[key] = value;
    return settings;
}

Json parameters_json(const Learner& learner) {
    Json parameters = Json::parse(learner.parameters(), nullptr, false);
    if (parameters.is_discarded())
        throw failed(
            fmt::format("what the learner {} says about its parameters is not JSON", learner.name()));
    return parameters;
}

Json cell_json(const Cell& cell) {
    if (cell.number) return *cell.number;
    if (cell.text == "-") return nullptr;
    return cell.text;
}

/// A person sees which mean a deviation stands beside, and which of our figures one of the paper's; a program
/// wants a name for each column.
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

/// Who was asked: the chosen learner, or those that a contest was told of.
void add_learner(Json& json, const Study& study, const StudyContext& context) {
    if (study.has_methods) {
        json["methods"] = context.methods;
        json["full"] = context.full;
    }
    if (study.is_contest) return;
    const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds.front());
    json["learner"] = context.chosen.learner;
    json["preset"] = context.chosen.preset;
    json["settings"] = settings_json(context.chosen);
    json["version"] = learner->version();
    json["parameters"] = parameters_json(*learner);
    json["front_end"] = sprig::to_json(learner->front_end());
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
    if (!result.seeds.rows.empty()) write_file_atomically(folder / "seeds.csv", csv_of(result.seeds));
    for (const StudyChart& chart : result.charts) write_chart(folder, chart.file, chart.chart);
    for (const StudyFigure& figure : result.figures) write_file_atomically(folder / figure.file, figure.svg);
    write_file_atomically(folder / "summary.json", text_of(study_json(study, context, result)));
    write_file_atomically(folder / "times.json", text_of({{"seconds", seconds}}));
}

} // namespace sprig::lab

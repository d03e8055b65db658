#include "lab/result_json.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "lab/kept_pieces.h"
#include "sprig/error.h"
#include "sprig/version.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no number that is none: a gap in a line becomes null.
Json numbers_json(const std::vector<double>& numbers) {
    Json json = Json::array();
    for (const double number : numbers) json.push_back(std::isnan(number) ? Json(nullptr) : Json(number));
    return json;
}

std::vector<double> numbers_of(const Json& json) {
    std::vector<double> numbers;
    for (const Json& item : json)
        numbers.push_back(item.is_null() ? std::numeric_limits<double>::quiet_NaN() : item.get<double>());
    return numbers;
}

Json json_of(const Cell& cell) {
    return cell.number ? Json{cell.text, *cell.number} : Json{cell.text};
}

Cell cell_of(const Json& json) {
    Cell cell{json.at(0).get<std::string>()};
    if (json.size() > 1) cell.number = json.at(1).get<double>();
    return cell;
}

Json json_of(const StudyTable& table) {
    Json rows = Json::array();
    for (const std::vector<Cell>& row : table.rows) {
        Json& cells = rows.emplace_back(Json::array());
        for (const Cell& cell : row) cells.push_back(json_of(cell));
    }
    return {{"name", table.name}, {"title", table.title}, {"header", table.header}, {"rows", rows}};
}

StudyTable table_of(const Json& json) {
    StudyTable table{json.at("name").get<std::string>(), json.at("title").get<std::string>(),
                     json.at("header").get<std::vector<std::string>>()};
    for (const Json& row : json.at("rows")) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const Json& item : row) cells.push_back(cell_of(item));
    }
    return table;
}

Json json_of(const Line& line) {
    return {{"name", line.name},         {"x", numbers_json(line.x)},
            {"y", numbers_json(line.y)}, {"spread", numbers_json(line.spread)},
            {"strong", line.strong},     {"dashed", line.dashed}};
}

Line line_of(const Json& json) {
    return {json.at("name").get<std::string>(), numbers_of(json.at("x")),      numbers_of(json.at("y")),
            numbers_of(json.at("spread")),      json.at("strong").get<bool>(), json.at("dashed").get<bool>()};
}

using Range = std::optional<std::pair<double, double>>;

Json json_of(const Range& range) {
    if (!range) return nullptr;
    const auto end = [](double value) { return std::isinf(value) ? Json(nullptr) : Json(value); };
    return {end(range->first), end(range->second)};
}

Range range_of(const Json& json) {
    if (json.is_null()) return {};
    constexpr double open = std::numeric_limits<double>::infinity();
    return std::pair{json.at(0).is_null() ? -open : json[0].get<double>(),
                     json.at(1).is_null() ? open : json[1].get<double>()};
}

Json json_of(const StudyChart& shown) {
    const Chart& chart = shown.chart;
    Json lines = Json::array();
    for (const Line& line : chart.lines) lines.push_back(json_of(line));
    return {{"file", shown.file},
            {"caption", shown.caption},
            {"title", chart.title},
            {"x_title", chart.x_title},
            {"y_title", chart.y_title},
            {"lines", lines},
            {"x_range", json_of(chart.x_range)},
            {"y_range", json_of(chart.y_range)},
            {"band", chart.band},
            {"x_names", chart.x_names},
            {"logarithmic_x", chart.logarithmic_x},
            {"size", {chart.width, chart.height}}};
}

StudyChart chart_of(const Json& json) {
    Chart chart{json.at("title").get<std::string>(),
                json.at("x_title").get<std::string>(),
                json.at("y_title").get<std::string>(),
                {}};
    for (const Json& line : json.at("lines")) chart.lines.push_back(line_of(line));
    chart.x_range = range_of(json.at("x_range"));
    chart.y_range = range_of(json.at("y_range"));
    chart.band = json.at("band").get<double>();
    chart.x_names = json.at("x_names").get<std::vector<std::string>>();
    chart.logarithmic_x = json.at("logarithmic_x").get<bool>();
    chart.width = json.at("size").at(0).get<int>();
    chart.height = json.at("size").at(1).get<int>();
    return {json.at("file").get<std::string>(), std::move(chart), json.at("caption").get<std::string>()};
}

Json json_of(const StudyFigure& figure) {
    return {{"file", figure.file}, {"svg", figure.svg}, {"caption", figure.caption}};
}

StudyFigure figure_of(const Json& json) {
    return {json.at("file").get<std::string>(), json.at("svg").get<std::string>(),
            json.at("caption").get<std::string>()};
}

Json json_of(const Reason& reason) {
    return {reason.table, reason.row, reason.column, reason.why};
}

Reason reason_of(const Json& json) {
    return {json.at(0).get<std::string>(), json.at(1).get<std::string>(), json.at(2).get<std::string>(),
            json.at(3).get<std::string>()};
}

template <class Things>
Json list_json(const Things& things) {
    Json json = Json::array();
    for (const auto& thing : things) json.push_back(json_of(thing));
    return json;
}

template <class Thing, class Make>
std::vector<Thing> list_of(const Json& json, Make make) {
    std::vector<Thing> things;
    for (const Json& item : json) things.push_back(make(item));
    return things;
}

StudyResult read(const Json& json) {
    StudyResult result;
    result.tables = list_of<StudyTable>(json.at("tables"), table_of);
    result.notes = json.at("notes").get<std::vector<std::string>>();
    result.charts = list_of<StudyChart>(json.at("charts"), chart_of);
    result.figures = list_of<StudyFigure>(json.at("figures"), figure_of);
    result.reasons = list_of<Reason>(json.at("reasons"), reason_of);
    result.experiments = json.at("experiments").get<std::vector<std::pair<std::string, std::string>>>();
    result.seeds = table_of(json.at("seeds"));
    if (!json.at("failure").is_null()) result.failure = json["failure"].get<std::string>();
    return result;
}

bool is_result(const Json& json) {
    try {
        (void)read(json);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

/// What such a study hangs on: how it asks may change with every version of Sprig.
Work work_of(const Study& study, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds.front());
    Json what = {{"study", study.name},
                 {"sprig", SPRIG_VERSION},
                 {"learner", context.chosen.learner},
                 {"version", learner->version()}};
    what["parameters"] = Json::parse(learner->parameters());
    what["front_end"] = sprig::to_json(learner->front_end());
    what["seeds"] = context.seeds;
    const std::optional<HeldOut> held_out = study.held_out_in(context);
    what["held_out"] = held_out ? Json(name_of(*held_out)) : Json(nullptr);
    what["limit"] = context.limit;
    return {std::string(study.name) + "/" + context.chosen.learner + "-" + context.chosen.preset, what};
}

} // namespace

Json json_of(const StudyResult& result) {
    return {{"tables", list_json(result.tables)},
            {"notes", result.notes},
            {"charts", list_json(result.charts)},
            {"figures", list_json(result.figures)},
            {"reasons", list_json(result.reasons)},
            {"experiments", result.experiments},
            {"seeds", json_of(result.seeds)},
            {"failure", result.failure ? Json(*result.failure) : Json(nullptr)}};
}

StudyResult result_of(const Json& json) {
    try {
        return read(json);
    } catch (const nlohmann::json::exception& error) {
        throw bad_input(std::string("this is not what a study found: ") + error.what());
    }
}

StudyResult run_as_one_piece(const Study& study, const StudyContext& context) {
    const KeptPieces kept(context.keep);
    const Work work = work_of(study, context);
    const std::uint64_t first = context.seeds.front();
    if (const std::optional<Json> found = kept.find(work, first, is_result)) return result_of(*found);
    StudyResult result = study.run(context);
    kept.keep(work, first, json_of(result));
    return result;
}

} // namespace sprig::lab

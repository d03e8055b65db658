#include "lab/report/report.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace sprig::lab {

namespace {

/// A place in a study's tables.
struct Place {
    const char* study;
    const char* table;
    const char* row; ///< what it begins with; cells are joined by " | "
    const char* column;
};

/// Our figure, as it is shown.
struct Figure {
    double value = 0;
    std::string text;
    bool agrees = false; ///< the table has a tick beside it
};

using Figures = std::vector<Figure>;

struct Claim {
    const char* says;
    const char* paper;
    std::vector<Place> ours;
    std::function<bool(const Figures& ours)> holds;
};

bool all_agree(const Figures& ours) {
    return std::ranges::all_of(ours, &Figure::agrees);
}

/// The first one is above all others.
bool first_is_most(const Figures& ours) {
    return std::all_of(ours.begin() + 1, ours.end(),
                       [&](const Figure& other) { return ours.front().value > other.value; });
}

bool all_above_5_percent(const Figures& ours) {
    return std::ranges::all_of(ours, [](const Figure& p) { return p.value > .05; });
}

bool all_below_1_percent(const Figures& ours) {
    return std::ranges::all_of(ours, [](const Figure& p) { return p.value < .01; });
}

/// Hardly anything changes from each to the next.
bool is_flat(const Figures& ours) {
    const auto [least, most] = std::ranges::minmax(ours, {}, &Figure::value);
    return most.value - least.value < .02;
}

constexpr const char* modeller = "Modeller, paper";

Place headline(const char* row) {
    return {"headline", "headline", row, modeller};
}
Place size(const char* row) {
    return {"growth", "sizes", row, modeller};
}
Place baseline(const char* row, const char* column) {
    return {"baselines", "baselines", row, column};
}
Place p_against(const char* row) {
    return {"baselines", "signed-rank", row, "p"};
}
Place maturity(const char* row) {
    return {"read-outs", "maturity", row, "final"};
}

std::vector<Claim> claims() {
    return {
        {"The filter keeps most of the 70,000 images",
         "59,595",
         {{"headline", "filter", "images kept", "images"}},
         [](const Figures& f) { return f[0].value == 59'595; }},
        {"Ten classes are learned one image at a time, from a stream without replay or boundaries",
         ".874 ± .018",
         {headline("final")},
         all_agree},
        {"Accuracy climbs steeply over cycles 0, 1, 2",
         ".244, .641, .709",
         {headline("end of cycle 0"), headline("end of cycle 1"), headline("end of cycle 2")},
         [](const Figures& f) { return f[1].value > f[0].value + .1 && f[2].value > f[1].value; }},
        {"... then it stays, with no downward trend (cycles 5, 10, 19)",
         "no figures",
         {headline("end of cycle 5"), headline("end of cycle 10"), headline("final")},
         [](const Figures& f) { return f[2].value > f[0].value - .02 && f[2].value > f[1].value - .02; }},
        {"Little of a class's best accuracy is lost by the end",
         ".097",
         {headline("retention loss")},
         all_agree},
        {"Within a cycle most of a class is kept: at its end, at its worst",
         ".95, .90",
         {headline("WCR end, cycles 0-2"), headline("WCR worst, cycles 0-2")},
         [](const Figures& f) { return f[0].value > .85 && f[1].value > .8; }},
        {"... more than by any network (Modeller; experts, DER++, replay, SI, MAS, plain)",
         ".95; .75, .67, .52, .44, .24, .16",
         {baseline(modeller, "wcr end"), baseline("Expert-AEC k=2", "wcr end"),
          baseline("DER++, 8 img", "wcr end"), baseline("Naive replay, 8 img", "wcr end"),
          baseline("SI", "wcr end"), baseline("MAS", "wcr end"), baseline("Plain NN", "wcr end")},
         first_is_most},
        {"One class is weak: 4", ".63", {{"headline", "per-class", "4", modeller}}, all_agree},
        {"SI and MAS end no differently: p of the signed-rank test",
         "1.00, .24",
         {p_against("Modeller, paper | SI"), p_against("Modeller, paper | MAS")},
         all_above_5_percent},
        {"The others end lower: p against DER++, replay, plain, experts",
         "all < .01",
         {p_against("Modeller, paper | DER++, 8 img"), p_against("Modeller, paper | Naive replay, 8 img"),
          p_against("Modeller, paper | Plain NN"), p_against("Modeller, paper | Expert-AEC k=2")},
         all_below_1_percent},
        {"The population grows quickly, then stays: units after cycles 0, 5, 10, 19",
         "21.2, 134.3, 168.1, 186.7",
         {size("cycle 0, units"), size("cycle 5, units"), size("cycle 10, units"), size("cycle 19, units")},
         all_agree},
        {"... it changes little between blocks from then on",
         "7.7",
         {{"growth", "turnover", "mean change by a block", modeller}},
         all_agree},
        {"Negative structure comes to dominate: positive, negative units",
         "81.7, 105.0",
         {size("cycle 19, positive"), size("cycle 19, negative")},
         [](const Figures& f) { return f[1].value > f[0].value; }},
        {"Half of the units can be left out without loss: M = 0, 10, 40",
         ".8735, .8790, .8735",
         {maturity("Modeller, paper: M = 0"), maturity("Modeller, paper: M = 10"),
          maturity("Modeller, paper: M = 40")},
         is_flat},
        {"Suppressors can be done without: with, without",
         ".8735, .8805",
         {{"learning-variants", "variants", "Modeller, paper", "final"},
          {"learning-variants", "variants", "Modeller, paper: no suppressors", "final"}},
         is_flat},
        {"Relations of several scales are needed: all scales, the finest only",
         ".874, .730",
         {{"scales", "scales", "Modeller, paper: all scales", "final"},
          {"scales", "scales", "Modeller, paper: finest scale only", "final"}},
         [](const Figures& f) { return f[0].value - f[1].value > .05; }},
        {"Presence alone reads out much less",
         ".697",
         {{"read-outs", "read-outs", "Modeller, paper: presence only", "final"}},
         [](const Figures& f) { return f[0].value < .8; }},
        {"With more classes a smaller share of the units is looked for: 2 and 10 classes",
         ".88, .43",
         {{"class-count", "class-count", "Modeller, paper: 2 classes", "share"},
          {"class-count", "class-count", "Modeller, paper: 10 classes", "share"}},
         [](const Figures& f) { return f[1].value < f[0].value - .2; }},
        {"Nothing falls between two blocks that their ends do not show: greatest fall within, between",
         "no figures",
         {{"samples", "samples", "cycle 10, greatest fall between images", modeller},
          {"samples", "samples", "cycle 10, greatest fall between blocks", modeller}},
         [](const Figures& f) { return f[0].value < .1; }}};
}

std::string joined(const std::vector<Cell>& row) {
    std::string text;
    for (const Cell& cell : row) text += (text.empty() ? "" : " | ") + cell.text;
    return text;
}

/// The row that says just this, or else the first that begins so.
const std::vector<Cell>* row_of(const StudyTable& table, std::string_view begins) {
    for (const auto& row : table.rows)
        if (row.front().text == begins || joined(row).starts_with(fmt::format("{} | ", begins))) return &row;
    for (const auto& row : table.rows)
        if (joined(row).starts_with(begins)) return &row;
    return nullptr;
}

std::optional<Figure> figure_at(const Place& place, const std::vector<StoredStudy>& studies) {
    const auto study = std::ranges::find(studies, place.study, &StoredStudy::name);
    if (study == studies.end()) return std::nullopt;
    const StudyTable* table = study->table(place.table);
    if (table == nullptr) return std::nullopt;
    const std::vector<Cell>* row = row_of(*table, place.row);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(table->header, place.column) - table->header.begin());
    if (row == nullptr || at >= row->size() || !(*row)[at].number) return std::nullopt;
    Figure figure{*(*row)[at].number, (*row)[at].text};
    if (at + 1 < row->size() && table->header[at + 1] == "sd") figure.text += " ± " + (*row)[at + 1].text;
    for (std::size_t c = at + 1; c < row->size() && heading_of(*table, c) == table->header[at]; ++c)
        figure.agrees = figure.agrees || (*row)[c].is_tick();
    return figure;
}

std::vector<Cell> row_for(const Claim& claim, const std::vector<StoredStudy>& studies) {
    Figures figures;
    for (const Place& place : claim.ours)
        if (std::optional<Figure> figure = figure_at(place, studies)) figures.push_back(std::move(*figure));
    const char* study = claim.ours.front().study;
    if (figures.size() < claim.ours.size())
        return {cell(claim.says), cell(claim.paper), cell("not measured"), cell(""), cell(study)};
    std::vector<std::string> texts;
    texts.reserve(figures.size());
    for (const Figure& figure : figures) texts.push_back(figure.text);
    return {cell(claim.says), cell(claim.paper), cell(fmt::format("{}", fmt::join(texts, ", "))),
            agreement(claim.holds(figures)), cell(study)};
}

} // namespace

StudyTable claims_table(const std::vector<StoredStudy>& studies) {
    StudyTable table{"claims",
                     "What the paper claims, and what was found here",
                     {"claim", "paper", "ours", "holds", "study"},
                     {}};
    for (const Claim& claim : claims()) table.rows.push_back(row_for(claim, studies));
    return table;
}

} // namespace sprig::lab

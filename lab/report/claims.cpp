#include "lab/report/report.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "lab/report/comparison.h"

namespace sprig::lab {

namespace {

/// Where a value is: a cell of a study's table.
struct Place {
    const char* study;
    const char* table;
    const char* row; ///< its first cell, or its first two joined by " | "
    const char* column;
};

/// A measured value.
struct Figure {
    double value = 0;
    std::string text;    ///< as the table shows it, with its spread
    bool agrees = false; ///< with the paper's value in the same table
};

using Figures = std::vector<Figure>;

struct Claim {
    const char* text;
    const char* paper;
    std::vector<Place> ours;
    std::function<bool(const Figures& ours)> holds;
};

bool all_agree(const Figures& ours) {
    return std::ranges::all_of(ours, &Figure::agrees);
}

bool first_is_largest(const Figures& ours) {
    return std::all_of(ours.begin() + 1, ours.end(),
                       [&](const Figure& other) { return ours.front().value > other.value; });
}

bool all_above_5_percent(const Figures& ours) {
    return std::ranges::all_of(ours, [](const Figure& p) { return p.value > .05; });
}

bool all_below_1_percent(const Figures& ours) {
    return std::ranges::all_of(ours, [](const Figure& p) { return p.value < .01; });
}

/// All values are nearly equal.
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
        {"Ten classes are learned one image at a time, without replay or task boundaries: final accuracy",
         ".874 ± .018",
         {headline("final")},
         all_agree},
        {"Accuracy rises steeply over cycles 0, 1, 2",
         ".244, .641, .709",
         {headline("end of cycle 0"), headline("end of cycle 1"), headline("end of cycle 2")},
         [](const Figures& f) { return f[1].value > f[0].value + .1 && f[2].value > f[1].value; }},
        {"... and then does not fall (cycles 5, 10, 19)",
         "not reported",
         {headline("end of cycle 5"), headline("end of cycle 10"), headline("final")},
         [](const Figures& f) { return f[2].value > f[0].value - .02 && f[2].value > f[1].value - .02; }},
        {"Little of the best accuracy of a class is lost by the end: retention loss",
         ".097",
         {headline("retention loss")},
         all_agree},
        {"Within a cycle a class retains most of its accuracy: WCR end, worst (cycles 0-2)",
         ".95, .90",
         {headline("WCR end, cycles 0-2"), headline("WCR worst, cycles 0-2")},
         [](const Figures& f) { return f[0].value > .85 && f[1].value > .8; }},
        {"... more than in any of the paper's networks (Modeller; experts, DER++, replay, SI, MAS, plain)",
         ".95; .75, .67, .52, .44, .24, .16",
         {baseline(modeller, "wcr end"), baseline("Expert-AEC k=2", "wcr end"),
          baseline("DER++, 8 img", "wcr end"), baseline("Naive replay, 8 img", "wcr end"),
          baseline("SI", "wcr end"), baseline("MAS", "wcr end"), baseline("Plain NN", "wcr end")},
         first_is_largest},
        {"One class, 4, has a low accuracy", ".63", {{"headline", "per-class", "4", modeller}}, all_agree},
        {"SI and MAS do not differ significantly: p of the signed-rank test",
         "1.00, .24",
         {p_against("Modeller, paper | SI"), p_against("Modeller, paper | MAS")},
         all_above_5_percent},
        {"Other networks have a lower final accuracy: p against DER++, replay, plain, experts",
         "all < .01",
         {p_against("Modeller, paper | DER++, 8 img"), p_against("Modeller, paper | Naive replay, 8 img"),
          p_against("Modeller, paper | Plain NN"), p_against("Modeller, paper | Expert-AEC k=2")},
         all_below_1_percent},
        {"The number of units grows quickly, then levels off: after cycles 0, 5, 10, 19",
         "21.2, 134.3, 168.1, 186.7",
         {size("cycle 0, units"), size("cycle 5, units"), size("cycle 10, units"), size("cycle 19, units")},
         all_agree},
        {"... and then changes little from block to block: mean change",
         "7.7",
         {{"growth", "turnover", "mean change per block", modeller}},
         all_agree},
        {"There are more negative units than positive ones in the end: positive, negative",
         "81.7, 105.0",
         {size("cycle 19, positive"), size("cycle 19, negative")},
         [](const Figures& f) { return f[1].value > f[0].value; }},
        {"Half of the units can be ignored without loss: only units with M = 0, 10, 40 observations",
         ".8735, .8790, .8735",
         {maturity("Modeller, paper: M = 0"), maturity("Modeller, paper: M = 10"),
          maturity("Modeller, paper: M = 40")},
         is_flat},
        {"Suppressors are not needed: accuracy with, without",
         ".8735, .8805",
         {{"learning-variants", "variants", "Modeller, paper", "final"},
          {"learning-variants", "variants", "Modeller, paper: no suppressors", "final"}},
         is_flat},
        {"Relations of several scales are needed: all scales, finest scale only",
         ".874, .730",
         {{"scales", "scales", "Modeller, paper: all scales", "final"},
          {"scales", "scales", "Modeller, paper: finest scale only", "final"}},
         [](const Figures& f) { return f[0].value - f[1].value > .05; }},
        {"A read-out by presence alone is much less accurate",
         ".697",
         {{"read-outs", "read-outs", "Modeller, paper: presence only", "final"}},
         [](const Figures& f) { return f[0].value < .8; }},
        {"With more classes a smaller share of the units is searched for: 2, 10 classes",
         ".88, .43",
         {{"class-count", "class-count", "Modeller, paper: 2 classes", "share"},
          {"class-count", "class-count", "Modeller, paper: 10 classes", "share"}},
         [](const Figures& f) { return f[1].value < f[0].value - .2; }},
        {"Accuracy does not drop within a block: largest drop between images, between blocks",
         "not reported",
         {{"samples", "samples", "cycle 10, largest drop between images", modeller},
          {"samples", "samples", "cycle 10, largest drop between blocks", modeller}},
         [](const Figures& f) { return f[0].value < .1; }}};
}

const std::vector<Cell>* find_row(const StudyTable& table, std::string_view name) {
    for (const auto& row : table.rows)
        if (row[0].text == name || (row.size() > 1 && row[0].text + " | " + row[1].text == name)) return &row;
    return nullptr;
}

std::optional<Figure> figure_at(const Place& place, const std::vector<StoredStudy>& studies) {
    const auto study = std::ranges::find(studies, place.study, &StoredStudy::name);
    if (study == studies.end()) return std::nullopt;
    const StudyTable* table = study->table(place.table);
    if (table == nullptr) return std::nullopt;
    const std::vector<Cell>* row = find_row(*table, place.row);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(table->header, place.column) - table->header.begin());
    if (row == nullptr || at >= row->size() || !(*row)[at].number) return std::nullopt;
    Figure figure{*(*row)[at].number, (*row)[at].text};
    if (at + 1 < row->size() && table->header[at + 1] == "sd") figure.text += " ± " + (*row)[at + 1].text;
    std::optional<double> spread;
    PaperValue paper;
    for (std::size_t c = at + 1; c < row->size() && heading_of(*table, c) == table->header[at]; ++c) {
        if (table->header[c] == "paper") paper.value = (*row)[c].number;
        if (table->header[c] == "sd") (c == at + 1 ? spread : paper.spread) = (*row)[c].number;
    }
    figure.agrees = agrees(figure.value, spread, paper).value_or(false);
    return figure;
}

std::vector<Cell> row_for(const Claim& claim, const std::vector<StoredStudy>& studies) {
    Figures figures;
    for (const Place& place : claim.ours)
        if (std::optional<Figure> figure = figure_at(place, studies)) figures.push_back(std::move(*figure));
    const char* study = claim.ours.front().study;
    if (figures.size() < claim.ours.size())
        return {cell(claim.text), cell(claim.paper), cell("not measured"), cell(""), cell(study)};
    std::vector<std::string> texts;
    texts.reserve(figures.size());
    for (const Figure& figure : figures) texts.push_back(figure.text);
    return {cell(claim.text), cell(claim.paper), cell(fmt::format("{}", fmt::join(texts, ", "))),
            agreement(claim.holds(figures)), cell(study)};
}

} // namespace

StudyTable claims_table(const std::vector<StoredStudy>& studies) {
    StudyTable table{
        "claims", "The paper's claims and our results", {"claim", "paper", "ours", "holds", "study"}, {}};
    for (const Claim& claim : claims()) table.rows.push_back(row_for(claim, studies));
    return table;
}

} // namespace sprig::lab

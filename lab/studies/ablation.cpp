#include <fmt/format.h>

#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// What is changed, in words and in parameters.
struct Change {
    const char* why;
    Settings settings;
};

std::vector<Change> changes() {
    return {{"as it is", {}},
            {"nodes placed best gain first", {{"assignment", "greedy"}}},
            {"nodes only, no neighbours", {{"neighbour_weight", "0"}}},
            {"without sharpness", {{"sharpness_weight", "0"}}},
            {"without persistence", {{"persistence_weight", "0"}}},
            {"nodes go at first absence", {{"strict", "true"}}},
            {"relations only", {{"position_weight", "0"}}},
            {"relations on two scales", {{"position_weight", "0"}, {"survivor_weight", "0.5"}}},
            {"positions in the image", {{"frame", "image"}}},
            {"positions from the ink's centre, in px", {{"frame", "centred"}}},
            {"two directions", {{"directions", "2"}}},
            {"six directions", {{"directions", "6"}}},
            {"eight directions", {{"directions", "8"}}},
            {"one unit for each class", {{"join_threshold", "-inf"}}},
            {"narrower units", {{"join_threshold", "3"}}},
            {"still narrower units", {{"join_threshold", "4"}}},
            {"very narrow units", {{"join_threshold", "5"}}},
            {"late nodes without doubt", {{"late_doubt", "0"}}},
            {"late nodes with all doubt", {{"late_doubt", "1000000"}}},
            {"little held in advance", {{"prior_weight", "2"}}},
            {"much held in advance", {{"prior_weight", "32"}}},
            {"little clutter expected", {{"clutter_rate", "0.01"}}},
            {"much clutter expected", {{"clutter_rate", "0.2"}}},
            {"writing set upright", {{"deskew", "true"}}}};
}

std::string in_words(const Settings& settings) {
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    return text.empty() ? "base" : text;
}

std::vector<Cell> row_of(const Change& change, const std::vector<VariantRun>& runs,
                         const std::vector<VariantRun>& base) {
    const auto filtered = [](const VariantRun& run) { return run.scores.front().filtered_balanced; };
    const std::vector<double> accuracy = over_seeds(runs, filtered);
    // Seed by seed: both learned the same stream.
    std::vector<double> gain = over_seeds(base, filtered);
    for (std::size_t s = 0; s < gain.size(); ++s) gain[s] = accuracy[s] - gain[s];
    std::vector<Cell> row = {cell(in_words(change.settings)), cell(std::string(change.why))};
    add_mean(row, accuracy, 4);
    add_mean(row, gain, 4);
    add_mean(row, over_seeds(runs, [](const VariantRun& run) { return run.scores.front().plain; }), 4);
    std::vector<Census> sizes;
    sizes.reserve(runs.size());
    for (const VariantRun& run : runs) sizes.push_back(run.census);
    add_census(row, sizes);
    return row;
}

StudyResult run(const StudyContext& context) {
    const std::vector<Change> list = changes();
    std::vector<Variant> variants;
    variants.reserve(list.size());
    for (const Change& change : list) variants.push_back({change.why, context.chosen.with(change.settings)});
    const Digits digits = load_digits(context, true);
    const std::vector<std::vector<VariantRun>> runs = run_variants(context, digits, variants);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "ablation";
    table.title = "Final accuracy with one thing changed";
    table.header = {"setting", "what", "accuracy", "sd", "difference", "sd", "all", "sd"};
    table.header.insert(table.header.end(), census_header.begin(), census_header.end());
    for (std::size_t v = 0; v < list.size(); ++v)
        table.rows.push_back(row_of(list[v], runs[v], runs.front()));
    result.notes = {
        in_words(context, digits),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed.", stream_per_class(context)),
        "accuracy: on the filtered held-out images, mean over classes; difference: to the base, seed by "
        "seed; all: on all held-out images, mean over images."};
    return result;
}

} // namespace

Study study_ablation() {
    return {.name = "ablation",
            .question = "What is each part of Constellation good for?",
            .run = run,
            .minutes = 1,
            .only_for = "constellation",
            .has_pieces = true};
}

} // namespace sprig::lab

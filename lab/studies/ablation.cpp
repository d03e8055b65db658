#include <fmt/format.h>

#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab::studies::ablation {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Change {
    const char* title;
    Settings settings;
};

std::vector<Change> changes() {
    return {{"unchanged", {}},
            {"greedy assignment of nodes", {{"assignment", "greedy"}}},
            {"nodes only, no neighbours", {{"neighbour_weight", "0"}}},
            {"without sharpness", {{"sharpness_weight", "0"}}},
            {"without persistence", {{"persistence_weight", "0"}}},
            {"nodes removed at first absence", {{"strict", "true"}}},
            {"relations only", {{"position_weight", "0"}}},
            {"relations on two scales", {{"position_weight", "0"}, {"survivor_weight", "0.5"}}},
            // A resolution needs the frame of the ink.
            {"positions in the image", {{"frame", "image"}, {"resolution", "0"}, {"scale", "3"}}},
            {"positions from the ink's centre, in px",
             {{"frame", "centred"}, {"resolution", "0"}, {"scale", "3"}}},
            {"two directions", {{"directions", "2"}}},
            {"four directions", {{"directions", "4"}}},
            {"six directions", {{"directions", "6"}}},
            {"one unit for each class", {{"join_threshold", "-inf"}}},
            {"narrower units", {{"join_threshold", "3"}}},
            {"still narrower units", {{"join_threshold", "4"}}},
            {"very narrow units", {{"join_threshold", "5"}}},
            {"late nodes without doubt", {{"late_doubt", "0"}}},
            {"late nodes with full doubt", {{"late_doubt", "1000000"}}},
            {"weak prior", {{"prior_weight", "2"}}},
            {"strong prior", {{"prior_weight", "32"}}},
            {"low clutter rate", {{"clutter_rate", "0.01"}}},
            {"high clutter rate", {{"clutter_rate", "0.2"}}},
            {"slanted as it is", {{"deskew", "false"}}},
            {"slant removed in full", {{"slant_damping", "0"}}},
            {"specks measured, too", {{"min_part", "0"}}},
            {"not enlarged", {{"resolution", "28"}}},
            {"enlarged twice", {{"resolution", "56"}}},
            {"enlarged four times", {{"resolution", "112"}}},
            {"contours of 8 units and more", {{"min_contour", "8"}}},
            {"small structure kept", {{"min_persistence", "0"}}},
            {"more structure left out", {{"min_persistence", "1"}}},
            {"a higher threshold", {{"threshold", "127"}}},
            {"a threshold that does not grow", {{"join_growth", "0"}}}};
}

std::string describe(const Settings& settings) {
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    return text.empty() ? "base" : text;
}

std::vector<Cell> row_of(const Change& change, const Results& results, const Results& base) {
    const auto filtered = [](const SeedRun& run) { return run.views.front().filtered.balanced(); };
    const std::vector<double> accuracy = over_seeds(results, filtered);
    // Seed by seed: both learned the same stream.
    std::vector<double> gain = over_seeds(base, filtered);
    for (std::size_t s = 0; s < gain.size(); ++s) gain[s] = accuracy[s] - gain[s];
    std::vector<Cell> row = {cell(describe(change.settings)), cell(std::string(change.title))};
    add_mean(row, accuracy, 4);
    add_mean(row, gain, 4);
    add_mean(row, over_seeds(results, [](const SeedRun& run) { return run.views.front().all.plain(); }), 4);
    std::vector<ModelSize> sizes;
    for (const SeedRun& run : results.runs()) sizes.push_back(run.checkpoints.back().units.all);
    add_model_sizes(row, sizes);
    return row;
}

StudyResult run(const StudyContext& context) {
    const std::vector<Change> list = changes();
    std::vector<Variant> variants;
    variants.reserve(list.size());
    for (const Change& change : list)
        variants.push_back({change.title, context.chosen.with(change.settings)});
    const ExperimentData data = load_digits(context, true);
    const std::vector<Results> results = run_variants(context, data, variants);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "ablation";
    table.title = "Final accuracy with one change";
    table.header = {"setting", "change", "accuracy", "sd", "difference", "sd", "all", "sd"};
    table.header.insert(table.header.end(), model_size_header.begin(), model_size_header.end());
    for (std::size_t v = 0; v < list.size(); ++v)
        table.rows.push_back(row_of(list[v], results[v], results.front()));
    result.notes = {
        describe_held_out(data),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed.", stream_per_class(context)),
        "accuracy: on the filtered held-out images, mean over classes; difference: from the base, seed by "
        "seed; all: on all held-out images, mean over images."};
    return result;
}

} // namespace

Study study() {
    return {.name = "ablation",
            .question = "What does each part of Constellation contribute?",
            .run = run,
            .minutes = 1,
            .only_for = "constellation",
            .has_work_items = true};
}

} // namespace sprig::lab::studies::ablation

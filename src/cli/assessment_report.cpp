#include "cli/assessment_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace sprig::cli {

namespace {

constexpr std::size_t most_columns = 20;

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : "-";
}

/// "12 as 9": what a class was taken for most often, the first one of several.
std::string worst_mistake(const Assessed& assessed, std::size_t truth) {
    std::vector<std::size_t> mistakes = assessed.confusion[truth];
    mistakes[truth] = 0;
    const auto most = std::ranges::max_element(mistakes);
    if (*most == 0) return "";
    const auto& taken_for = assessed.classes[static_cast<std::size_t>(most - mistakes.begin())];
    return fmt::format("{} as {}", with_commas(*most), taken_for.label);
}

std::string measures(const Assessed& assessed) {
    Table table({"measure", "value"});
    table.add({"images", with_commas(assessed.images)});
    table.add({"accuracy", number(assessed.accuracy)});
    table.add({"mean over classes", number(assessed.balanced_accuracy)});
    table.add({"log loss", number(assessed.log_loss)});
    table.add({"Brier score", number(assessed.brier)});
    table.add({"calibration error", number(assessed.calibration_error)});
    return table.text();
}

std::string by_class(const Assessed& assessed) {
    Table table({"class", "images", "right", "accuracy", "answers", "most mistaken"});
    for (std::size_t c = 0; c < assessed.classes.size(); ++c) {
        const AssessedClass& found = assessed.classes[c];
        table.add({found.label, with_commas(found.images), with_commas(found.right), number(found.accuracy()),
                   with_commas(found.answers), worst_mistake(assessed, c)});
    }
    table.add({"all", with_commas(assessed.images), with_commas(assessed.right), number(assessed.accuracy),
               with_commas(assessed.images), ""});
    return "\n" + table.text(true);
}

std::string confusion(const Assessed& assessed) {
    if (assessed.classes.size() > most_columns) return {};
    std::vector<std::string> header = {"taken for"};
    for (const AssessedClass& c : assessed.classes) header.push_back(c.label);
    Table table(header);
    for (std::size_t c = 0; c < assessed.classes.size(); ++c) {
        std::vector<std::string> row = {assessed.classes[c].label};
        for (const std::size_t images : assessed.confusion[c])
            row.push_back(images == 0 ? "." : with_commas(images));
        table.add(std::move(row));
    }
    return "\n" + table.text();
}

std::string reliability(const Assessed& assessed) {
    Table table({"probability", "images", "said", "right"});
    for (const ConfidenceBin& bin : assessed.reliability) {
        if (bin.images == 0) continue;
        table.add({fmt::format("{:.2f} to {:.2f}", bin.from, bin.to), with_commas(bin.images),
                   fmt::format("{:.4f}", bin.confidence), fmt::format("{:.4f}", bin.accuracy)});
    }
    return "\nHow far the probability of an answer can be taken at its word\n" + table.text();
}

std::string coverage(const Assessed& assessed) {
    Table table({"answers given", "by margin", "by probability"});
    for (const CoveredAccuracy& c : assessed.coverage) {
        table.add({fmt::format("{:.0f} %", 100 * c.coverage), number(c.by_margin), number(c.by_probability)});
    }
    return "\nAccuracy if only the most trusted answers are given\n" + table.text();
}

std::string unknown(const Assessed& assessed) {
    Table table({"unknown class", "images"});
    for (const auto& [label, images] : assessed.unknown) table.add({label, with_commas(images)});
    table.add({"all", with_commas(assessed.unknown_images)});
    std::string text =
        "\nImages of classes that the model does not know, counted nowhere above\n" + table.text(true);
    if (const auto& apart = assessed.told_apart) {
        text += fmt::format(
            "told from the known ones (area under the ROC curve): by margin {:.4f}, by probability "
            "{:.4f}",
            apart->by_margin, apart->by_probability);
        if (apart->by_explained)
            text += fmt::format(", by how well they are explained {:.4f}", *apart->by_explained);
        text += '\n';
    }
    return text;
}

} // namespace

std::string assessment_report(const Assessed& assessed) {
    std::string text = measures(assessed);
    if (assessed.images > 0)
        text += by_class(assessed) + confusion(assessed) + reliability(assessed) + coverage(assessed);
    if (assessed.unknown_images > 0) text += unknown(assessed);
    return text;
}

} // namespace sprig::cli

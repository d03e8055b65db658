#include "cli/assessment_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace sprig::cli {

namespace {

constexpr std::size_t max_columns = 20;

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : "-";
}

/// "12 as 9": the most frequent wrong prediction for a class; the first one of several.
std::string most_frequent_error(const Assessment& assessment, std::size_t truth) {
    std::vector<std::size_t> errors = assessment.confusion[truth];
    errors[truth] = 0;
    const auto most = std::ranges::max_element(errors);
    if (*most == 0) return "";
    const auto& predicted = assessment.classes[static_cast<std::size_t>(most - errors.begin())];
    return fmt::format("{} as {}", with_commas(*most), predicted.label);
}

std::string measures(const Assessment& assessment) {
    Table table({"measure", "value"});
    table.add({"images", with_commas(assessment.images)});
    table.add({"accuracy", number(assessment.accuracy)});
    table.add({"balanced accuracy", number(assessment.balanced_accuracy)});
    table.add({"log loss", number(assessment.log_loss)});
    table.add({"Brier score", number(assessment.brier)});
    table.add({"calibration error", number(assessment.calibration_error)});
    return table.text();
}

std::string by_class(const Assessment& assessment) {
    Table table({"class", "images", "correct", "accuracy", "predicted", "most frequent error"});
    for (std::size_t c = 0; c < assessment.classes.size(); ++c) {
        const ClassAssessment& found = assessment.classes[c];
        table.add({found.label, with_commas(found.images), with_commas(found.right), number(found.accuracy()),
                   with_commas(found.answers), most_frequent_error(assessment, c)});
    }
    table.add({"all", with_commas(assessment.images), with_commas(assessment.right),
               number(assessment.accuracy), with_commas(assessment.images), ""});
    return "\n" + table.text(true);
}

std::string confusion(const Assessment& assessment) {
    if (assessment.classes.size() > max_columns) return {};
    std::vector<std::string> header = {"class"};
    for (const ClassAssessment& c : assessment.classes) header.push_back(c.label);
    Table table(header);
    for (std::size_t c = 0; c < assessment.classes.size(); ++c) {
        std::vector<std::string> row = {assessment.classes[c].label};
        for (const std::size_t images : assessment.confusion[c])
            row.push_back(images == 0 ? "." : with_commas(images));
        table.add(std::move(row));
    }
    return "\nConfusion matrix (rows: true class, columns: predicted class)\n" + table.text();
}

std::string reliability(const Assessment& assessment) {
    Table table({"probability", "images", "confidence", "accuracy"});
    for (const ConfidenceBin& bin : assessment.reliability) {
        if (bin.images == 0) continue;
        table.add({fmt::format("{:.2f} to {:.2f}", bin.from, bin.to), with_commas(bin.images),
                   fmt::format("{:.4f}", bin.confidence), fmt::format("{:.4f}", bin.accuracy)});
    }
    return "\nCalibration: mean probability of the answers, and their accuracy\n" + table.text();
}

std::string coverage(const Assessment& assessment) {
    Table table({"coverage", "by margin", "by probability"});
    for (const CoveredAccuracy& c : assessment.coverage) {
        table.add({fmt::format("{:.0f} %", 100 * c.coverage), number(c.by_margin), number(c.by_probability)});
    }
    return "\nAccuracy of the most confident answers, by coverage\n" + table.text();
}

std::string unknown(const Assessment& assessment) {
    Table table({"unknown class", "images"});
    for (const auto& [label, images] : assessment.unknown) table.add({label, with_commas(images)});
    table.add({"all", with_commas(assessment.unknown_images)});
    std::string text = "\nImages of classes unknown to the model (not counted above)\n" + table.text(true);
    if (const auto& apart = assessment.unknown_detection) {
        text += fmt::format(
            "detection of unknown classes (area under the ROC curve): by margin {:.4f}, by probability "
            "{:.4f}",
            apart->by_margin, apart->by_probability);
        if (apart->by_fit) text += fmt::format(", by fit {:.4f}", *apart->by_fit);
        text += '\n';
    }
    return text;
}

} // namespace

std::string assessment_report(const Assessment& assessment) {
    std::string text = measures(assessment);
    if (assessment.images > 0)
        text += by_class(assessment) + confusion(assessment) + reliability(assessment) + coverage(assessment);
    if (assessment.unknown_images > 0) text += unknown(assessment);
    return text;
}

} // namespace sprig::cli

#include "model/assessor.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <nlohmann/json.hpp>

#include "sprig/error.h"

namespace sprig {

namespace {

double share(std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::ordered_json or_null(const std::optional<double>& number) {
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

} // namespace

std::optional<double> ClassAssessment::accuracy() const {
    if (images == 0) return std::nullopt;
    return share(right, images);
}

void Assessor::Confidences::add(const Grade& grade) {
    margin.push_back(grade.margin);
    probability.push_back(grade.probability);
    if (grade.fit) fit.push_back(*grade.fit);
}

Assessor::Assessor(std::vector<std::string> classes) : classes_(std::move(classes)) {
    for (std::size_t c = 0; c < classes_.size(); ++c) class_indices_.emplace(classes_[c], c);
}

Assessor::Grade Assessor::grade(const Prediction& prediction, std::string_view truth) const {
    if (prediction.probabilities.size() != classes_.size() || prediction.best.has_value() == classes_.empty())
        throw usage_error("the prediction does not have the classes of the assessor");
    Grade grade{.truth = std::string(truth), .best = prediction.best, .margin = prediction.margin};
    if (const auto known = class_indices_.find(truth); known != class_indices_.end())
        grade.answer = graded_answer(prediction, known->second);
    if (prediction.best) grade.probability = prediction.probabilities[*prediction.best];
    grade.fit = prediction.fit;
    return grade;
}

void Assessor::add(const Grade& grade) {
    const auto known = class_indices_.find(grade.truth);
    known == class_indices_.end() ? add_unknown(grade) : add_known(grade, known->second);
}

void Assessor::add_known(const Grade& grade, std::size_t truth) {
    ++confusion_[{truth, grade.best.value()}];
    answers_.push_back(grade.answer);
    right_.push_back(grade.answer.right);
    known_.add(grade);
}

void Assessor::add_unknown(const Grade& grade) {
    unknown_.add(grade);
    const auto before =
        std::ranges::find(unknown_classes_, grade.truth, &std::pair<std::string, std::size_t>::first);
    if (before == unknown_classes_.end()) {
        unknown_classes_.emplace_back(grade.truth, 1);
    } else {
        ++before->second;
    }
}

Assessment Assessor::result() const {
    Assessment result;
    result.images = answers_.size();
    result.right = static_cast<std::size_t>(std::ranges::count(right_, true));
    assess_classes(result);
    if (result.images > 0) assess_probabilities(result);
    assess_unknown(result);
    return result;
}

void Assessor::assess_classes(Assessment& result) const {
    result.confusion.assign(classes_.size(), std::vector<std::size_t>(classes_.size()));
    for (const std::string& label : classes_) result.classes.push_back({.label = label});
    for (const auto& [pair, images] : confusion_) {
        const auto [truth, answer] = pair;
        result.confusion[truth][answer] = images;
        result.classes[truth].images += images;
        result.classes[answer].answers += images;
        if (truth == answer) result.classes[truth].right = images;
    }
    std::vector<double> accuracies;
    for (const ClassAssessment& found : result.classes) {
        if (const auto accuracy = found.accuracy()) accuracies.push_back(*accuracy);
    }
    if (!accuracies.empty())
        result.balanced_accuracy = std::accumulate(accuracies.begin(), accuracies.end(), 0.0) /
                                   static_cast<double>(accuracies.size());
}

void Assessor::assess_probabilities(Assessment& result) const {
    result.accuracy = answer_accuracy(answers_);
    result.log_loss = log_loss(answers_);
    result.brier = brier_score(answers_);
    result.calibration_error = expected_calibration_error(answers_, default_bins);
    result.reliability = reliability(answers_, default_bins);
    const std::vector<double> by_margin = accuracy_over_coverage(known_.margin, right_, default_coverages);
    const std::vector<double> by_probability =
        accuracy_over_coverage(known_.probability, right_, default_coverages);
    for (std::size_t i = 0; i < default_coverages.size(); ++i)
        result.coverage.push_back({default_coverages[i], by_margin[i], by_probability[i]});
}

void Assessor::assess_unknown(Assessment& result) const {
    result.unknown = unknown_classes_;
    result.unknown_images = unknown_.margin.size();
    if (result.images == 0 || result.unknown_images == 0) return;
    UnknownDetection& detection = result.unknown_detection.emplace();
    detection.by_margin = auroc(known_.margin, unknown_.margin);
    detection.by_probability = auroc(known_.probability, unknown_.probability);
    // A learner provides the fit for all predictions or for none.
    if (!known_.fit.empty() && !unknown_.fit.empty()) detection.by_fit = auroc(known_.fit, unknown_.fit);
}

std::string to_json(const Assessment& assessment) {
    using Json = nlohmann::ordered_json;
    Json json = {{"images", assessment.images},
                 {"right", assessment.right},
                 {"accuracy", or_null(assessment.accuracy)},
                 {"balanced_accuracy", or_null(assessment.balanced_accuracy)},
                 {"log_loss", or_null(assessment.log_loss)},
                 {"brier", or_null(assessment.brier)},
                 {"calibration_error", or_null(assessment.calibration_error)}};
    Json& classes = json["classes"] = Json::array();
    for (const ClassAssessment& c : assessment.classes) {
        classes.push_back({{"label", c.label},
                           {"images", c.images},
                           {"right", c.right},
                           {"accuracy", or_null(c.accuracy())},
                           {"answers", c.answers}});
    }
    json["confusion"] = assessment.confusion;
    Json& bins = json["reliability"] = Json::array();
    for (const ConfidenceBin& bin : assessment.reliability) {
        bins.push_back({{"from", bin.from},
                        {"to", bin.to},
                        {"images", bin.images},
                        {"confidence", bin.confidence},
                        {"accuracy", bin.accuracy}});
    }
    Json& coverage = json["coverage"] = Json::array();
    for (const CoveredAccuracy& c : assessment.coverage) {
        coverage.push_back(
            {{"coverage", c.coverage}, {"by_margin", c.by_margin}, {"by_probability", c.by_probability}});
    }
    Json& unknown = json["unknown"] = {{"images", assessment.unknown_images}, {"classes", Json::array()}};
    for (const auto& [label, images] : assessment.unknown)
        unknown["classes"].push_back({{"label", label}, {"images", images}});
    if (const auto& detection = assessment.unknown_detection) {
        unknown["auroc"] = {{"by_margin", detection->by_margin},
                            {"by_probability", detection->by_probability},
                            {"by_fit", or_null(detection->by_fit)}};
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace sprig

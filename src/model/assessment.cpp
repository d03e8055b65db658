#include "model/assessment.h"

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

std::optional<double> AssessedClass::accuracy() const {
    if (images == 0) return std::nullopt;
    return share(right, images);
}

void Assessment::Trust::add(const Prediction& prediction) {
    margin.push_back(prediction.margin);
    probability.push_back(prediction.best ? prediction.probabilities[*prediction.best] : 0);
    if (prediction.explained) explained.push_back(*prediction.explained);
}

Assessment::Assessment(std::vector<std::string> classes) : classes_(std::move(classes)) {
    for (std::size_t c = 0; c < classes_.size(); ++c) numbers_.emplace(classes_[c], c);
    confusion_.assign(classes_.size(), std::vector<std::size_t>(classes_.size()));
}

void Assessment::add(const Prediction& prediction, std::string_view truth) {
    if (prediction.probabilities.size() != classes_.size() || prediction.best.has_value() == classes_.empty())
        throw usage_error("a prediction is about other classes than those that are assessed");
    const auto known = numbers_.find(truth);
    known == numbers_.end() ? add_unknown(prediction, truth) : add_known(prediction, known->second);
}

void Assessment::add_known(const Prediction& prediction, std::size_t truth) {
    ++confusion_[truth][*prediction.best];
    answers_.push_back(graded_answer(prediction, truth));
    right_.push_back(answers_.back().right);
    known_.add(prediction);
}

void Assessment::add_unknown(const Prediction& prediction, std::string_view truth) {
    unknown_.add(prediction);
    const auto before =
        std::ranges::find(unknown_classes_, truth, &std::pair<std::string, std::size_t>::first);
    if (before == unknown_classes_.end()) {
        unknown_classes_.emplace_back(truth, 1);
    } else {
        ++before->second;
    }
}

Assessed Assessment::result() const {
    Assessed result;
    result.images = answers_.size();
    result.right = static_cast<std::size_t>(std::ranges::count(right_, true));
    judge_classes(result);
    if (result.images > 0) judge_probabilities(result);
    judge_unknown(result);
    return result;
}

void Assessment::judge_classes(Assessed& result) const {
    result.confusion = confusion_;
    std::vector<double> accuracies;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        AssessedClass& found = result.classes.emplace_back();
        found.label = classes_[c];
        found.right = confusion_[c][c];
        found.images = std::accumulate(confusion_[c].begin(), confusion_[c].end(), std::size_t{0});
        for (const std::vector<std::size_t>& row : confusion_) found.answers += row[c];
        if (const auto accuracy = found.accuracy()) accuracies.push_back(*accuracy);
    }
    if (!accuracies.empty())
        result.balanced_accuracy = std::accumulate(accuracies.begin(), accuracies.end(), 0.0) /
                                   static_cast<double>(accuracies.size());
}

void Assessment::judge_probabilities(Assessed& result) const {
    result.accuracy = share_right(answers_);
    result.log_loss = log_loss(answers_);
    result.brier = brier_score(answers_);
    result.calibration_error = expected_calibration_error(answers_, usual_bins);
    result.reliability = reliability(answers_, usual_bins);
    const std::vector<double> by_margin = accuracy_over_coverage(known_.margin, right_, usual_coverages);
    const std::vector<double> by_probability =
        accuracy_over_coverage(known_.probability, right_, usual_coverages);
    for (std::size_t i = 0; i < usual_coverages.size(); ++i)
        result.coverage.push_back({usual_coverages[i], by_margin[i], by_probability[i]});
}

void Assessment::judge_unknown(Assessed& result) const {
    result.unknown = unknown_classes_;
    result.unknown_images = unknown_.margin.size();
    if (result.images == 0 || result.unknown_images == 0) return;
    ToldApart& apart = result.told_apart.emplace();
    apart.by_margin = auroc(known_.margin, unknown_.margin);
    apart.by_probability = auroc(known_.probability, unknown_.probability);
    // A learner says this with every answer, or with none.
    if (!known_.explained.empty() && !unknown_.explained.empty())
        apart.by_explained = auroc(known_.explained, unknown_.explained);
}

std::string to_json(const Assessed& assessed) {
    using Json = nlohmann::ordered_json;
    Json json = {{"images", assessed.images},
                 {"right", assessed.right},
                 {"accuracy", or_null(assessed.accuracy)},
                 {"balanced_accuracy", or_null(assessed.balanced_accuracy)},
                 {"log_loss", or_null(assessed.log_loss)},
                 {"brier", or_null(assessed.brier)},
                 {"calibration_error", or_null(assessed.calibration_error)}};
    Json& classes = json["classes"] = Json::array();
    for (const AssessedClass& c : assessed.classes) {
        classes.push_back({{"label", c.label},
                           {"images", c.images},
                           {"right", c.right},
                           {"accuracy", or_null(c.accuracy())},
                           {"answers", c.answers}});
    }
    json["confusion"] = assessed.confusion;
    Json& bins = json["reliability"] = Json::array();
    for (const ConfidenceBin& bin : assessed.reliability) {
        bins.push_back({{"from", bin.from},
                        {"to", bin.to},
                        {"images", bin.images},
                        {"confidence", bin.confidence},
                        {"accuracy", bin.accuracy}});
    }
    Json& coverage = json["coverage"] = Json::array();
    for (const CoveredAccuracy& c : assessed.coverage) {
        coverage.push_back(
            {{"coverage", c.coverage}, {"by_margin", c.by_margin}, {"by_probability", c.by_probability}});
    }
    Json& unknown = json["unknown"] = {{"images", assessed.unknown_images}, {"classes", Json::array()}};
    for (const auto& [label, images] : assessed.unknown)
        unknown["classes"].push_back({{"label", label}, {"images", images}});
    if (const auto& apart = assessed.told_apart) {
        unknown["auroc"] = {{"by_margin", apart->by_margin},
                            {"by_probability", apart->by_probability},
                            {"by_explained", or_null(apart->by_explained)}};
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace sprig

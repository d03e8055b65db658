#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sprig {

/// Answers of like confidence.
struct ConfidenceBin {
    double from = 0;
    double to = 1;
    std::size_t images = 0;
    double confidence = 0; ///< the mean over its images; 0 without any
    double accuracy = 0;   ///< likewise
};

/// How one class was recognised.
struct AssessedClass {
    std::string label;
    std::size_t images = 0;
    std::size_t right = 0;
    std::size_t answers = 0; ///< how many images were taken for it, its own among them

    [[nodiscard]] std::optional<double> accuracy() const; ///< none without images
};

/// The accuracy that is left if only this share of the answers is given: the most trusted ones, by how far
/// the best score is ahead of the next, or by the probability of the answer.
struct CoveredAccuracy {
    double coverage = 1;
    double by_margin = 0;
    double by_probability = 0;
};

/// How well images of known classes are told from those of unknown ones, by what is said with an answer:
/// areas under the ROC curve.
struct ToldApart {
    double by_margin = 0;
    double by_probability = 0;
    std::optional<double> by_explained = {}; ///< none if the learner does not say how well it explains
};

/// What was found. All but the last three is about images of classes that the model knows.
struct Assessed {
    std::size_t images = 0;
    std::size_t right = 0;
    // Each of these is nothing without images.
    std::optional<double> accuracy = {};
    std::optional<double> balanced_accuracy = {}; ///< the mean over the classes that there are images of
    std::optional<double> log_loss = {};
    std::optional<double> brier = {};
    std::optional<double> calibration_error = {};
    std::vector<AssessedClass> classes = {};
    std::vector<std::vector<std::size_t>> confusion = {}; ///< by true class, then by answer
    std::vector<ConfidenceBin> reliability = {};          ///< empty without images, as the next one
    std::vector<CoveredAccuracy> coverage = {};
    std::size_t unknown_images = 0; ///< of classes that the model does not know
    std::vector<std::pair<std::string, std::size_t>> unknown =
        {};                                   ///< the same by class, in the order they came
    std::optional<ToldApart> told_apart = {}; ///< none unless there are images of both kinds
};

/// All of it as JSON text, for a program to read.
[[nodiscard]] std::string to_json(const Assessed& assessed);

} // namespace sprig

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sprig {

/// The answers with a confidence between `from` and `to`.
struct ConfidenceBin {
    double from = 0;
    double to = 1;
    std::size_t images = 0;
    double confidence = 0; ///< mean over the images; 0 if there are none
    double accuracy = 0;   ///< 0 if there are no images
};

/// The results of one class.
struct ClassAssessment {
    std::string label;
    std::size_t images = 0;
    std::size_t right = 0;
    std::size_t answers = 0; ///< number of images classified as this class, correctly or not

    [[nodiscard]] std::optional<double> accuracy() const; ///< not set if there are no images
};

/// The accuracy on the fraction `coverage` of the images with the most confident answers, ranked by margin or
/// by probability.
struct CoveredAccuracy {
    double coverage = 1;
    double by_margin = 0;
    double by_probability = 0;
};

/// How well each confidence measure separates images of known classes from images of unknown ones: the area
/// under the ROC curve.
struct UnknownDetection {
    double by_margin = 0;
    double by_probability = 0;
    std::optional<double> by_fit = {}; ///< not set if the learner does not provide a fit
};

/// The results of a test. All but the last three members are about images of known classes.
struct Assessment {
    std::size_t images = 0;
    std::size_t right = 0;
    // Not set if there are no images.
    std::optional<double> accuracy = {};
    std::optional<double> balanced_accuracy = {}; ///< mean over the classes that have images
    std::optional<double> log_loss = {};
    std::optional<double> brier = {};
    std::optional<double> calibration_error = {};
    std::vector<ClassAssessment> classes = {};
    std::vector<std::vector<std::size_t>> confusion = {}; ///< by true class, then by answer
    std::vector<ConfidenceBin> reliability = {};          ///< empty if there are no images
    std::vector<CoveredAccuracy> coverage = {};           ///< empty if there are no images
    std::size_t unknown_images = 0;                       ///< images of classes that the model does not know
    std::vector<std::pair<std::string, std::size_t>> unknown = {}; ///< the same by class, in order of arrival
    std::optional<UnknownDetection> unknown_detection = {}; ///< not set unless there are images of both kinds
};

/// The whole assessment as JSON text.
[[nodiscard]] std::string to_json(const Assessment& assessment);

} // namespace sprig

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/reliability.h"
#include "sprig/learner.h"

namespace sprig {

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
/// areas under the ROC curve (model/reliability.h).
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

/// Takes in what a model says of labelled images, one at a time, and says how far it can be relied on.
class Assessment {
  public:
    /// `classes`: the reader's.
    explicit Assessment(std::vector<std::string> classes);

    /// Throws Error(usage) if the prediction is not about these classes.
    void add(const Prediction& prediction, std::string_view truth);
    [[nodiscard]] Assessed result() const;

  private:
    struct Trust {
        std::vector<double> margin;
        std::vector<double> probability;
        std::vector<double> explained;

        void add(const Prediction& prediction);
    };

    void add_known(const Prediction& prediction, std::size_t truth);
    void add_unknown(const Prediction& prediction, std::string_view truth);
    void judge_classes(Assessed& result) const;
    void judge_probabilities(Assessed& result) const;
    void judge_unknown(Assessed& result) const;

    std::vector<std::string> classes_;
    std::map<std::string, std::size_t, std::less<>> numbers_; ///< of the classes
    std::vector<std::vector<std::size_t>> confusion_;
    std::vector<Answer> answers_;
    std::vector<bool> right_;
    Trust known_;
    Trust unknown_;
    std::vector<std::pair<std::string, std::size_t>> unknown_classes_;
};

/// All of it, for a program to read.
[[nodiscard]] nlohmann::ordered_json json_of(const Assessed& assessed);

} // namespace sprig

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/reliability.h"
#include "sprig/assessment.h"
#include "sprig/learner.h"

namespace sprig {

/// Accumulates predictions for labelled images into an assessment.
class Assessor {
  public:
    /// `classes`: of the reader.
    explicit Assessor(std::vector<std::string> classes);

    /// All that is needed of a prediction: much less than the prediction if there are many classes.
    struct Grade {
        std::string truth;
        std::optional<std::size_t> best;
        GradedAnswer answer = {}; ///< if the true class is known
        double margin = 0;
        double probability = 0; ///< of the best class
        std::optional<double> fit = {};
    };
    /// Throws Error(usage) if the prediction has other classes.
    [[nodiscard]] Grade grade(const Prediction& prediction, std::string_view truth) const;
    void add(const Grade& grade);
    void add(const Prediction& prediction, std::string_view truth) { add(grade(prediction, truth)); }
    [[nodiscard]] Assessment result() const;

  private:
    struct Confidences {
        std::vector<double> margin;
        std::vector<double> probability;
        std::vector<double> fit;

        void add(const Grade& grade);
    };

    void add_known(const Grade& grade, std::size_t truth);
    void add_unknown(const Grade& grade);
    void assess_classes(Assessment& result) const;
    void assess_probabilities(Assessment& result) const;
    void assess_unknown(Assessment& result) const;

    std::vector<std::string> classes_;
    std::map<std::string, std::size_t, std::less<>> class_indices_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> confusion_; ///< by class and answer
    std::vector<GradedAnswer> answers_;
    std::vector<bool> right_;
    Confidences known_;
    Confidences unknown_;
    std::vector<std::pair<std::string, std::size_t>> unknown_classes_;
};

} // namespace sprig

#pragma once

#include <cstddef>
#include <map>
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

    /// Throws Error(usage) if the prediction has other classes.
    void add(const Prediction& prediction, std::string_view truth);
    [[nodiscard]] Assessment result() const;

  private:
    struct Confidences {
        std::vector<double> margin;
        std::vector<double> probability;
        std::vector<double> fit;

        void add(const Prediction& prediction);
    };

    void add_known(const Prediction& prediction, std::size_t truth);
    void add_unknown(const Prediction& prediction, std::string_view truth);
    void assess_classes(Assessment& result) const;
    void assess_probabilities(Assessment& result) const;
    void assess_unknown(Assessment& result) const;

    std::vector<std::string> classes_;
    std::map<std::string, std::size_t, std::less<>> class_indices_;
    std::vector<std::vector<std::size_t>> confusion_;
    std::vector<GradedAnswer> answers_;
    std::vector<bool> right_;
    Confidences known_;
    Confidences unknown_;
    std::vector<std::pair<std::string, std::size_t>> unknown_classes_;
};

} // namespace sprig

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
    std::vector<GradedAnswer> answers_;
    std::vector<bool> right_;
    Trust known_;
    Trust unknown_;
    std::vector<std::pair<std::string, std::size_t>> unknown_classes_;
};

} // namespace sprig

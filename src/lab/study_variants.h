#pragma once

#include <string>
#include <vector>

#include "lab/study_digits.h"

namespace sprig::lab {

/// One of several settings that are compared.
struct Variant {
    std::string name;
    LearnerSetting setting;
};

/// One of several ways in which the held-out digits are shown.
struct View {
    std::string name;
    ShowImage show;
};

/// What one setting gave with one seed.
struct VariantRun {
    std::vector<DigitScores> scores; ///< by view
    Census census;
};

/// How images are shown: those that are learned in one way, those held out in one way or several.
struct Views {
    ShowImage learned = {};
    std::vector<View> held_out = {{"as they are", {}}};
};

/// Lets every variant learn every seed's stream and asks it for all held-out digits, in every view. The
/// result by variant, then seed. Networks are made once for all variants that see alike.
[[nodiscard]] std::vector<std::vector<VariantRun>> run_variants(const StudyContext& context,
                                                                const Digits& digits,
                                                                const std::vector<Variant>& variants,
                                                                const Views& views = {});

/// One number of each seed's run.
template <class Get>
std::vector<double> over_seeds(const std::vector<VariantRun>& runs, Get get) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const VariantRun& run : runs) values.push_back(static_cast<double>(get(run)));
    return values;
}

} // namespace sprig::lab

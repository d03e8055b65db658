#pragma once

#include <string>
#include <vector>

#include "lab/studies/digits.h"

namespace sprig::lab {

/// One of several settings that are compared.
struct Variant {
    std::string name; ///< a folder of kept pieces is called so, too
    LearnerSetting setting;
};

/// One of several ways in which the held-out digits are shown.
struct View {
    std::string name; ///< says all that the images hang on: what is kept under it is taken for the same
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
    /// How those that are learned are shown, in words that say all that they hang on.
    std::string learned_name = {};
};

/// Lets every variant learn every seed's stream and asks it for all held-out digits, in every view. The
/// result by variant, then seed. Networks are made once for all variants that see alike, and only if
/// something is not kept yet.
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

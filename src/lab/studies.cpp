#include "lab/studies.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

const std::vector<Study>& all_studies() {
    constexpr AsksAbout own = AsksAbout::own_images;
    constexpr AsksAbout digits = AsksAbout::held_out_digits;
    static const std::vector<Study> studies = {
        {"headline", "How good is each learner along the paper's stream, and does it keep what it learned?",
         study_headline, own, nullptr, true, 0.5},
        {"growth", "How many units are there along the stream, and how many come and go?", study_growth, own,
         nullptr, true, 0.3},
        {"learning-variants",
         "What do the Modeller's suppressors do for it, and what would gates by position?",
         study_learning_variants, own, nullptr, true, 1},
        {"read-outs",
         "What do other ways to read the Modeller's models give, and how many of its units matter?",
         study_read_outs, own, nullptr, true, 1},
        {"scales", "What are relations of several scales worth?", study_scales, own, nullptr, true, 0.3},
        {"thresholds", "Does the Modeller hang on its thresholds and rates?", study_thresholds, own, nullptr,
         true, 1},
        {"class-count", "How do size and work grow with the number of classes?", study_class_count, own,
         nullptr, true, 0.3},
        {"samples", "Does anything fall between two blocks that their ends do not show?", study_samples, own,
         nullptr, true, 0.5},
        {"streams",
         "How good are they on other streams than the paper's?",
         study_streams,
         own,
         nullptr,
         true,
         3,
         false,
         false,
         {"fashion-mnist"}},
        {"presets", "How good is each preset of Constellation, and with how few images?", study_presets, own,
         nullptr, true, 2},
        {"drawings", "What do networks, matches and learned units look like?", study_drawings, own, nullptr,
         true, 0.1},
        {"one-pass",
         "How good does one pass over all training images make it, and how large?",
         study_one_pass,
         digits,
         nullptr,
         false,
         0.5,
         false,
         false,
         {},
         "long"},
        {"open-set",
         "Does it know what it does not know: garments, letters, noise, and its own mistakes?",
         study_open_set,
         digits,
         nullptr,
         false,
         0.3,
         false,
         false,
         {"fashion-mnist"}},
        {"probabilities", "Can its probabilities be taken at their word, or is another temperature better?",
         study_probabilities, digits, nullptr, false, 0.1},
        {"glyphs",
         "Does it learn printed letters from a few typefaces, and read them in others?",
         study_glyphs,
         own,
         nullptr,
         false,
         0.1,
         false,
         false,
         {},
         "general"},
        {"poses",
         "Does it recognise shapes that come turned and mirrored?",
         study_poses,
         own,
         "constellation",
         false,
         0.1,
         false,
         false,
         {},
         "general"},
        {"ablation", "What is each part of Constellation good for?", study_ablation, digits, "constellation",
         false, 1, false, true},
        {"shift", "Do they recognise digits that are moved, turned, written with another pen, or noisy?",
         study_shift, digits, nullptr, true, 1},
        {"interference", "Does learning one class change what it says of another?", study_interference,
         digits, nullptr, false, 0.3},
    };
    return studies;
}

const Study& study_called(std::string_view name, const std::vector<Study>& studies) {
    const auto found = std::ranges::find_if(studies, [&](const Study& s) { return s.name == name; });
    if (found != studies.end()) return *found;
    std::string names;
    for (const Study& study : studies) {
        if (!names.empty()) names += &study == &studies.back() ? " and " : ", ";
        names += study.name;
    }
    throw usage_error(fmt::format("there is no study called '{}': there are {}", name, names));
}

} // namespace sprig::lab

#include "lab/studies.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

const std::vector<Study>& all_studies() {
    static const std::vector<Study> studies = {
        {"one-pass", "How good does one pass over all training images make it, and how large?",
         study_one_pass},
        {"open-set", "Does it know what it does not know: garments, letters, noise, and its own mistakes?",
         study_open_set},
        {"probabilities", "Can its probabilities be taken at their word, or is another temperature better?",
         study_probabilities},
        {"glyphs", "Does it learn printed letters from a few typefaces, and read them in others?",
         study_glyphs, AsksAbout::own_images},
        {"poses", "Does it recognise shapes that come turned and mirrored?", study_poses,
         AsksAbout::own_images, "constellation"},
        {"ablation", "What is each part of Constellation good for?", study_ablation,
         AsksAbout::held_out_digits, "constellation"},
        {"shift", "Does it recognise digits that do not lie where it learned them?", study_shift,
         AsksAbout::held_out_digits, "constellation"},
        {"interference", "Does learning one class change what it says of another?", study_interference},
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

#include "lab/studies/studies.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

// Each is defined in its own file.
namespace studies {
namespace headline {
Study study();
}
namespace growth {
Study study();
}
namespace learning_variants {
Study study();
}
namespace read_outs {
Study study();
}
namespace scales {
Study study();
}
namespace thresholds {
Study study();
}
namespace class_count {
Study study();
}
namespace samples {
Study study();
}
namespace streams {
Study study();
}
namespace presets {
Study study();
}
namespace drawings {
Study study();
}
namespace one_pass {
Study study();
}
namespace open_set {
Study study();
}
namespace probabilities {
Study study();
}
namespace printed_glyphs {
Study study();
}
namespace poses {
Study study();
}
namespace strokes {
Study study();
}
namespace ablation {
Study study();
}
namespace shift {
Study study();
}
namespace interference {
Study study();
}
namespace pictures {
Study study();
}
namespace explanations {
Study study();
}
namespace pens {
Study study();
}
namespace resolutions {
Study study();
}
namespace long_run {
Study study();
}
} // namespace studies

const std::vector<Study>& all_studies() {
    static const std::vector<Study> studies = {
        studies::headline::study(),    studies::growth::study(),        studies::learning_variants::study(),
        studies::read_outs::study(),   studies::scales::study(),        studies::thresholds::study(),
        studies::class_count::study(), studies::samples::study(),       studies::streams::study(),
        studies::presets::study(),     studies::drawings::study(),      studies::one_pass::study(),
        studies::open_set::study(),    studies::probabilities::study(), studies::printed_glyphs::study(),
        studies::poses::study(),       studies::strokes::study(),       studies::ablation::study(),
        studies::shift::study(),       studies::interference::study(),  studies::explanations::study(),
        studies::pictures::study(),    studies::pens::study(),          studies::resolutions::study(),
        studies::long_run::study()};
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

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sprig/learner.h"

namespace sprig::cli {

/// Which learner, as a person named it.
struct LearnerChoice {
    std::string name = "constellation";
    std::string preset; ///< empty: the learner's own default
    /// Parameters to be set beyond the preset, as KEY and VALUE, in the order given; no key twice.
    std::vector<std::pair<std::string, std::string>> settings;
};

/// The names of all learners, the default one first.
[[nodiscard]] const std::vector<std::string>& learner_names();

/// The names of all their presets, for a shell to offer.
[[nodiscard]] const std::vector<std::string>& preset_names();

/// The preset that a choice names, or the one that stands for none.
[[nodiscard]] std::string preset_of(const LearnerChoice& choice);

/// Makes a learner that has seen nothing yet. Throws Error(usage) for a name, a preset, a key or a value that
/// does not exist. May be called from several threads at once.
[[nodiscard]] std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed);

} // namespace sprig::cli

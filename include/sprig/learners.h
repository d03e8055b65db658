#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sprig/learner.h"

namespace sprig {

namespace learner {
class Storage;
}

/// Parameters to be set beyond a preset, as KEY and VALUE, in the order given; no key twice.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Which learner, as a person names it.
struct LearnerChoice {
    std::string learner = "constellation";
    std::string preset = {}; ///< empty: the learner's own default
    Settings settings = {};

    /// The same with some parameters set; those that were set before get the new value.
    [[nodiscard]] LearnerChoice with(std::span<const std::pair<std::string, std::string>> more) const;
};

/// One kind of learner: all that the rest of the library needs to know of it. A new kind takes a folder of
/// its own and a line in src/learner/registry.cpp, or in a program of one's own a call of `add_learner_kind`.
struct LearnerKind {
    std::string name;
    std::vector<std::string> presets; ///< the default one first
    /// Whether it draws anything at random.
    bool uses_seed = false;
    /// Whether a lesson changes nothing but its own class: then the order of classes does not matter, models
    /// can be merged exactly, and a unit's birth is counted in lessons of its class.
    bool classes_are_independent = false;
    /// Makes one that has seen nothing yet. Throws Error(usage) for a preset, a key or a value that does not
    /// exist. Safe to call from several threads.
    std::function<std::unique_ptr<Learner>(const std::string& preset, const Settings& settings,
                                           std::uint64_t seed)>
        make;
    /// How models of these parameters (JSON, as `Learner::parameters`, and of the front end) are stored.
    std::function<std::unique_ptr<learner::Storage>(const std::string& parameters,
                                                    const std::string& front_end)>
        storage;
};

/// All kinds, the default one first.
[[nodiscard]] std::vector<std::shared_ptr<const LearnerKind>> learner_kinds();
/// The kind of that name. Throws Error(usage), which names those there are, if there is none.
[[nodiscard]] std::shared_ptr<const LearnerKind> learner_kind(std::string_view name);
/// Adds a kind, for a program that brings its own. Throws Error(usage) if the name is taken.
void add_learner_kind(LearnerKind kind);

/// The names of all learners, the default one first, and of all their presets.
[[nodiscard]] std::vector<std::string> learner_names();
[[nodiscard]] std::vector<std::string> preset_names();
/// The preset that a choice names, or the one that stands for none.
[[nodiscard]] std::string preset_of(const LearnerChoice& choice);
/// Makes a learner that has seen nothing yet. Throws Error(usage) for a name, a preset, a key or a value that
/// does not exist. Safe to call from several threads.
[[nodiscard]] std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed);

} // namespace sprig

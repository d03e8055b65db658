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

/// Parameters that override a preset, as KEY and VALUE. Keys are unique.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A learner with its preset and parameters.
struct LearnerChoice {
    std::string learner = "constellation";
    std::string preset = {}; ///< empty: the learner's default
    Settings settings = {};

    /// A copy with more parameters set; an earlier value of the same key is replaced.
    [[nodiscard]] LearnerChoice with(std::span<const std::pair<std::string, std::string>> more) const;
};

/// How a learner recognises shapes in any pose: turned, mirrored and upside down.
struct FreePose {
    /// The settings that free the pose, on top of a preset. Throws Error(usage), which says why and what to
    /// do instead, if the preset does not allow it.
    std::function<Settings(const std::string& preset)> settings;
    /// Whether the pose is free with these parameters (JSON, as of `Learner::parameters`).
    std::function<bool(const std::string& parameters, const std::string& front_end)> is_set;
};

/// A kind of learner, as the registry holds it. A new kind takes a folder of its own and a line in
/// src/learner/registry.cpp; a program can add its own kind with `add_learner_kind`.
struct LearnerKind {
    std::string name;
    std::vector<std::string> presets; ///< the default first
    bool uses_seed = false;           ///< whether it uses random numbers
    /// Whether a lesson changes only its own class. If so, the order of classes does not matter, models can
    /// be merged exactly, and a unit's birth is counted in lessons of its class.
    bool classes_are_independent = false;
    /// Makes an untrained learner. Throws Error(usage) if a preset, key or value is not valid. Thread-safe.
    std::function<std::unique_ptr<Learner>(const std::string& preset, const Settings& settings,
                                           std::uint64_t seed)>
        make;
    /// Makes the storage for models with these parameters (JSON, as of `Learner::parameters`).
    std::function<std::unique_ptr<learner::Storage>(const std::string& parameters,
                                                    const std::string& front_end)>
        storage;
    FreePose free_pose = {}; ///< without functions: the learner cannot do it
};

/// All kinds, the default first.
[[nodiscard]] std::vector<std::shared_ptr<const LearnerKind>> learner_kinds();
/// The kind with this name. Throws Error(usage), which lists the names, if there is none.
[[nodiscard]] std::shared_ptr<const LearnerKind> learner_kind(std::string_view name);
/// Registers a kind. Throws Error(usage) if the name is taken.
void add_learner_kind(LearnerKind kind);

/// The names of all learners, the default first, and of all their presets.
[[nodiscard]] std::vector<std::string> learner_names();
[[nodiscard]] std::vector<std::string> preset_names();
/// The preset of a choice, or the learner's default if it names none.
[[nodiscard]] std::string preset_of(const LearnerChoice& choice);
/// The same choice with a free pose. Throws Error(usage) if the learner or the preset does not allow it, or a
/// setting contradicts it.
[[nodiscard]] LearnerChoice with_free_pose(const LearnerChoice& choice);
/// Whether the pose is free in a model of this learner with these parameters (JSON).
[[nodiscard]] bool has_free_pose(std::string_view learner, const std::string& parameters,
                                 const std::string& front_end);
/// Makes an untrained learner. Throws Error(usage) if a name, preset, key or value is not valid. Thread-safe.
[[nodiscard]] std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed);

} // namespace sprig

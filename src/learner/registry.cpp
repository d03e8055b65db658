#include "sprig/learners.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sprig/error.h"

// Defined in the folder of each learner.
namespace sprig::constellation {
LearnerKind kind();
}
#ifndef SPRIG_WITHOUT_MODELLER // set where size counts: in the package for JavaScript
namespace sprig::modeller {
LearnerKind kind();
}
#endif

namespace sprig {

namespace {

using Kinds = std::vector<std::shared_ptr<const LearnerKind>>;

/// The list of learners; the first is the default.
Kinds built_in() {
    Kinds kinds;
    for (LearnerKind (*const kind)() : {
             &constellation::kind,
#ifndef SPRIG_WITHOUT_MODELLER
             &modeller::kind,
#endif
         })
        kinds.push_back(std::make_shared<const LearnerKind>(kind()));
    return kinds;
}

struct Registry {
    std::mutex mutex;
    Kinds kinds = built_in();
};

Registry& registry() {
    static Registry all;
    return all;
}

std::shared_ptr<const LearnerKind> find(const Kinds& kinds, std::string_view name) {
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind->name == name; });
    return found == kinds.end() ? nullptr : *found;
}

} // namespace

Kinds learner_kinds() {
    const std::lock_guard lock(registry().mutex);
    return registry().kinds;
}

std::shared_ptr<const LearnerKind> learner_kind(std::string_view name) {
    if (auto found = find(learner_kinds(), name)) return found;
    throw usage_error(fmt::format("there is no learner '{}': the learners are {}", name,
                                  fmt::join(learner_names(), " and ")));
}

void add_learner_kind(LearnerKind kind) {
    const std::lock_guard lock(registry().mutex);
    if (find(registry().kinds, kind.name) != nullptr)
        throw usage_error(fmt::format("there is already a learner '{}'", kind.name));
    registry().kinds.push_back(std::make_shared<const LearnerKind>(std::move(kind)));
}

std::vector<std::string> learner_names() {
    std::vector<std::string> names;
    for (const auto& kind : learner_kinds()) names.push_back(kind->name);
    return names;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const auto& kind : learner_kinds())
        names.insert(names.end(), kind->presets.begin(), kind->presets.end());
    return names;
}

LearnerChoice LearnerChoice::with(std::span<const std::pair<std::string, std::string>> more) const {
    LearnerChoice result = *this;
    for (const std::pair<std::string, std::string>& one : more) { // no binding: clang 14 cannot capture it
        std::erase_if(result.settings, [&](const auto& known) { return known.first == one.first; });
        result.settings.push_back(one);
    }
    return result;
}

std::string preset_of(const LearnerChoice& choice) {
    return choice.preset.empty() ? learner_kind(choice.learner)->presets.front() : choice.preset;
}

LearnerChoice with_free_pose(const LearnerChoice& choice) {
    const std::shared_ptr<const LearnerKind> kind = learner_kind(choice.learner);
    if (!kind->free_pose.settings)
        throw usage_error(
            fmt::format("{} has no free pose: use the learner {}", choice.learner, learner_names().front()));
    const Settings needed = kind->free_pose.settings(preset_of(choice));
    for (const std::pair<std::string, std::string>& one : choice.settings) {
        for (const auto& [key, value] : needed) {
            if (one.first == key && one.second != value)
                throw usage_error(
                    fmt::format("a free pose sets {0}={1}, so {0}={2} cannot be set: leave one of "
                                "the two out",
                                key, value, one.second));
        }
    }
    return choice.with(needed);
}

bool has_free_pose(std::string_view learner, const std::string& parameters, const std::string& front_end) {
    const std::shared_ptr<const LearnerKind> kind = learner_kind(learner);
    return kind->free_pose.is_set && kind->free_pose.is_set(parameters, front_end);
}

std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed) {
    return learner_kind(choice.learner)->make(preset_of(choice), choice.settings, seed);
}

} // namespace sprig

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constellation/class_model.h"
#include "sprig/constellation.h"

namespace sprig::constellation {

/// The stored state of a class.
struct ClassState {
    std::string label;
    std::uint64_t samples = 0;
    std::vector<Unit> units; ///< by sample of creation
};

/// Gives storage code access to the state of a Constellation, and restores a Constellation from it.
class Access {
  public:
    [[nodiscard]] static const std::vector<std::unique_ptr<ClassModel>>& classes(const Constellation& model);
    /// Replaces the model of a class by another one of the same label.
    static void replace(Constellation& model, std::size_t label, ClassModel by);
    /// Called for each sample by the thread that learns it. It must call `learn` once.
    using AroundLesson = std::function<void(std::size_t sample, const ClassModel& known,
                                            const std::function<LearnReport()>& learn)>;
    /// As `Constellation::learn_all`.
    static void learn_all(Constellation& model, std::span<const Constellation::Sample> samples,
                          std::size_t threads, const AroundLesson& around);
    /// Keeps this number of nodes ready to be scored, instead of the usual number.
    static void limit_ready_nodes(Constellation& model, std::size_t nodes);
    /// Throws Error(bad_input) if the state is inconsistent.
    [[nodiscard]] static std::unique_ptr<Constellation> restore(const ConstellationPreset& preset,
                                                                std::vector<ClassState> classes);
};

} // namespace sprig::constellation

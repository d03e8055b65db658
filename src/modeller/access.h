#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "learner/calibration.h"
#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// A class of the Modeller.
struct KnownClass {
    ClassModel model;
    learner::Calibration calibration;
};

/// The stored form of a class.
struct ClassState {
    std::string label;
    std::uint64_t since = 0; ///< the model's steps before the class was added
    std::uint64_t own = 0;
    learner::Calibration calibration;
    std::vector<UnitState> units;
};

/// Access to the state of a Modeller, for storage.
class Access {
  public:
    [[nodiscard]] static const std::vector<std::unique_ptr<KnownClass>>& classes(const Modeller& modeller);
    /// Throws Error(bad_input) if the content is inconsistent.
    [[nodiscard]] static std::unique_ptr<Modeller> restore(const ModellerParams& params, std::uint64_t seed,
                                                           const FrontEndParams& front_end,
                                                           std::uint64_t steps,
                                                           std::vector<ClassState> classes);
};

} // namespace sprig::modeller

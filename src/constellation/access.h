#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "constellation/class_model.h"
#include "sprig/constellation.h"

namespace sprig::constellation {

/// A class as it is kept outside of memory.
struct ClassState {
    std::string label;
    std::uint64_t samples = 0;
    std::vector<Unit> units; ///< by birth
};

/// A door for those who keep models: all that a Constellation has to remember, and one made of it.
class Access {
  public:
    [[nodiscard]] static const std::vector<std::unique_ptr<ClassModel>>& classes(const Constellation& model);
    /// Throws Error(bad_input) if the content does not hang together.
    [[nodiscard]] static std::unique_ptr<Constellation> restore(const ConstellationPreset& preset,
                                                                std::vector<ClassState> classes);
};

} // namespace sprig::constellation

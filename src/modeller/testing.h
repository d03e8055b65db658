#pragma once

#include <cstddef>
#include <cstdint>

#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// A door for tests: what a user of the Modeller cannot reach and a test must.
class Testing {
  public:
    /// Classes that are learned from now on scatter their units and nodes over memory.
    static void scatter_ids(Modeller& modeller, std::uint64_t seed);
    /// The units of a class, by its place in `classes()`.
    [[nodiscard]] static ClassModel& class_model(Modeller& modeller, std::size_t index);
};

} // namespace sprig::modeller

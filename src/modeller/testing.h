#pragma once

#include <cstddef>
#include <cstdint>

#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// Access to the internals of a Modeller, for tests.
class Testing {
  public:
    /// Makes classes that are added from now on assign ids in scattered order.
    static void scatter_ids(Modeller& modeller, std::uint64_t seed);
    /// The units of a class, by its index in `classes()`.
    [[nodiscard]] static ClassModel& class_model(Modeller& modeller, std::size_t index);
};

} // namespace sprig::modeller

#pragma once

#include "constellation/class_model.h"

namespace sprig::constellation {

/// The public view of a unit.
[[nodiscard]] UnitView view_of(const Unit& unit, const std::string& label, const UnitContext& context,
                               const std::shared_ptr<const Schema>& schema);

} // namespace sprig::constellation

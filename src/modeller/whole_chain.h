#pragma once

#include "modeller/class_model.h"

namespace sprig::modeller {

/// A unit and its downstream chain as one pattern without anchors: its own nodes and edges first, then those
/// of its target, and so on.
[[nodiscard]] match::Pattern whole_chain(const ClassModel& model, const Unit& unit);

} // namespace sprig::modeller

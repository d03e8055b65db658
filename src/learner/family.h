#pragma once

#include <memory>

#include "sprig/network.h"

namespace sprig::learner {

/// Throws Error(bad_input) if a network is not of the family that a model learned from.
void check_family(const Network& network, const std::shared_ptr<const Schema>& schema);

} // namespace sprig::learner

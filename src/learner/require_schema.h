#pragma once

#include <memory>

#include "sprig/network.h"

namespace sprig::learner {

/// Throws Error(bad_input) if a network does not have the schema of the model's front end.
void require_schema(const Network& network, const std::shared_ptr<const Schema>& schema);

} // namespace sprig::learner

#include "learner/require_schema.h"

#include "sprig/error.h"

namespace sprig::learner {

void require_schema(const Network& network, const std::shared_ptr<const Schema>& schema) {
    if (network.shared_schema() == schema || network.schema() == *schema) return;
    throw bad_input(
        "the network was not made by the model's front end: its types, layers, attributes or settings "
        "differ; use a front end with the model's parameters");
}

} // namespace sprig::learner

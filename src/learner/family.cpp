#include "learner/family.h"

#include "sprig/error.h"

namespace sprig::learner {

void check_family(const Network& network, const std::shared_ptr<const Schema>& schema) {
    if (network.shared_schema() == schema || network.schema() == *schema) return;
    throw bad_input(
        "the network was not made by the model's front end: its types, layers, attributes or settings "
        "are others; use the front end that the model names");
}

} // namespace sprig::learner

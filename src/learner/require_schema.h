#pragma once

#include <memory>
#include <utility>

#include "sprig/network.h"

namespace sprig::learner {

/// Throws Error(bad_input) if a network does not have the schema of the model's front end.
void require_schema(const Network& network, const std::shared_ptr<const Schema>& schema);

/// The same for many networks. Remembers the last schema that was equal, so that the next network with it
/// needs no comparison.
class RequiredSchema {
  public:
    explicit RequiredSchema(std::shared_ptr<const Schema> schema)
        : schema_(std::move(schema)), equal_(schema_) {}

    void check(const Network& network) {
        if (network.shared_schema() == equal_) return;
        require_schema(network, schema_);
        equal_ = network.shared_schema();
    }

  private:
    std::shared_ptr<const Schema> schema_;
    std::shared_ptr<const Schema> equal_;
};

} // namespace sprig::learner

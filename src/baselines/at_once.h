#pragma once

#include <memory>

#include "baselines/net.h"
#include "baselines/strategy.h"

namespace sprig::baselines {

struct AtOnceOptions {
    std::size_t batch = 10;
    std::size_t epochs = 20;
};

/// Keeps all it is shown, and trains on it in a random order when it is first asked: what the same network
/// reaches if nothing about the order is hard.
[[nodiscard]] std::unique_ptr<Strategy> learn_at_once(const Task& task, std::unique_ptr<Net> net,
                                                      const AtOnceOptions& options);

} // namespace sprig::baselines

#pragma once

#include <vector>

#include "baselines/net.h"

namespace sprig::baselines {

/// Weights that should stay near where they were, each as much as it mattered: the penalty that SI and MAS
/// share.
struct ProtectedWeights {
    std::vector<float> anchor; ///< where they were; empty: nothing is protected yet
    std::vector<float> importance;

    void add_penalty(Net& net, double strength) const {
        if (anchor.empty()) return;
        const std::span<float> gradient = net.gradient();
        const std::span<const float> weights = net.weights();
        const auto twice = static_cast<float>(2 * strength);
        for (std::size_t i = 0; i < anchor.size(); ++i)
            gradient[i] += twice * importance[i] * (weights[i] - anchor[i]);
    }
    void anchor_at(std::span<const float> weights) {
        anchor.assign(weights.begin(), weights.end());
        importance.resize(weights.size());
    }
    [[nodiscard]] std::size_t bytes() const { return (anchor.size() + importance.size()) * sizeof(float); }
};

} // namespace sprig::baselines

#pragma once

#include "lab/baselines/expert_routing.h"
#include "lab/baselines/method.h"
#include "lab/baselines/trainer.h"

namespace sprig::baselines {

/// The network, and how it is trained.
struct Training {
    bool convolutional = false;
    Schedule schedule = {};
    double rate = 1e-3;
};

// As the paper's appendix on reproducibility specifies them: two dense layers of 256, Adam, twenty steps on
// each block of five. The parameters are part of the name.
[[nodiscard]] Method plain(const Training& training = {});
[[nodiscard]] Method si(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method mas(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method lwf(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method replay(std::size_t capacity, std::size_t per_block = 5);
[[nodiscard]] Method der(std::size_t capacity, double alpha, double beta);
[[nodiscard]] Method er_ace(std::size_t capacity);
[[nodiscard]] Method experts(double reluctance, std::size_t batch = 5, ExpertErrors errors = {},
                             bool learns_when_full = false);
/// The same networks with access to all images, in random order.
[[nodiscard]] Method at_once(bool convolutional, std::size_t per_class, std::size_t epochs);

/// The same method on binary images instead of grey levels.
[[nodiscard]] Method on_ink(Method method);

/// One sample at a time with the same total number of gradient steps: four on each.
[[nodiscard]] Training one_at_a_time();
/// A control that the paper does not have: one gradient step per sample, at a lower learning rate.
[[nodiscard]] Training one_step(bool convolutional);

/// Pixel-based learners that learn image by image without a network.
[[nodiscard]] std::vector<Method> online_methods();

/// Methods with access to all images, as a reference.
[[nodiscard]] std::vector<Method> batch_methods();

} // namespace sprig::baselines

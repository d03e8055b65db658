#pragma once

#include "lab/baselines/expert_routing.h"
#include "lab/baselines/method.h"
#include "lab/baselines/trainer.h"

namespace sprig::baselines {

/// Which network, and how often it is trained.
struct Training {
    bool convolutional = false;
    Schedule schedule = {};
    double rate = 1e-3;
};

// As the paper's appendix on reproducibility specifies them: two dense layers of 256, Adam, twenty steps on
// each block of five. What each is told goes into its name.
[[nodiscard]] Method plain(const Training& training = {});
[[nodiscard]] Method si(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method mas(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method lwf(double strength, std::size_t cadence, Training training = {});
[[nodiscard]] Method replay(std::size_t capacity, std::size_t per_block = 5);
[[nodiscard]] Method der(std::size_t capacity, double alpha, double beta);
[[nodiscard]] Method er_ace(std::size_t capacity);
[[nodiscard]] Method experts(double reluctance, std::size_t batch = 5, ExpertErrors errors = {},
                             bool learns_when_full = false);
/// The same networks with all images at hand, in any order.
[[nodiscard]] Method at_once(bool convolutional, std::size_t per_class, std::size_t epochs);

/// The same method, shown ink or paper instead of grey levels.
[[nodiscard]] Method on_ink(Method method);

/// One sample at a time with as many gradient steps in all: four on each.
[[nodiscard]] Training one_at_a_time();
/// What the paper lacks: one gradient step for each sample, and a smaller one.
[[nodiscard]] Training one_step(bool convolutional);

/// Learners of pixels that take one image after the other and need no network: nobody of them can forget.
[[nodiscard]] std::vector<Method> online_methods();

/// What has all images at hand: the measure of what there is to learn in them.
[[nodiscard]] std::vector<Method> batch_methods();

} // namespace sprig::baselines

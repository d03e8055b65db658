#pragma once

#include <memory>

#include "baselines/strategy.h"

namespace sprig::baselines {

// What can be had from the same images by methods that keep them all and begin anew whenever they are asked
// after something new has come: no continual learners, but the measure of what there is to learn. As the
// others they answer only with classes that they have met, and with class 0 before that.

struct SupportVectorOptions {
    double cost = 1;  ///< of an image on the wrong side
    double gamma = 0; ///< how narrow the radial kernel is, exp(-gamma d^2); 0: a linear one
};

/// Support vectors on pixels.
[[nodiscard]] std::unique_ptr<Strategy> make_pixel_support_vectors(const Task& task,
                                                                   const SupportVectorOptions& options);
/// The same on histograms of oriented gradients: with a radial kernel, or a linear one.
[[nodiscard]] std::unique_ptr<Strategy> make_hog_support_vectors(const Task& task,
                                                                 const SupportVectorOptions& options);

} // namespace sprig::baselines

#pragma once

#include <cstddef>
#include <memory>

#include "baselines/strategy.h"

namespace sprig::baselines {

// Methods that learn one image after the other and need no network. All of them answer only with classes
// that they have met, and with class 0 before they have met any. What they keep is counted in floats for the
// classes they have met; whatever can be computed anew from that is not counted.

/// The class whose mean image is nearest.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_mean(const Task& task);

/// Each pixel a normal distribution of its own, for each class. The floor is added to every variance: most
/// pixels of a class are always blank.
[[nodiscard]] std::unique_ptr<Strategy> make_naive_bayes(const Task& task, double variance_floor);

/// Linear discriminant analysis, sample by sample: the means of the classes, and one covariance for all of
/// them. It is shrunk towards a multiple of the identity as if that had been seen in `prior` images: much at
/// first, ever less later. All classes are equally likely beforehand.
[[nodiscard]] std::unique_ptr<Strategy> make_streaming_lda(const Task& task, double prior);
/// The same on random features instead of pixels: so many fixed units, drawn by the task's seed.
[[nodiscard]] std::unique_ptr<Strategy> make_random_feature_lda(const Task& task, std::size_t features,
                                                                double prior);

/// What most of the `k` nearest of all images so far are; it stores them all.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_neighbours(const Task& task, std::size_t k);

/// A linear classifier by the passive-aggressive rule: no change if the right class leads by a margin of 1,
/// else just so much that it does, but no more than `most_aggressive` times the image.
[[nodiscard]] std::unique_ptr<Strategy> make_passive_aggressive(const Task& task, double most_aggressive);

} // namespace sprig::baselines

#pragma once

#include <span>
#include <vector>

namespace sprig::baselines {

// What losses ask of a network's outputs: each adds the derivative of `weight` times its loss, a mean over
// the rows, to `by_output`. Rows are as wide as there are classes.

/// Cross-entropy with the true classes. With `counted`, one for each class, only those classes take part in
/// the softmax; a row's own class must.
void add_cross_entropy(std::span<const float> logits, std::span<const std::size_t> labels, float weight,
                       std::span<float> by_output, const std::vector<bool>& counted = {});

/// The mean square of the distance to other outputs, over rows and outputs.
void add_squared_distance(std::span<const float> outputs, std::span<const float> wanted, float weight,
                          std::span<float> by_output);

/// The divergence from a softmax at a temperature to that of other logits, times the temperature's square.
void add_distillation(std::span<const float> logits, std::span<const float> wanted, std::size_t classes,
                      float temperature, float weight, std::span<float> by_output);

/// The greatest output of each row; the first one of several.
void greatest(std::span<const float> outputs, std::size_t width, std::vector<std::size_t>& answers);

} // namespace sprig::baselines

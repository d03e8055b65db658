#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// The layers of a feed-forward network. All hidden layers end in ReLU.
struct Shape {
    std::size_t inputs = 0;
    /// The number of filters of each block of a 3 x 3 convolution and 2 x 2 max pooling before the dense
    /// layers.
    std::vector<std::size_t> filters = {};
    std::vector<std::size_t> hidden = {}; ///< dense layers
    std::size_t outputs = 0;
    bool sigmoid = false; ///< at the output; otherwise the outputs are logits
};

/// A network and its optimiser, with all weights in one array. The caller computes the loss and passes its
/// derivative by each output.
class Net {
  public:
    Net() = default;
    virtual ~Net() = default;
    Net(const Net&) = delete;
    Net& operator=(const Net&) = delete;

    /// The outputs, a row for each input. Valid until the next call.
    virtual std::span<const float> forward(const Samples& inputs) = 0;
    /// Adds to the gradient. `by_output` is the derivative of the loss by each output of the last `forward`.
    /// May be called once after each `forward`.
    virtual void backward(std::span<const float> by_output) = 0;
    /// The outputs, without preparing for `backward`.
    virtual std::span<const float> outputs(const Samples& inputs) = 0;

    [[nodiscard]] virtual std::span<float> weights() = 0;
    [[nodiscard]] virtual std::span<float> gradient() = 0;
    /// One step of Adam; resets the gradient to zero.
    virtual void step() = 0;

    /// The size of the weights and of Adam's two moments of each.
    [[nodiscard]] std::size_t bytes() { return 3 * weights().size() * sizeof(float); }
};

/// Whether the module with LibTorch can be loaded. If not, `why_no_networks` has the reason and the remedy,
/// in one sentence.
[[nodiscard]] bool has_networks();
[[nodiscard]] const std::string& why_no_networks();

/// A network with weights drawn by `key` as Glorot and Bengio propose, and biases of zero. Throws
/// Error(failed) with `why_no_networks` if there is no LibTorch.
[[nodiscard]] std::unique_ptr<Net> make_net(const Shape& shape, double rate, std::uint64_t key);

// Losses. Each adds the derivative of `weight` times the loss, a mean over the rows, to `by_output`. A row
// has one output for each class.

/// Cross-entropy with the true classes. If `counted` is not empty, only the classes that it marks take part
/// in the softmax; they must include the class of each row.
void add_cross_entropy(std::span<const float> logits, std::span<const std::size_t> labels, float weight,
                       std::span<float> by_output, const std::vector<bool>& counted = {});

/// The mean squared difference from the outputs `wanted`, over rows and outputs.
void add_squared_distance(std::span<const float> outputs, std::span<const float> wanted, float weight,
                          std::span<float> by_output);

/// The KL divergence between the softmaxes of `wanted` and of `logits` at a temperature, times the square of
/// the temperature.
void add_distillation(std::span<const float> logits, std::span<const float> wanted, std::size_t classes,
                      float temperature, float weight, std::span<float> by_output);

/// The index of the largest output of each row; of equals the first.
void argmax(std::span<const float> outputs, std::size_t width, std::vector<std::size_t>& answers);

} // namespace sprig::baselines

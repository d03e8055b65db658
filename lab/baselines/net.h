#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// What a feed-forward network is made of. All hidden layers end in ReLU.
struct Shape {
    std::size_t inputs = 0;
    /// Blocks of a 3 x 3 convolution and 2 x 2 max pooling before the dense layers, with so many filters
    /// each.
    std::vector<std::size_t> filters = {};
    std::vector<std::size_t> hidden = {}; ///< dense layers
    std::size_t outputs = 0;
    bool sigmoid = false; ///< at the end; else the outputs are as they are: logits
};

/// A network and its optimiser, with all weights in one row. It knows no loss: who trains it says how the
/// loss changes with each output.
class Net {
  public:
    Net() = default;
    virtual ~Net() = default;
    Net(const Net&) = delete;
    Net& operator=(const Net&) = delete;

    /// The outputs, a row for each input. They lie in the net until the next call.
    virtual std::span<const float> forward(const Samples& inputs) = 0;
    /// Adds to the gradient: `by_output` is the loss's derivative by each output of the latest `forward`,
    /// which can be asked about once.
    virtual void backward(std::span<const float> by_output) = 0;
    /// The outputs alone, for who will not ask for a gradient.
    virtual std::span<const float> outputs(const Samples& inputs) = 0;

    [[nodiscard]] virtual std::span<float> weights() = 0;
    [[nodiscard]] virtual std::span<float> gradient() = 0;
    /// One step of Adam along the gradient. The gradient is zero after it.
    virtual void step() = 0;

    /// Weights, and the two running moments that Adam keeps of each.
    [[nodiscard]] std::size_t bytes() { return 3 * weights().size() * sizeof(float); }
};

/// Whether this machine has what networks need: the module that is built where LibTorch is. If not, the
/// reason is one sentence that says what to do.
[[nodiscard]] bool has_networks();
[[nodiscard]] const std::string& why_no_networks();

/// A network with weights drawn as Glorot and Bengio propose, by `key`, and biases of zero. Throws
/// Error(failed) that says what to do if there is no LibTorch.
[[nodiscard]] std::unique_ptr<Net> make_net(const Shape& shape, double rate, std::uint64_t key);

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

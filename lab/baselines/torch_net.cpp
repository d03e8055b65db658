// The only file that knows LibTorch. It is a module of its own, which the program loads when a network is
// asked for: nobody else waits for it, or needs it.
#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cblas.h>
#include <torch/optim/adam.h>

#include "lab/baselines/net.h"
#include "core/keyed.h"

namespace sprig::baselines {

namespace {

/// One layer's place in the row of weights.
struct Layer {
    enum class Kind { convolution, dense } kind;
    std::vector<std::int64_t> shape; ///< of its weights: outputs first
    std::size_t fan_in;
    std::size_t fan_out;

    [[nodiscard]] std::size_t weights() const {
        std::size_t count = 1;
        for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
        return count;
    }
    [[nodiscard]] std::size_t biases() const { return static_cast<std::size_t>(shape.front()); }
};

std::int64_t whole(std::size_t number) {
    return static_cast<std::int64_t>(number);
}

constexpr std::size_t kernel = 3;

std::size_t side_of(std::size_t inputs) {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(inputs))));
}

std::vector<Layer> layers_of(const Shape& shape) {
    std::vector<Layer> layers;
    std::size_t inputs = shape.inputs;
    std::size_t channels = 1;
    std::size_t side = side_of(shape.inputs);
    for (const std::size_t filters : shape.filters) {
        constexpr std::size_t area = kernel * kernel;
        layers.push_back({Layer::Kind::convolution,
                          {whole(filters), whole(channels), whole(kernel), whole(kernel)},
                          area * channels,
                          area * filters});
        channels = filters;
        side = (side - kernel + 1) / 2;
        inputs = channels * side * side;
    }
    std::vector<std::size_t> widths = shape.hidden;
    widths.push_back(shape.outputs);
    for (const std::size_t width : widths) {
        layers.push_back({Layer::Kind::dense, {whole(width), whole(inputs)}, inputs, width});
        inputs = width;
    }
    return layers;
}

/// While it lives, numbers too small to be normal are zero: Adam's moments of pixels that are never ink would
/// else get there, and be ten times as slow. Nobody else's arithmetic must know of it.
class NoDenormals {
  public:
    NoDenormals() { at::globalContext().setFlushDenormal(true); }
    ~NoDenormals() { at::globalContext().setFlushDenormal(false); }
    NoDenormals(const NoDenormals&) = delete;
    NoDenormals& operator=(const NoDenormals&) = delete;
};

/// One thread for each net, whatever the machine has: those who train several at once have threads of their
/// own, and results must not hang on how many there are.
void work_alone() {
    at::set_num_threads(1);
    openblas_set_num_threads(1);
}

at::Tensor tensor_of(const Samples& inputs) {
    // LibTorch has no tensors of constants; this one is only read.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    return at::from_blob(const_cast<float*>(inputs.values().data()),
                         {whole(inputs.size()), whole(inputs.width())}, at::kFloat);
}

std::span<float> span_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

class TorchNet : public Net {
  public:
    TorchNet(const Shape& shape, double rate, std::uint64_t key)
        : shape_(shape), layers_(layers_of(shape)), weights_(at::zeros({whole(total())})),
          gradient_(at::zeros_like(weights_)),
          adam_({at::Tensor(weights_)}, torch::optim::AdamOptions(rate).eps(1e-7)) {
        work_alone();
        weights_.mutable_grad() = gradient_;
        initialise(key);
        cut();
    }

    std::span<const float> forward(const Samples& inputs) override {
        const NoDenormals guard;
        inputs_ = tensor_of(inputs).clone();
        outputs_ = run(inputs_);
        return span_of(outputs_);
    }

    void backward(std::span<const float> by_output) override {
        const NoDenormals guard;
        at::Tensor derivative = at::empty(outputs_.sizes());
        std::copy(by_output.begin(), by_output.end(), derivative.data_ptr<float>());
        outputs_.backward(derivative);
    }

    std::span<const float> outputs(const Samples& inputs) override {
        const NoDenormals guard;
        const at::NoGradGuard no_gradient;
        asked_ = run(tensor_of(inputs)).contiguous();
        return span_of(asked_);
    }

    std::span<float> weights() override { return span_of(weights_); }
    std::span<float> gradient() override { return span_of(gradient_); }

    void step() override {
        const NoDenormals guard;
        adam_.step();
        gradient_.zero_();
    }

  private:
    [[nodiscard]] std::size_t total() const {
        std::size_t count = 0;
        for (const Layer& layer : layers_) count += layer.weights() + layer.biases();
        return count;
    }

    void initialise(std::uint64_t key) {
        std::span<float> left = weights();
        std::uint64_t number = 0;
        for (const Layer& layer : layers_) {
            const double limit = std::sqrt(6.0 / static_cast<double>(layer.fan_in + layer.fan_out));
            for (float& weight : left.first(layer.weights()))
                weight = static_cast<float>(((2 * random::uniform(random::mix(key, number++))) - 1) * limit);
            left = left.subspan(layer.weights() + layer.biases());
        }
    }

    /// Makes each layer's weights and biases tensors of their own, on the same memory as the rows.
    void cut() {
        std::int64_t at = 0;
        const auto next = [&](at::IntArrayRef shape) {
            const std::int64_t size = c10::multiply_integers(shape);
            at::Tensor part = weights_.detach().narrow(0, at, size).view(shape);
            part.requires_grad_(true);
            part.mutable_grad() = gradient_.narrow(0, at, size).view(shape);
            at += size;
            return part;
        };
        for (const Layer& layer : layers_) {
            parts_.push_back(next(layer.shape));
            parts_.push_back(next({layer.shape.front()}));
        }
    }

    at::Tensor run(at::Tensor values) {
        if (!shape_.filters.empty()) {
            const std::int64_t side = whole(side_of(shape_.inputs));
            values = values.view({values.size(0), 1, side, side});
        }
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const at::Tensor& weights = parts_[2 * i];
            const at::Tensor& biases = parts_[(2 * i) + 1];
            if (layers_[i].kind == Layer::Kind::convolution) {
                values = at::max_pool2d(at::relu(at::conv2d(values, weights, biases)), 2);
                continue;
            }
            values = at::linear(values.flatten(1), weights, biases);
            if (i + 1 < layers_.size()) values = at::relu(values);
        }
        return shape_.sigmoid ? at::sigmoid(values) : values;
    }

    Shape shape_;
    std::vector<Layer> layers_;
    at::Tensor weights_;
    at::Tensor gradient_;
    std::vector<at::Tensor> parts_; ///< of each layer the weights, then the biases
    torch::optim::Adam adam_;
    at::Tensor inputs_, outputs_; ///< of the latest `forward`
    at::Tensor asked_;
};

} // namespace

} // namespace sprig::baselines

/// What the program looks for in the module.
extern "C" sprig::baselines::Net* sprig_make_net(const sprig::baselines::Shape& shape, double rate,
                                                 std::uint64_t key) {
    return std::make_unique<sprig::baselines::TorchNet>(shape, rate, key).release();
}

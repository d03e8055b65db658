// The only file that uses LibTorch. It is a module that the program loads when a network is needed, so that
// everything else runs without LibTorch.
#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cblas.h>
#include <torch/optim/adam.h>

#include "core/keyed.h"
#include "lab/baselines/net.h"

namespace sprig::baselines {

namespace {

/// The shape of one layer.
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

std::int64_t to_int64(std::size_t number) {
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
                          {to_int64(filters), to_int64(channels), to_int64(kernel), to_int64(kernel)},
                          area * channels,
                          area * filters});
        channels = filters;
        side = (side - kernel + 1) / 2;
        inputs = channels * side * side;
    }
    std::vector<std::size_t> widths = shape.hidden;
    widths.push_back(shape.outputs);
    for (const std::size_t width : widths) {
        layers.push_back({Layer::Kind::dense, {to_int64(width), to_int64(inputs)}, inputs, width});
        inputs = width;
    }
    return layers;
}

/// Flushes denormals to zero while it exists: Adam's moments of pixels that are always blank would otherwise
/// become denormal and ten times as slow. Other arithmetic must not be affected.
class NoDenormals {
  public:
    NoDenormals() { at::globalContext().setFlushDenormal(true); }
    ~NoDenormals() { at::globalContext().setFlushDenormal(false); }
    NoDenormals(const NoDenormals&) = delete;
    NoDenormals& operator=(const NoDenormals&) = delete;
};

/// One thread for each net: seeds run in parallel already, and results must not depend on the number of
/// threads.
void use_one_thread() {
    at::set_num_threads(1);
    openblas_set_num_threads(1);
}

at::Tensor tensor_of(const Samples& inputs) {
    // LibTorch has no constant tensors; this one is only read.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    return at::from_blob(const_cast<float*>(inputs.values().data()),
                         {to_int64(inputs.size()), to_int64(inputs.width())}, at::kFloat);
}

std::span<float> span_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

class TorchNet : public Net {
  public:
    TorchNet(const Shape& shape, double rate, std::uint64_t key)
        : shape_(shape), layers_(layers_of(shape)), weights_(at::zeros({to_int64(total())})),
          gradient_(at::zeros_like(weights_)),
          adam_({at::Tensor(weights_)}, torch::optim::AdamOptions(rate).eps(1e-7)) {
        use_one_thread();
        weights_.mutable_grad() = gradient_;
        initialise(key);
        make_views();
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
        inference_outputs_ = run(tensor_of(inputs)).contiguous();
        return span_of(inference_outputs_);
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

    /// Makes tensors of each layer's weights and biases that share the memory of `weights_` and `gradient_`.
    void make_views() {
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
            const std::int64_t side = to_int64(side_of(shape_.inputs));
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
    std::vector<at::Tensor> parts_; ///< the weights and the biases of each layer in turn
    torch::optim::Adam adam_;
    at::Tensor inputs_, outputs_; ///< of the last `forward`
    at::Tensor inference_outputs_;
};

} // namespace

} // namespace sprig::baselines

/// The symbol that the program loads from the module.
extern "C" sprig::baselines::Net* sprig_make_net(const sprig::baselines::Shape& shape, double rate,
                                                 std::uint64_t key) {
    return std::make_unique<sprig::baselines::TorchNet>(shape, rate, key).release();
}

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "lab/baselines/methods.h"
#include "lab/baselines/net.h"
#include "work.h"

namespace sprig::bench {

namespace {

using baselines::Method;
using baselines::Samples;
using baselines::Strategy;

constexpr std::size_t learned = 1'000;

/// A learner of pixels, and images as it takes them.
class Learning {
  public:
    explicit Learning(const Method& method)
        : pixels_(digits().image(0).size()), one_(pixels_), learner_(method.make(task())) {
        for (std::size_t i = 0; i < digits().size(); ++i) {
            std::vector<float> row;
            const ImageView image = digits().image(i);
            std::ranges::transform(std::span(image.pixels, pixels_), std::back_inserter(row),
                                   [](std::uint8_t grey) { return static_cast<float>(grey) / 255; });
            images_.push_back(std::move(row));
        }
    }

    void learn(std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            learner_->observe(only(i), static_cast<std::size_t>(digits().label(i)));
    }
    void predict(std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) learner_->predict(only(i), answers_);
    }

  private:
    [[nodiscard]] baselines::Task task() const {
        return {.width = pixels_,
                .side = static_cast<std::size_t>(digits().image(0).width),
                .classes = digits().classes().size()};
    }
    const Samples& only(std::size_t i) {
        one_.clear();
        one_.add(images_[i]);
        return one_;
    }

    std::size_t pixels_;
    Samples one_;
    std::unique_ptr<Strategy> learner_;
    std::vector<std::vector<float>> images_;
    std::vector<std::size_t> answers_;
};

Method find(const std::vector<Method>& methods, const std::string& name) {
    const auto found = std::ranges::find(methods, name, &Method::name);
    if (found == methods.end()) throw std::runtime_error("the lab has no method " + name);
    return *found;
}

Work prediction(const char* name, const char* title, const Method& method) {
    return {.name = name, .title = title, .images = digits, .prepare = [method]() -> Run {
                auto learning = std::make_shared<Learning>(method);
                learning->learn(0, learned);
                return [learning](std::size_t first, std::size_t count) { learning->predict(first, count); };
            }};
}

Work lesson(const char* name, const char* title, const Method& method) {
    return {.name = name, .title = title, .images = digits, .changes = true, .prepare = [method]() -> Run {
                auto learning = std::make_shared<Learning>(method);
                learning->learn(0, learned);
                return [learning](std::size_t first, std::size_t count) { learning->learn(first, count); };
            }};
}

/// All samples are learned, and one is predicted, because these methods compute their model when it is
/// needed.
Work training(const char* name, const char* title, const Method& method) {
    return {.name = name,
            .title = title,
            .images = digits,
            .first = 0,
            .count = learned,
            .slice = learned,
            .changes = true,
            .prepare = [method]() -> Run {
                auto learning = std::make_shared<Learning>(method);
                return [learning](std::size_t first, std::size_t count) {
                    learning->learn(first, count);
                    learning->predict(first, 1);
                };
            }};
}

} // namespace

std::vector<Work> other_work() {
    const std::vector<Method> online = baselines::online_methods();
    const std::vector<Method> batch = baselines::batch_methods();
    const Method neighbour = find(online, "neighbours-1");
    const Method lda = find(online, "lda-features");
    const Method svm = find(batch, "svm-hog-rbf");
    std::vector<Work> work = {
        prediction("predict-neighbour", "nearest neighbour on pixels: prediction", neighbour),
        prediction("predict-svm", "HOG + libsvm (RBF): prediction", svm),
        training("train-svm", "HOG + libsvm (RBF): training on 1,000", svm),
        training("train-svm-pixels", "pixels + libsvm (RBF): training on 1,000", find(batch, "svm-pixels")),
        training("train-lda", "LDA on random features: training on 1,000", lda),
    };
    if (!baselines::has_networks()) {
        fmt::print(stderr, "bench_table: nothing is measured of LibTorch: {}\n",
                   baselines::why_no_networks());
        return work;
    }
    const Method network = baselines::plain(baselines::one_step(false));
    constexpr std::size_t per_class = learned / 10;
    constexpr std::size_t epochs = 20;
    work.push_back(prediction("predict-network", "plain network, LibTorch: one forward pass", network));
    work.push_back(lesson("learn-network", "plain network, LibTorch: one step", network));
    work.push_back(training("train-network", "plain network, LibTorch: training on 1,000, 20 epochs",
                            baselines::at_once(false, per_class, epochs)));
    return work;
}

} // namespace sprig::bench

#include "baselines/other_methods.h"

#include <fmt/format.h>

#include "baselines/batch.h"
#include "baselines/online_methods.h"

namespace sprig::baselines {

namespace {

Method method(std::string name, std::string family, std::string title, MakeStrategy make,
              nlohmann::ordered_json settings = nlohmann::ordered_json::object(), double seconds = 1) {
    Method result;
    result.name = std::move(name);
    result.family = std::move(family);
    result.title = std::move(title);
    result.settings = std::move(settings);
    result.make = std::move(make);
    result.seconds = seconds;
    return result;
}

/// Asked at the end alone: it would begin anew after every block.
Method at_the_end(Method method) {
    method.protocol.evaluate = lab::EvaluateAt::end;
    return method;
}

} // namespace

// All numbers were chosen on development images. Each stands once: what a method is made with is what its
// results are kept under.

std::vector<Method> online_methods() {
    constexpr double variance_floor = 0.02;
    constexpr double most_aggressive = 0.004;
    constexpr double pixel_prior = 1500;
    constexpr double feature_prior = 200;
    constexpr std::size_t features = 1000;
    const auto neighbours = [](std::size_t k, const char* title) {
        return method(
            fmt::format("neighbours-{}", k), "neighbours", title,
            [k](const Task& task) { return make_nearest_neighbours(task, k); }, {{"k", k}}, 4);
    };
    return {method("mean", "mean", "Nearest class mean", make_nearest_mean),
            method("naive-bayes", "naive-bayes", "Naive Bayes",
                   [](const Task& task) { return make_naive_bayes(task, variance_floor); },
                   {{"variance_floor", variance_floor}}),
            method("linear", "linear", "Linear, passive-aggressive",
                   [](const Task& task) { return make_passive_aggressive(task, most_aggressive); },
                   {{"most_aggressive", most_aggressive}}),
            method(
                "lda-pixels", "lda", "Streaming LDA, pixels",
                [](const Task& task) { return make_streaming_lda(task, pixel_prior); },
                {{"prior", pixel_prior}}, 8),
            method(
                "lda-features", "lda", "Streaming LDA, 1,000 random features",
                [](const Task& task) { return make_random_feature_lda(task, features, feature_prior); },
                {{"features", features}, {"prior", feature_prior}}, 12),
            neighbours(1, "Nearest neighbour"),
            neighbours(3, "3 nearest neighbours")};
}

std::vector<Method> batch_methods() {
    const auto support_vectors = [](std::string name, std::string title, const SupportVectorOptions& options,
                                    auto make) {
        return at_the_end(method(std::move(name), "svm", std::move(title),
                                 [make, options](const Task& task) { return make(task, options); },
                                 {{"cost", options.cost}, {"gamma", options.gamma}}));
    };
    return {support_vectors("svm-pixels", "SVM on pixels, RBF", {10, 0.02}, make_pixel_support_vectors),
            support_vectors("svm-hog-linear", "SVM on HOG, linear", {1, 0}, make_hog_support_vectors),
            support_vectors("svm-hog-rbf", "SVM on HOG, RBF", {3, 0.3}, make_hog_support_vectors)};
}

} // namespace sprig::baselines

#include "baselines/other_methods.h"

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

std::vector<Method> online_methods() {
    return {method("mean", "mean", "Nearest class mean",
                   [](const Task& task) { return make_nearest_mean(task); }),
            method("naive-bayes", "naive-bayes", "Naive Bayes",
                   [](const Task& task) { return make_naive_bayes(task); }, {{"variance_floor", 0.02}}),
            method("linear", "linear", "Linear, passive-aggressive",
                   [](const Task& task) { return make_passive_aggressive(task); },
                   {{"most_aggressive", 0.004}}),
            method(
                "lda-pixels", "lda", "Streaming LDA, pixels",
                [](const Task& task) { return make_streaming_lda(task); }, {{"prior", 1500}}, 8),
            method(
                "lda-features", "lda", "Streaming LDA, 1,000 random features",
                [](const Task& task) { return make_random_feature_lda(task); },
                {{"features", 1000}, {"prior", 200}}, 12),
            method(
                "neighbours-1", "neighbours", "Nearest neighbour",
                [](const Task& task) { return make_nearest_neighbours(task, 1); }, {{"k", 1}}, 4),
            method(
                "neighbours-3", "neighbours", "3 nearest neighbours",
                [](const Task& task) { return make_nearest_neighbours(task, 3); }, {{"k", 3}}, 4)};
}

std::vector<Method> batch_methods() {
    return {at_the_end(method("svm-pixels", "svm", "SVM on pixels, RBF",
                              [](const Task& task) { return make_pixel_support_vectors(task); },
                              {{"cost", 10}, {"gamma", 0.02}})),
            at_the_end(method("svm-hog-linear", "svm", "SVM on HOG, linear",
                              [](const Task& task) { return make_hog_support_vectors(task, linear_on_hog); },
                              {{"cost", 1}})),
            at_the_end(method("svm-hog-rbf", "svm", "SVM on HOG, RBF",
                              [](const Task& task) { return make_hog_support_vectors(task); },
                              {{"cost", 3}, {"gamma", 0.3}}))};
}

} // namespace sprig::baselines

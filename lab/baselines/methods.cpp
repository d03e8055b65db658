#include "lab/baselines/methods.h"

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/baselines/method.h"
#include "lab/baselines/online_methods.h"
#include "lab/baselines/stored_images.h"
#include "lab/baselines/trainer.h"

namespace sprig::baselines {

namespace {

using Json = nlohmann::ordered_json;
using MakeRule = std::function<std::unique_ptr<Rule>(const Task& task)>;

std::unique_ptr<Net> network(const Task& task, bool convolutional, double rate) {
    Shape shape{task.width, {}, {256, 256}, task.classes};
    if (convolutional) {
        shape.filters = {32, 32};
        shape.hidden = {128};
    }
    static const std::uint64_t purpose = random::mix("a network's weights");
    return make_net(shape, rate, random::mix({task.seed, purpose}));
}

std::unique_ptr<Rule> plain_rule(const Task& /*task*/) {
    return std::make_unique<Rule>();
}

Json json_of(const Training& training) {
    const Schedule& schedule = training.schedule;
    return {{"network", training.convolutional ? "convolutions 32, 32, dense 128" : "dense 256, 256"},
            {"rate", training.rate},
            {"batch", schedule.batch},
            {"steps", schedule.steps},
            {"cadence", schedule.cadence}};
}

std::string suffix(const Training& training) {
    const Schedule& schedule = training.schedule;
    if (schedule.batch == 5) return "";
    return fmt::format("-{}x{}", schedule.batch, schedule.steps);
}

Method trained(std::string family, const std::string& details, std::string title, const Training& training,
               const MakeRule& rule, const Json& settings = Json::object()) {
    Method method;
    method.name = family + details + suffix(training);
    method.family = std::move(family);
    method.title = std::move(title);
    method.settings = json_of(training);
    method.settings.update(settings);
    method.make = [training, rule](const Task& task) {
        return std::make_unique<Trainer>(task, network(task, training.convolutional, training.rate),
                                         rule(task), training.schedule);
    };
    method.needs_network = true;
    if (training.convolutional) method.seconds = 20;
    return method;
}

Method penalised(const std::string& family, const std::string& title, double strength, std::size_t cadence,
                 Training training, const std::function<std::unique_ptr<Rule>(double)>& rule) {
    training.schedule.cadence = cadence;
    return trained(family, fmt::format("-{}-{}", strength, cadence), title, training,
                   [rule, strength](const Task&) { return rule(strength); }, {{"strength", strength}});
}

} // namespace

Training one_at_a_time() {
    return {false, {1, 4, 0}, 1e-3};
}

Training one_step(bool convolutional) {
    return {convolutional, {1, 1, 0}, 3e-4};
}

Method plain(const Training& training) {
    const bool deep = training.convolutional;
    return trained(deep ? "cnn" : "plain", "", deep ? "CNN" : "Plain NN", training, plain_rule);
}

Method si(double strength, std::size_t cadence, Training training) {
    return penalised("si", "SI", strength, cadence, training, synaptic_intelligence);
}

Method mas(double strength, std::size_t cadence, Training training) {
    return penalised("mas", "MAS", strength, cadence, training, memory_aware_synapses);
}

Method lwf(double strength, std::size_t cadence, Training training) {
    return penalised("lwf", "LwF", strength, cadence, training, learning_without_forgetting);
}

Method replay(std::size_t capacity, std::size_t per_block) {
    Training training;
    std::string details = fmt::format("-{}", capacity);
    if (per_block != 5) {
        training.schedule.batch = 10;
        details += fmt::format("-blocks-of-{}", per_block);
    }
    Method method = trained("replay", details, "Naive replay", training,
                            [capacity](const Task& task) { return naive_replay(capacity, task.seed); },
                            {{"capacity", capacity}});
    method.protocol.per_block = per_block;
    return method;
}

Method der(std::size_t capacity, double alpha, double beta) {
    return trained("der", fmt::format("-{}-{}-{}", capacity, alpha, beta), "DER++", {},
                   [=](const Task& task) { return dark_experience(capacity, alpha, beta, task.seed); },
                   {{"capacity", capacity}, {"alpha", alpha}, {"beta", beta}});
}

Method er_ace(std::size_t capacity) {
    return trained("er-ace", fmt::format("-{}", capacity), "ER-ACE", {},
                   [=](const Task& task) { return asymmetric_replay(capacity, task.classes, task.seed); },
                   {{"capacity", capacity}});
}

Method on_ink(Method method) {
    method.name += "-ink";
    method.settings["input"] = "ink";
    method.make = [make = method.make](const Task& task) { return binarized(make(task)); };
    return method;
}

Method experts(double reluctance, std::size_t batch, ExpertErrors errors, bool learns_when_full) {
    ExpertOptions options;
    options.reluctance = reluctance;
    options.batch = batch;
    options.errors = errors;
    options.learns_when_full = learns_when_full;
    Method method;
    method.family = "experts";
    method.name = fmt::format("experts-{}{}", reluctance, batch == 5 ? "" : fmt::format("-batch-{}", batch));
    method.title = "Expert-AEC";
    if (errors.by_block) method.name += "-by-block";
    if (errors.learned) method.name += "-learned";
    if (learns_when_full) method.name += "-when-full";
    method.settings = {{"k", reluctance},
                       {"batch", batch},
                       {"steps", options.steps},
                       {"most", options.most},
                       {"by_block", errors.by_block},
                       {"learned", errors.learned},
                       {"learns_when_full", learns_when_full}};
    method.make = [options](const Task& task) { return expert_routing(task, options); };
    method.needs_network = true;
    method.seconds = 10;
    return method;
}

Method at_once(bool convolutional, std::size_t per_class, std::size_t epochs) {
    constexpr double rate = 1e-3;
    Method method;
    method.family = convolutional ? "cnn-at-once" : "plain-at-once";
    method.name = fmt::format("{}-{}", method.family, per_class);
    method.title = convolutional ? "CNN, all at once" : "Plain NN, all at once";
    method.settings = json_of({convolutional, {10, epochs, 0}, rate});
    method.make = [=](const Task& task) {
        return learn_at_once(task, network(task, convolutional, rate), {10, epochs});
    };
    method.needs_network = true;
    method.protocol.cycles = 1;
    method.protocol.per_block = per_class;
    method.protocol.evaluate = lab::EvaluateAt::end;
    method.seconds = static_cast<double>(per_class * epochs) / (convolutional ? 200 : 1000);
    return method;
}

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

/// Evaluated at the end only, because it would be fitted again after every block.
Method evaluated_at_end(Method method) {
    method.protocol.evaluate = lab::EvaluateAt::end;
    return method;
}

} // namespace

// All parameters were chosen on development images. Each is written once, so that a method is made with the
// settings under which its results are stored.

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
        return evaluated_at_end(method(std::move(name), "svm", std::move(title),
                                       [make, options](const Task& task) { return make(task, options); },
                                       {{"cost", options.cost}, {"gamma", options.gamma}}));
    };
    return {support_vectors("svm-pixels", "SVM on pixels, RBF", {10, 0.02}, make_pixel_support_vectors),
            support_vectors("svm-hog-linear", "SVM on HOG, linear", {1, 0}, make_hog_support_vectors),
            support_vectors("svm-hog-rbf", "SVM on HOG, RBF", {3, 0.3}, make_hog_support_vectors)};
}

} // namespace sprig::baselines

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab::studies::interference {

namespace {

/// The order in which whole classes are learned; empty: five samples of each class in turn.
struct Order {
    std::string name;
    std::vector<std::size_t> classes;
};

std::vector<Order> orders_of(std::size_t classes, std::uint64_t seed) {
    std::vector<std::size_t> up(classes);
    std::iota(up.begin(), up.end(), std::size_t{0});
    const std::vector<std::size_t> down(up.rbegin(), up.rend());
    std::vector<Order> orders = {{"ascending", up}, {"descending", down}, {"in turn", {}}};
    for (std::uint64_t i = 0; i < 2; ++i) {
        std::vector<std::size_t> mixed = up;
        std::ranges::sort(mixed, {}, [&](std::size_t c) {
            return random::mix({seed, random::mix("the order of classes"), i, c});
        });
        orders.push_back({fmt::format("mixed {}", i + 1), mixed});
    }
    return orders;
}

/// The scores of a class by image, as bits: comparisons are exact.
using ScoreBits = std::vector<std::uint64_t>;
using ScoresByClass = std::map<std::string, ScoreBits>;

struct Answers {
    ScoresByClass scores;
    std::vector<std::string> best; ///< by image
};

Answers answers_of(const Learner& learner, const std::vector<Network>& networks, const Tick& tick) {
    const std::unique_ptr<Reader> reader = learner.reader();
    Answers result;
    for (const Network& network : networks) {
        tick();
        const Prediction& prediction = reader->predict(network);
        for (std::size_t c = 0; c < prediction.scores.size(); ++c)
            result.scores[reader->classes()[c]].push_back(std::bit_cast<std::uint64_t>(prediction.scores[c]));
        result.best.push_back(prediction.best ? reader->classes()[*prediction.best] : "");
    }
    return result;
}

/// Counts scores, and those that differ.
struct Differences {
    std::size_t compared = 0;
    std::size_t differing = 0;

    void add(const ScoreBits& a, const ScoreBits& b) {
        compared += a.size();
        for (std::size_t i = 0; i < a.size(); ++i) differing += a[i] == b[i] ? 0U : 1U;
    }
    void add(const Differences& other) {
        compared += other.compared;
        differing += other.differing;
    }
};

/// The result of learning in one order.
struct OrderRun {
    Answers at_end;
    std::uint64_t digest = 0;
    Differences later; ///< of each class: right after its block against the end
};

/// The training and test networks of a seed.
struct Task {
    const std::vector<std::string>& classes;
    const NetworksByClass& stream;
    const std::vector<Network>& tested;
    const Tick& tick;
};

OrderRun learn_in(const Order& order, Learner& learner, const Task& task) {
    OrderRun run;
    if (order.classes.empty()) teach(learner, task.classes, task.stream, task.tick);
    ScoresByClass right_after;
    for (const std::size_t c : order.classes) {
        const std::string& label = task.classes[c];
        for (const Network& network : task.stream[c]) {
            task.tick();
            (void)learner.learn(network, label);
        }
        right_after[label] = answers_of(learner, task.tested, task.tick).scores[label];
    }
    run.at_end = answers_of(learner, task.tested, task.tick);
    run.digest = learner.digest();
    for (const auto& [label, scores] : right_after) run.later.add(scores, run.at_end.scores[label]);
    return run;
}

/// The differences of one seed or of all seeds.
struct Comparison {
    Differences between_orders; ///< each order against the first
    Differences later;
    std::size_t answers = 0;
    std::size_t other_answers = 0; ///< images that another order assigns to another class than the first
    std::size_t orders = 0;
    std::size_t other_digests = 0; ///< orders whose model differs from that of the first

    void add(const Comparison& other) {
        between_orders.add(other.between_orders);
        later.add(other.later);
        answers += other.answers;
        other_answers += other.other_answers;
        orders += other.orders;
        other_digests += other.other_digests;
    }
};

Comparison compare(const StudyContext& context, const LearnerChoice& setting, std::uint64_t seed,
                   const Task& task) {
    Comparison comparison;
    std::optional<OrderRun> first;
    for (const Order& order : orders_of(task.classes.size(), seed)) {
        OrderRun run = learn_in(order, *context.make(setting, seed), task);
        ++comparison.orders;
        comparison.later.add(run.later);
        if (!first) {
            first = std::move(run);
            continue;
        }
        for (const auto& [label, scores] : first->at_end.scores)
            comparison.between_orders.add(scores, run.at_end.scores[label]);
        comparison.answers += run.at_end.best.size();
        for (std::size_t i = 0; i < run.at_end.best.size(); ++i)
            comparison.other_answers += run.at_end.best[i] == first->at_end.best[i] ? 0U : 1U;
        if (run.digest != first->digest) ++comparison.other_digests;
    }
    return comparison;
}

Comparison compare_all_seeds(const StudyContext& context, const ExperimentData& data,
                             const LearnerChoice& setting) {
    const FrontEndParams front_end = context.make(setting, context.seeds.front())->front_end();
    std::vector<std::size_t> images = data.held_out;
    images.resize(std::min<std::size_t>(images.size(), 1000));
    const std::vector<Network> tested = networks_of(context, data.held_out_data(), images, front_end);
    std::vector<Comparison> by_seed(context.seeds.size());
    const auto work = [&](std::size_t s, const Tick& tick) {
        const NetworksByClass stream = stream_of(context, data, context.seeds[s], front_end);
        by_seed[s] = compare(context, setting, context.seeds[s], {data.classes(), stream, tested, tick});
    };
    const std::size_t classes = data.classes().size();
    const std::size_t orders = orders_of(classes, 0).size();
    const std::size_t each = (orders * classes * stream_per_class(context)) +
                             ((((orders - 1) * (classes + 1)) + 1) * tested.size());
    in_parallel(by_seed.size(), context.threads, by_seed.size() * each, work,
                context.begin(setting.learner + " learning"));
    Comparison all;
    for (const Comparison& comparison : by_seed) all.add(comparison);
    return all;
}

std::vector<Cell> row_of(const LearnerChoice& setting, const Comparison& comparison) {
    return {cell(setting.learner),
            cell(comparison.orders),
            cell(comparison.between_orders.compared),
            cell(comparison.between_orders.differing),
            cell(comparison.answers),
            cell(comparison.other_answers),
            cell(comparison.later.compared),
            cell(comparison.later.differing),
            cell(comparison.other_digests)};
}

StudyResult run(const StudyContext& context) {
    // Constellation guarantees independent classes; the Modeller is there for comparison.
    std::vector<LearnerChoice> settings = {context.chosen};
    if (context.chosen.learner != "modeller") settings.push_back({"modeller", ""});
    const ExperimentData data = load_digits(context, true);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "interference";
    table.title = "Scores that depend on the order of learning";
    table.header = {"learner",           "orders",       "scores",        "different scores", "answers",
                    "different answers", "scores later", "changed later", "different models"};
    for (const LearnerChoice& setting : settings) {
        const Comparison comparison = compare_all_seeds(context, data, setting);
        table.rows.push_back(row_of(setting, comparison));
        const std::size_t broken =
            comparison.between_orders.differing + comparison.later.differing + comparison.other_digests;
        if (setting.learner == "constellation" && broken > 0) {
            result.failure = fmt::format("learning one class changed another: {} scores and {} models of "
                                         "constellation differ; please report this",
                                         comparison.between_orders.differing + comparison.later.differing,
                                         comparison.other_digests);
        }
    }
    result.notes = {
        fmt::format("Learned: {} filtered samples of each class, class by class in ascending, descending "
                    "and two random orders, and five of each class in turn; the samples of a class are "
                    "always in the same order. Tested: the first {} held-out images.",
                    stream_per_class(context), std::min<std::size_t>(data.held_out.size(), 1000)),
        "different scores, different answers: at the end, compared with learning in ascending order; "
        "changed later: scores of a class at the end, compared with right after it was learned; different "
        "models: orders whose digest differs from the first. Scores are compared bit by bit, so that a "
        "difference may be tiny."};
    return result;
}

} // namespace

Study study() {
    return {.name = "interference",
            .question = "Does learning one class change the scores of another?",
            .run = run,
            .minutes = 0.3};
}

} // namespace sprig::lab::studies::interference

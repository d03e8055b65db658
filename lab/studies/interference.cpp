#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab {

namespace {

/// An order in which the classes are learned, each whole; or, without one, five samples of each in turn.
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

/// All scores of a class, image by image. As bits: equal means equal, to the last one.
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

/// Adds up how many scores there are, and how many of them differ.
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

/// What learning in one order gave.
struct OrderRun {
    Answers at_end;
    std::uint64_t digest = 0;
    Differences later; ///< of each class, right after its block against the end
};

/// What one learner learns and is asked, which all orders of a seed share.
struct Task {
    const std::vector<std::string>& classes;
    const NetworksByClass& stream;
    const std::vector<Network>& asked;
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
        right_after[label] = answers_of(learner, task.asked, task.tick).scores[label];
    }
    run.at_end = answers_of(learner, task.asked, task.tick);
    run.digest = learner.digest();
    for (const auto& [label, scores] : right_after) run.later.add(scores, run.at_end.scores[label]);
    return run;
}

/// What one seed, or all of them, found of a learner.
struct Found {
    Differences between_orders; ///< each order against the first
    Differences later;
    std::size_t answers = 0;
    std::size_t other_answers = 0; ///< images that another order takes for another class than the first
    std::size_t orders = 0;
    std::size_t other_digests = 0; ///< orders whose model is not that of the first

    void add(const Found& other) {
        between_orders.add(other.between_orders);
        later.add(other.later);
        answers += other.answers;
        other_answers += other.other_answers;
        orders += other.orders;
        other_digests += other.other_digests;
    }
};

Found compare(const StudyContext& context, const LearnerChoice& setting, std::uint64_t seed,
              const Task& task) {
    Found found;
    std::optional<OrderRun> first;
    for (const Order& order : orders_of(task.classes.size(), seed)) {
        OrderRun run = learn_in(order, *context.make(setting, seed), task);
        ++found.orders;
        found.later.add(run.later);
        if (!first) {
            first = std::move(run);
            continue;
        }
        for (const auto& [label, scores] : first->at_end.scores)
            found.between_orders.add(scores, run.at_end.scores[label]);
        found.answers += run.at_end.best.size();
        for (std::size_t i = 0; i < run.at_end.best.size(); ++i)
            found.other_answers += run.at_end.best[i] == first->at_end.best[i] ? 0U : 1U;
        if (run.digest != first->digest) ++found.other_digests;
    }
    return found;
}

Found compare_all_seeds(const StudyContext& context, const Digits& digits, const LearnerChoice& setting) {
    const FrontEndParams front_end = context.make(setting, context.seeds.front())->front_end();
    std::vector<std::size_t> images = digits.held_out;
    images.resize(std::min<std::size_t>(images.size(), 1000));
    const std::vector<Network> asked = networks_of(context, digits.held_out_data(), images, front_end);
    const std::vector<NetworksByClass> streams = streams_of(context, digits, front_end);
    std::vector<Found> by_seed(context.seeds.size());
    const auto work = [&](std::size_t piece, const Tick& tick) {
        by_seed[piece] =
            compare(context, setting, context.seeds[piece], {digits.classes(), streams[piece], asked, tick});
    };
    const std::size_t classes = digits.classes().size();
    const std::size_t orders = orders_of(classes, 0).size();
    const std::size_t each = (orders * classes * stream_per_class(context)) +
                             ((((orders - 1) * (classes + 1)) + 1) * asked.size());
    in_parallel(by_seed.size(), context.threads, by_seed.size() * each, work,
                context.begin(setting.learner + " learning"));
    Found all;
    for (const Found& found : by_seed) all.add(found);
    return all;
}

std::vector<Cell> row_of(const LearnerChoice& setting, const Found& found) {
    return {cell(setting.learner),
            cell(found.orders),
            cell(found.between_orders.compared),
            cell(found.between_orders.differing),
            cell(found.answers),
            cell(found.other_answers),
            cell(found.later.compared),
            cell(found.later.differing),
            cell(found.other_digests)};
}

StudyResult run(const StudyContext& context) {
    // Constellation promises it; the Modeller, whose classes read each other, is there to compare.
    std::vector<LearnerChoice> settings = {context.chosen};
    if (context.chosen.learner != "modeller") settings.push_back({"modeller", ""});
    const Digits digits = load_digits(context, true);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "interference";
    table.title = "Scores that depend on what else was learned, and when";
    table.header = {"learner",       "orders",       "scores",        "other scores", "answers",
                    "other answers", "scores later", "changed later", "other models"};
    for (const LearnerChoice& setting : settings) {
        const Found found = compare_all_seeds(context, digits, setting);
        table.rows.push_back(row_of(setting, found));
        const std::size_t broken =
            found.between_orders.differing + found.later.differing + found.other_digests;
        if (setting.learner == "constellation" && broken > 0) {
            result.failure =
                fmt::format("what was learned of one class changed another: {} scores and {} models of "
                            "constellation differ; please report this",
                            found.between_orders.differing + found.later.differing, found.other_digests);
        }
    }
    result.notes = {
        fmt::format("Learned: {} filtered samples of each class, class by class ascending, descending and in "
                    "two mixed orders, and five of each class in turn; the samples of a class always in the "
                    "same order. Asked: the first {} held-out images.",
                    stream_per_class(context), std::min<std::size_t>(digits.held_out.size(), 1000)),
        "other scores, other answers: at the end, where learning in ascending order gave something else; "
        "changed later: of each class, right after it was learned, against the end; other models: orders "
        "whose digest is not that of the first. Scores are compared bit by bit, so that a difference need "
        "not be large."};
    return result;
}

} // namespace

Study study_interference() {
    return {.name = "interference",
            .question = "Does learning one class change what it says of another?",
            .run = run,
            .minutes = 0.3};
}

} // namespace sprig::lab

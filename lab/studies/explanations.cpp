#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "sprig/explain.h"

namespace sprig::lab::studies::explanations {

namespace {

constexpr std::size_t most_explained = 300;

/// What the explanations of one seed's model found.
struct Findings {
    std::size_t images = 0;
    std::size_t halved = 0;  ///< the decisive elements halve the lead
    std::size_t flipped = 0; ///< without them, the other class is the answer
    std::size_t changed = 0; ///< a change was found
    std::size_t smallest = 0;
    std::size_t added = 0;       ///< additions of the changes found
    std::size_t nodes_added = 0; ///< 0 if whole units are added

    void add(const LocalExplanation& all) {
        ++images;
        const double left = all.best_score_without - all.other_score_without;
        if (left <= (all.best->score - all.other->score) / 2) ++halved;
        if (left < 0) ++flipped;
        if (!all.change->found()) return;
        ++changed;
        if (all.change->is_proven_smallest()) ++smallest;
        added += all.change->added.size();
        for (const Addition& one : all.change->added) nodes_added += one.nodes.size();
    }
};

std::vector<Findings> explain_all(const StudyContext& context, const ExperimentData& data,
                                  const LearnerChoice& setting) {
    const FrontEndParams front_end = context.make(setting, context.seeds.front())->front_end();
    std::vector<std::size_t> images = data.held_out;
    images.resize(std::min(images.size(), most_explained));
    const std::vector<Network> explained = networks_of(context, data.held_out_data(), images, front_end);
    std::vector<Findings> by_seed(context.seeds.size());
    const auto work = [&](std::size_t s, const Tick& tick) {
        const std::unique_ptr<Learner> learner = context.make(setting, context.seeds[s]);
        teach(*learner, data.classes(), stream_of(context, data, context.seeds[s], front_end), tick);
        for (const Network& network : explained) {
            tick();
            by_seed[s].add(explain_local(*learner, network));
        }
    };
    const std::size_t each = (data.classes().size() * stream_per_class(context)) + explained.size();
    in_parallel(by_seed.size(), context.threads, by_seed.size() * each, work,
                context.begin(setting.learner + " explaining"));
    return by_seed;
}

template <class Number>
void add_share(std::vector<Cell>& row, const std::vector<Findings>& by_seed, Number Findings::*number,
               Number Findings::*of, int digits) {
    std::vector<double> values;
    values.reserve(by_seed.size());
    for (const Findings& one : by_seed)
        values.push_back(static_cast<double>(one.*number) /
                         static_cast<double>(std::max<Number>(one.*of, 1)));
    add_mean(row, values, digits);
}

std::vector<Cell> row_of(const LearnerChoice& setting, const std::vector<Findings>& by_seed) {
    std::vector<Cell> row = {cell(setting.learner)};
    add_share(row, by_seed, &Findings::halved, &Findings::images, 3);
    add_share(row, by_seed, &Findings::flipped, &Findings::images, 3);
    add_share(row, by_seed, &Findings::changed, &Findings::images, 3);
    add_share(row, by_seed, &Findings::smallest, &Findings::images, 3);
    add_share(row, by_seed, &Findings::added, &Findings::changed, 1);
    add_share(row, by_seed, &Findings::nodes_added, &Findings::changed, 1);
    return row;
}

StudyResult run(const StudyContext& context) {
    std::vector<LearnerChoice> settings = {context.chosen};
    if (context.chosen.learner != "modeller") settings.push_back({"modeller", ""});
    const ExperimentData data = load_digits(context, true);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "explanations";
    table.title = "What the explanations of answers find";
    table.header = {"learner",  "halved", "sd",    "flipped", "sd",    "changed", "sd",
                    "smallest", "sd",     "added", "sd",      "nodes", "sd"};
    for (const LearnerChoice& setting : settings)
        table.rows.push_back(row_of(setting, explain_all(context, data, setting)));
    result.notes = {
        fmt::format(
            "Learned: {} filtered samples of each class, drawn by seed. Explained: the first {} held-out "
            "images, compared with the second best class.",
            stream_per_class(context), std::min(data.held_out.size(), most_explained)),
        "Shares of the images. Halved, flipped: without the decisive elements, at most five, the lead is at "
        "most half "
        "as large, or the other class is the answer. Changed: a set of at most twelve additions was found "
        "with which "
        "the other class is the answer; smallest: it is certainly the smallest. Added: the mean number of "
        "additions "
        "in it, bends of Constellation and units of the Modeller; nodes: the mean number of nodes in the "
        "bends."};
    return result;
}

} // namespace

Study study() {
    return {.name = "explanations",
            .question = "How few elements decide an answer, and how few additions would change it?",
            .run = run,
            .minutes = 0.5};
}

} // namespace sprig::lab::studies::explanations

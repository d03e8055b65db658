#include "lab/studies/paper_stream.h"

#include <fmt/format.h>

#include "lab/studies/digits.h"

namespace sprig::lab {

std::vector<NamedLearner> modellers() {
    return {{{"modeller", "paper"}, "Modeller, paper"}, {{"modeller", "best"}, "Modeller, best"}};
}

std::vector<NamedLearner> all_learners() {
    std::vector<NamedLearner> all = modellers();
    all.push_back({{"constellation", "default"}, "Constellation"});
    return all;
}

ExperimentSet make_experiments(const std::vector<NamedLearner>& learners, const std::vector<Change>& changes,
                               const std::string& stream, const ExperimentData& data,
                               const Protocol& protocol, const StudyContext& context) {
    ExperimentSet result;
    for (const NamedLearner& learner : learners) {
        for (const Change& change : changes) {
            std::string name = learner.name();
            if (!change.name.empty()) name += "-" + change.name;
            if (!stream.empty()) name += "-" + stream;
            std::string title = learner.title;
            if (!change.title.empty()) title += ": " + change.title;
            result.entries.push_back(
                {title, name, learner.is_papers_learner() ? change.paper : std::vector<PaperValue>{}});
            result.experiments.push_back(experiment(std::move(name), learner.setting.with(change.settings),
                                                    data, limited(protocol, context), context));
        }
    }
    return result;
}

void ExperimentSet::add(const ExperimentSet& other) {
    experiments.insert(experiments.end(), other.experiments.begin(), other.experiments.end());
    entries.insert(entries.end(), other.entries.begin(), other.entries.end());
}

ResultsByName run_and_record(const StudyContext& context, const std::vector<Experiment>& experiments,
                             StudyResult& result) {
    ResultsByName results = run_experiments(context, experiments);
    record(result, experiments, results);
    return results;
}

StudyTable comparison_table(std::string name, std::string title, const std::vector<ComparedMeasure>& rows,
                            std::vector<Entry> entries, const ResultsByName& results) {
    std::vector<Measure> measures;
    for (const ComparedMeasure& row : rows) {
        measures.push_back(row.measure);
        entries.front().paper.push_back(row.paper);
    }
    return measures_as_rows(std::move(name), std::move(title), measures, entries, results);
}

const ExperimentData& DataCache::get(const DataOptions& options, const LearnerChoice& learner) {
    const FrontEndParams front_end = context_.make(learner, context_.seeds.front())->front_end();
    for (const ExperimentData& known : loaded_) {
        // Only the networks of a large held-out set depend on the front end.
        if (known.options == options && (!known.large || known.front_end == front_end)) return known;
    }
    ExperimentData& data = loaded_.emplace_back(load_data(options, context_.begin("the images")));
    if (options.held_out != HeldOut::paper) build_large(context_, data, front_end);
    return data;
}

Stream tested_on_filtered_test_part() {
    Stream stream{"t10k", "tested on the filtered test part"};
    stream.data.pool = Pool::train;
    stream.data.held_out = HeldOut::t10k;
    stream.protocol.evaluate = EvaluateAt::end;
    return stream;
}

Stream tested_on_whole_test_part() {
    Stream stream = tested_on_filtered_test_part();
    stream.name = "t10k-unfiltered";
    stream.title = "unfiltered, tested on the whole test part";
    stream.data.filtered = false;
    return stream;
}

ExperimentSet experiments_on_streams(const std::vector<Stream>& streams,
                                     const std::vector<NamedLearner>& learners, DataCache& cache,
                                     const StudyContext& context) {
    ExperimentSet all;
    for (const Stream& stream : streams) {
        for (const NamedLearner& learner : learners) {
            const ExperimentData& data = cache.get(stream.data, learner.setting);
            all.add(make_experiments({learner}, {Change{}}, stream.name, data, stream.protocol, context));
            all.entries.back().title = fmt::format("{}: {}", stream.title, learner.title);
        }
    }
    return all;
}

ExperimentData load_papers_data(const StudyContext& context) {
    return load_data({}, context.begin("the paper's filter"));
}

std::string describe_papers_stream(const ExperimentData& data, const Protocol& protocol) {
    return fmt::format(
        "The paper's stream: {} cycles of {} classes with {} new images each, drawn by seed from {} "
        "filtered images; {} other images of each class are held out and tested after every block.",
        protocol.cycles, protocol.classes(data), protocol.per_block, data.pool.size(),
        protocol.held_out_per_class);
}

} // namespace sprig::lab

#pragma once

#include <list>
#include <string>
#include <vector>

#include "lab/protocol/experiment.h"
#include "lab/report/comparison.h"
#include "lab/report/study.h"

namespace sprig::lab {

/// A learner with one of its presets.
struct NamedLearner {
    LearnerChoice setting;
    std::string title;

    [[nodiscard]] std::string name() const { return setting.learner + "-" + setting.preset; }
    [[nodiscard]] bool is_papers_learner() const {
        return setting.learner == "modeller" && setting.preset == "paper";
    }
};

/// The paper's learner as specified and at its best; and those two with Constellation.
[[nodiscard]] std::vector<NamedLearner> modellers();
[[nodiscard]] std::vector<NamedLearner> all_learners();

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A change of a learner's parameters.
struct Change {
    std::string name; ///< part of the name of the experiment
    std::string title;
    Settings settings;
    std::vector<PaperValue> paper = {}; ///< figures of the paper's learner, by measure
};

/// Experiments and their entries in a table.
struct ExperimentSet {
    std::vector<Experiment> experiments;
    std::vector<Entry> entries;

    void add(const ExperimentSet& other);
};
/// Every learner with every change, on one stream.
[[nodiscard]] ExperimentSet make_experiments(const std::vector<NamedLearner>& learners,
                                             const std::vector<Change>& changes, const std::string& stream,
                                             const ExperimentData& data, const Protocol& protocol,
                                             const StudyContext& context);

/// Runs experiments and records them in a study's result.
[[nodiscard]] ResultsByName run_and_record(const StudyContext& context,
                                           const std::vector<Experiment>& experiments, StudyResult& result);

/// A measure and the paper's figure for it.
struct ComparedMeasure {
    Measure measure;
    PaperValue paper = {};
};
/// A table with a row for each measure and a column for each entry. The paper's figures are shown beside the
/// first entry, its own learner.
[[nodiscard]] StudyTable comparison_table(std::string name, std::string title,
                                          const std::vector<ComparedMeasure>& rows,
                                          std::vector<Entry> entries, const ResultsByName& results);

/// Loads the data of each stream once.
class DataCache {
  public:
    explicit DataCache(const StudyContext& context) : context_(context) {}

    /// The reference is valid as long as the cache exists.
    [[nodiscard]] const ExperimentData& get(const DataOptions& options, const LearnerChoice& learner);

  private:
    const StudyContext& context_;
    std::list<ExperimentData> loaded_;
};

/// A stream: the paper's or another one.
struct Stream {
    std::string name; ///< part of the names of its experiments; empty: the paper's
    std::string title;
    DataOptions data = {};
    Protocol protocol = {};
};
/// The paper's stream drawn from the training part and tested on the test part at the end, both filtered; and
/// the same without the filter.
[[nodiscard]] Stream tested_on_filtered_test_part();
[[nodiscard]] Stream tested_on_whole_test_part();

/// All learners on all streams, stream by stream. The data stays in `cache`.
[[nodiscard]] ExperimentSet experiments_on_streams(const std::vector<Stream>& streams,
                                                   const std::vector<NamedLearner>& learners,
                                                   DataCache& cache, const StudyContext& context);

/// The images that the paper's stream is drawn from.
[[nodiscard]] ExperimentData load_papers_data(const StudyContext& context);
/// A note on that stream.
[[nodiscard]] std::string describe_papers_stream(const ExperimentData& data, const Protocol& protocol);

/// Runs the learners and the stream that the user has chosen: tables by cycle, by class and of all measures,
/// charts, and the units of the first seed. The result is a failure if an audit finds that a learner breaks
/// its guarantee. Throws Error(usage) if a learner has no guarantee to audit.
[[nodiscard]] StudyResult run_custom_stream(const StudyContext& context, const CustomStream& custom);

} // namespace sprig::lab

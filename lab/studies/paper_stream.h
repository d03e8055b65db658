#pragma once

#include <list>
#include <string>
#include <vector>

#include "lab/protocol/experiment.h"
#include "lab/report/comparison.h"
#include "lab/report/study.h"

namespace sprig::lab {

/// One of our learners with one of its presets.
struct Asked {
    LearnerChoice setting;
    std::string title;

    [[nodiscard]] std::string name() const { return setting.learner + "-" + setting.preset; }
    [[nodiscard]] bool is_the_papers() const {
        return setting.learner == "modeller" && setting.preset == "paper";
    }
};

/// Who is asked what the paper asks: its own learner as it is specified, the same at its best, and ours.
[[nodiscard]] std::vector<Asked> modellers();
[[nodiscard]] std::vector<Asked> everybody();

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A change of a learner's parameters, in words and as a part of an experiment's name.
struct Change {
    std::string name;
    std::string title;
    Settings settings;
    std::vector<Printed> paper = {}; ///< by measure, of the paper's learner
};

/// Some learners, each with some changes, on one stream: the experiments, and the entries of a table.
struct Changed {
    std::vector<Experiment> experiments;
    std::vector<Entry> entries;
};
[[nodiscard]] Changed changed(const std::vector<Asked>& learners, const std::vector<Change>& changes,
                              const std::string& stream, const Material& material, const Protocol& protocol,
                              const StudyContext& context);

/// A measure, and what the paper prints of it.
struct Compared {
    Measure measure;
    Printed paper = {};
};
/// A table with a row for each measure and a column for each entry; the paper's figures stand beside its own
/// learner, the first entry.
[[nodiscard]] StudyTable compared(std::string name, std::string title, const std::vector<Compared>& rows,
                                  std::vector<Entry> entries, const ResultsByName& results);

/// Images that streams are drawn from, each kind loaded once.
class Materials {
  public:
    explicit Materials(const StudyContext& context) : context_(context) {}

    /// Stays where it is as long as this lives.
    [[nodiscard]] const Material& get(const MaterialOptions& options, const LearnerChoice& learner);

  private:
    struct Loaded {
        MaterialOptions options;
        Material material;
    };
    const StudyContext& context_;
    std::list<Loaded> loaded_;
};

/// A stream, the paper's own or another one.
struct Stream {
    std::string name; ///< a part of the names of its experiments; empty: the paper's
    std::string title;
    MaterialOptions material = {};
    Protocol protocol = {};
};
/// Asked about the filtered test part, at the end of the paper's stream, which is drawn from the training
/// part; and the same without the filter.
[[nodiscard]] Stream asked_about_test_part();
[[nodiscard]] Stream asked_about_whole_test_part();

/// All learners on all streams, stream by stream. What is loaded stays in `materials`.
[[nodiscard]] Changed on_streams(const std::vector<Stream>& streams, const std::vector<Asked>& learners,
                                 Materials& materials, const StudyContext& context);

/// The images that the paper's stream is drawn from.
[[nodiscard]] Material papers_material(const StudyContext& context);
/// What is said of that stream below a table.
[[nodiscard]] std::string papers_stream_in_words(const Material& material, const Protocol& protocol);

/// What the learners that somebody asked for give on the stream that was asked for: tables along the cycles,
/// by class and of all measures, charts, and the units of the first seed. If the audit was asked for and a
/// learner breaks what it promises, the result is a failure. Throws Error(usage) if a learner promises
/// nothing that could be audited.
[[nodiscard]] StudyResult run_asked_stream(const StudyContext& context, const AskedStream& asked);

} // namespace sprig::lab

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::presets {

namespace {

std::vector<NamedLearner> presets() {
    std::vector<NamedLearner> all;
    for (const char* preset : {"paper-vocabulary", "fast", "default"})
        all.push_back({{"constellation", preset}, preset});
    return all;
}

/// A stream with few images of each class.
Stream few(std::size_t images) {
    Stream stream = tested_on_filtered_test_part();
    stream.name = fmt::format("t10k-{}-each", images);
    stream.title = fmt::format("{} image{} of each class", images, images == 1 ? "" : "s");
    stream.protocol.cycles = 1;
    stream.protocol.per_block = images;
    return stream;
}

StudyResult run(const StudyContext& context) {
    DataCache cache(context);
    const ExperimentSet on_papers = experiments_on_streams({{"", "the paper's"}}, presets(), cache, context);
    const ExperimentSet on_others =
        experiments_on_streams({tested_on_filtered_test_part(), tested_on_whole_test_part(), few(1), few(5)},
                               presets(), cache, context);
    ExperimentSet all = on_papers;
    all.add(on_others);
    StudyResult result;
    const ResultsByName results = run_and_record(context, all.experiments, result);
    result.tables = {experiments_as_rows("presets", "Constellation's presets on the paper's stream",
                                         {metric("final", "accuracy_final", 4), metric("early", "early"),
                                          metric("WCR end", "wcr_end"), metric("WCR worst", "wcr_worst"),
                                          metric("retention loss", "retention_loss")},
                                         on_papers.entries, results),
                     experiments_as_rows("test-part", "Constellation's presets on the test part",
                                         {metric("mean over classes", "accuracy_final", 4),
                                          metric("mean over images", "accuracy_final_plain", 4),
                                          metric("units", "units", 1), metric("singletons", "singletons", 1),
                                          metric("nodes", "nodes", 0), metric("bytes", "bytes", 0)},
                                         on_others.entries, results)};
    result.notes = {"The paper's stream: 20 cycles of 10 classes with 5 new images each, filtered; 20 "
                    "held-out images of each class are tested after every block.",
                    "Where the test part is tested, the stream is drawn from the training part."};
    return result;
}

} // namespace

Study study() {
    return {.name = "presets",
            .question = "How accurate is each preset of Constellation, also with few images?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 2,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::presets

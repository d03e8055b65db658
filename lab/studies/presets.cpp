#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

std::vector<Asked> presets() {
    std::vector<Asked> all;
    for (const char* preset : {"paper-vocabulary", "default", "accurate", "long", "general"})
        all.push_back({{"constellation", preset}, preset});
    return all;
}

/// So many images of each class, and no more.
Stream few(std::size_t images) {
    Stream stream = asked_about_test_part();
    stream.name = fmt::format("t10k-{}-each", images);
    stream.title = fmt::format("{} image{} of each class", images, images == 1 ? "" : "s");
    stream.protocol.cycles = 1;
    stream.protocol.per_block = images;
    return stream;
}

StudyResult run(const StudyContext& context) {
    Materials materials(context);
    const Changed on_papers = on_streams({{"", "the paper's"}}, presets(), materials, context);
    const Changed on_others =
        on_streams({asked_about_test_part(), asked_about_whole_test_part(), few(1), few(5)}, presets(),
                   materials, context);
    std::vector<Experiment> experiments = on_papers.experiments;
    experiments.insert(experiments.end(), on_others.experiments.begin(), on_others.experiments.end());
    const ResultsByName results = run_experiments(context, experiments);
    StudyResult result;
    record(result, experiments, results);
    result.tables = {
        rows_of("presets", "Constellation's presets on the paper's stream",
                {named("final", "accuracy_final", 4), named("early", "early"), named("WCR end", "wcr_end"),
                 named("WCR worst", "wcr_worst"), named("retention loss", "retention_loss")},
                on_papers.entries, results),
        rows_of("test-part", "Constellation's presets, asked about the test part",
                {named("mean over classes", "accuracy_final", 4),
                 named("mean over images", "accuracy_final_plain", 4), named("units", "units", 1),
                 named("singletons", "singletons", 1), named("nodes", "nodes", 0),
                 named("bytes", "bytes", 0)},
                on_others.entries, results)};
    result.notes = {"The paper's stream: 20 cycles of 10 classes with 5 new images each, filtered; 20 "
                    "held-out images of each class are asked after every block.",
                    "Where the test part is asked about, the stream is drawn from the training part."};
    return result;
}

} // namespace

Study study_presets() {
    return {.name = "presets",
            .question = "How good is each preset of Constellation, and with how few images?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 2,
            .is_contest = true};
}

} // namespace sprig::lab

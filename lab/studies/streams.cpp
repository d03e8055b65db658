#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

std::vector<Stream> streams() {
    MaterialOptions everything;
    everything.filtered = false;
    MaterialOptions garments = everything;
    garments.dataset = "fashion-mnist";
    Protocol by_cycle;
    by_cycle.evaluate = EvaluateAt::cycles;
    Protocol long_one = by_cycle;
    long_one.cycles = 200;
    Protocol in_any_order;
    in_any_order.drawn_classes = 10;
    Protocol once;
    once.cycles = 1;
    once.per_block = 100;
    return {{"", "the paper's"},
            {"unfiltered", "unfiltered", everything},
            asked_about_test_part(),
            asked_about_whole_test_part(),
            {"long", "ten times as long", {}, long_one},
            {"any-order", "classes in an order drawn by seed", {}, in_any_order},
            {"once", "each class comes once, with 100 images", {}, once},
            {"garments", "silhouettes of garments (Fashion-MNIST)", garments}};
}

StudyResult run(const StudyContext& context) {
    Materials materials(context);
    const Changed asked = on_streams(streams(), everybody(), materials, context);
    const ResultsByName results = run_experiments(context, asked.experiments);
    StudyResult result;
    record(result, asked.experiments, results);
    result.tables = {
        rows_of("streams", "Other streams than the paper's",
                {named("final", "accuracy_final"), named("early", "early"), named("WCR end", "wcr_end"),
                 named("WCR worst", "wcr_worst"), named("prequential", "prequential_accuracy"),
                 named("units", "units", 1), named("singletons", "singletons", 1)},
                asked.entries, results)};
    result.notes = {"Where a stream is not said to differ it is the paper's: 20 cycles of 10 classes with 5 "
                    "new images each, filtered, and 20 held-out images of each class.",
                    "Measures that need an answer after every block are missing where only some were asked."};
    return result;
}

} // namespace

Study study_streams() {
    return {.name = "streams",
            .question = "How good are they on other streams than the paper's?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 3,
            .is_contest = true,
            .also_needs = {"fashion-mnist"}};
}

} // namespace sprig::lab

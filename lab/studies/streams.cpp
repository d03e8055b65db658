#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::streams {

namespace {

std::vector<Stream> streams() {
    DataOptions everything;
    everything.filtered = false;
    DataOptions garments = everything;
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
            tested_on_filtered_test_part(),
            tested_on_whole_test_part(),
            {"long", "ten times as long", {}, long_one},
            {"any-order", "classes in an order drawn by seed", {}, in_any_order},
            {"once", "each class once, with 100 images", {}, once},
            {"garments", "silhouettes of garments (Fashion-MNIST)", garments}};
}

StudyResult run(const StudyContext& context) {
    DataCache cache(context);
    const ExperimentSet set = experiments_on_streams(streams(), all_learners(), cache, context);
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    result.tables = {experiments_as_rows("streams", "Other streams than the paper's",
                                         {metric("final", "accuracy_final"), metric("early", "early"),
                                          metric("WCR end", "wcr_end"), metric("WCR worst", "wcr_worst"),
                                          metric("prequential", "prequential_accuracy"),
                                          metric("units", "units", 1), metric("singletons", "singletons", 1)},
                                         set.entries, results)};
    result.notes = {"Unless stated otherwise, a stream is the paper's: 20 cycles of 10 classes with 5 new "
                    "images each, filtered, and 20 held-out images of each class.",
                    "Measures that need an evaluation after every block are missing where only some blocks "
                    "were evaluated."};
    return result;
}

} // namespace

Study study() {
    return {.name = "streams",
            .question = "How accurate are the learners on other streams than the paper's?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 3,
            .compares_learners = true,
            .also_needs = {"fashion-mnist"}};
}

} // namespace sprig::lab::studies::streams

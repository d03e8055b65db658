#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "lab/studies.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

/// Another stream than the paper's.
struct Stream {
    const char* name;
    const char* title;
    MaterialOptions material = {};
    Protocol protocol = {};
};

std::vector<Stream> streams() {
    MaterialOptions everything;
    everything.filtered = false;
    MaterialOptions test_part;
    test_part.pool = Pool::train;
    test_part.held_out = HeldOut::t10k;
    MaterialOptions whole_test_part = test_part;
    whole_test_part.filtered = false;
    MaterialOptions garments = everything;
    garments.dataset = "fashion-mnist";
    Protocol by_cycle;
    by_cycle.evaluate = EvaluateAt::cycles;
    Protocol at_the_end;
    at_the_end.evaluate = EvaluateAt::end;
    Protocol long_one = by_cycle;
    long_one.cycles = 200;
    Protocol in_any_order;
    in_any_order.drawn_classes = 10;
    Protocol once;
    once.cycles = 1;
    once.per_block = 100;
    return {{"", "the paper's"},
            {"unfiltered", "unfiltered", everything},
            {"t10k", "asked about the filtered test part", test_part, at_the_end},
            {"t10k-unfiltered", "unfiltered, asked about the whole test part", whole_test_part, at_the_end},
            {"long", "ten times as long", {}, long_one},
            {"any-order", "classes in an order drawn by seed", {}, in_any_order},
            {"once", "each class comes once, with 100 images", {}, once},
            {"garments", "silhouettes of garments (Fashion-MNIST)", garments}};
}

} // namespace

StudyResult study_streams(const StudyContext& context) {
    Materials materials(context);
    std::vector<Experiment> experiments;
    std::vector<Entry> entries;
    for (const Stream& stream : streams()) {
        for (const Asked& learner : everybody()) {
            const Material& material = materials.get(stream.material, learner.setting);
            Changed asked = changed({learner}, {Change{}}, stream.name, material, stream.protocol, context);
            asked.entries.front().title = fmt::format("{}: {}", stream.title, learner.title);
            std::ranges::move(asked.experiments, std::back_inserter(experiments));
            std::ranges::move(asked.entries, std::back_inserter(entries));
        }
    }
    const ResultsByName results = run_experiments(context, experiments);
    StudyResult result;
    record(result, experiments, results);
    result.tables = {
        rows_of("streams", "Other streams than the paper's",
                {named("final", "accuracy_final"), named("early", "early"), named("WCR end", "wcr_end"),
                 named("WCR worst", "wcr_worst"), named("prequential", "prequential_accuracy"),
                 named("units", "units", 1), named("singletons", "singletons", 1)},
                entries, results)};
    result.notes = {
        "Where a stream is not said to differ it is the paper's: 20 cycles of 10 classes with 5 new images "
        "each, filtered, and 20 held-out images of each class.",
        "Measures that need an answer after every block are missing where only some were asked."};
    return result;
}

} // namespace sprig::lab

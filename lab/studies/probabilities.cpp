#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "model/reliability.h"

namespace sprig::lab {

namespace {

/// Of the learner's own temperature.
constexpr std::array<double, 5> multiples = {0.5, 0.7, 1, 1.4, 2};
constexpr std::size_t as_it_is = 2;
constexpr std::size_t bins = usual_bins;

/// The held-out digits as two sets: those that the filter keeps, and all of them.
enum class Part { filtered, all };
constexpr std::array parts = {Part::filtered, Part::all};

const char* name_of(Part part) {
    return part == Part::filtered ? "filtered" : "all";
}

/// What one seed's model said of the held-out digits, in their order, at each temperature.
using Said = std::array<std::vector<GradedAnswer>, multiples.size()>;

Said ask(Reader& reader, const Digits& digits, const std::vector<Network>& held_out, const Tick& tick) {
    Said said;
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        tick();
        const Prediction& prediction = reader.predict(held_out[i]);
        for (std::size_t m = 0; m < multiples.size(); ++m)
            said[m].push_back(graded_answer(prediction, digits.held_out_class(i), multiples[m]));
    }
    return said;
}

void add_part(std::vector<GradedAnswer>& answers, const Digits& digits, const std::vector<GradedAnswer>& said,
              Part part) {
    for (std::size_t i = 0; i < said.size(); ++i) {
        if (part == Part::all || digits.typical[i]) answers.push_back(said[i]);
    }
}

template <class Measure>
void add_measure(std::vector<Cell>& row, const std::vector<std::vector<GradedAnswer>>& by_seed, Measure measure) {
    std::vector<double> values;
    values.reserve(by_seed.size());
    for (const std::vector<GradedAnswer>& answers : by_seed) values.push_back(measure(answers));
    add_mean(row, values, 4);
}

StudyTable temperature_table(const std::vector<Said>& runs, const Digits& digits) {
    StudyTable table{"temperature",
                     "Probabilities at so many times the learner's own temperature",
                     {"digits", "times", "log loss", "sd", "calibration error", "sd", "accuracy", "sd"}};
    for (const Part part : parts) {
        for (std::size_t m = 0; m < multiples.size(); ++m) {
            std::vector<std::vector<GradedAnswer>> by_seed(runs.size());
            for (std::size_t s = 0; s < runs.size(); ++s) add_part(by_seed[s], digits, runs[s][m], part);
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(std::string(name_of(part))), cell(multiples[m], 1)};
            add_measure(row, by_seed, log_loss);
            add_measure(row, by_seed, [](const auto& a) { return expected_calibration_error(a, bins); });
            add_measure(row, by_seed, share_right);
        }
    }
    return table;
}

StudyTable reliability_table(const std::vector<Said>& runs, const Digits& digits) {
    StudyTable table{"reliability",
                     "How often answers of some confidence are right, at the learner's own temperature",
                     {"digits", "from", "to", "images", "confidence", "accuracy"}};
    for (const Part part : parts) {
        std::vector<GradedAnswer> of_all_seeds;
        for (const Said& said : runs) add_part(of_all_seeds, digits, said[as_it_is], part);
        for (const ConfidenceBin& bin : reliability(of_all_seeds, bins)) {
            if (bin.images == 0) continue;
            const double by_seed = static_cast<double>(bin.images) / static_cast<double>(runs.size());
            table.rows.push_back({cell(std::string(name_of(part))), cell(bin.from, 3), cell(bin.to, 3),
                                  cell(by_seed, 1), cell(bin.confidence, 4), cell(bin.accuracy, 4)});
        }
    }
    return table;
}

std::vector<std::string> notes_of(const StudyContext& context, const Digits& digits) {
    return {
        in_words(context, digits),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed. All means are over images.",
                    stream_per_class(context)),
        fmt::format("Log loss in nats. Calibration error: the mean difference between confidence, the "
                    "probability of the answer given, and accuracy, over {} bins of confidence weighed by "
                    "their images. At another temperature the answers are the same.",
                    bins),
        "In the second table the images of a bin are those of one seed, on average; bins without images are "
        "left out."};
}

StudyResult run(const StudyContext& context) {
    const FrontEndParams front_end = context.make_chosen(context.seeds.front())->front_end();
    const Digits digits = load_digits(context, true);
    const std::vector<Network> held_out =
        networks_of(context, digits.held_out_data(), digits.held_out, front_end);
    const std::vector<NetworksByClass> streams = streams_of(context, digits, front_end);
    std::vector<Said> runs(context.seeds.size());
    const auto work = [&](std::size_t piece, const Tick& tick) {
        const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds[piece]);
        teach(*learner, digits.classes(), streams[piece], tick);
        runs[piece] = ask(*learner->reader(), digits, held_out, tick);
    };
    const std::size_t each = (digits.classes().size() * stream_per_class(context)) + held_out.size();
    in_parallel(runs.size(), context.threads, runs.size() * each, work, context.begin("learning"));
    return {.tables = {temperature_table(runs, digits), reliability_table(runs, digits)},
            .notes = notes_of(context, digits)};
}

} // namespace

Study study_probabilities() {
    return {.name = "probabilities",
            .question = "Can its probabilities be taken at their word, or is another temperature better?",
            .run = run,
            .minutes = 0.1};
}

} // namespace sprig::lab

#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "model/reliability.h"

namespace sprig::lab::studies::probabilities {

namespace {

/// Multiples of the learner's temperature.
constexpr std::array<double, 5> multiples = {0.5, 0.7, 1, 1.4, 2};
constexpr std::size_t unchanged = 2;
constexpr std::size_t bins = default_bins;

/// The answers of one seed's model for the held-out digits, at each temperature.
using Answers = std::array<std::vector<GradedAnswer>, multiples.size()>;

Answers test(Reader& reader, const ExperimentData& data, const std::vector<Network>& held_out,
             const Tick& tick) {
    Answers answers;
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        tick();
        const Prediction& prediction = reader.predict(held_out[i]);
        for (std::size_t m = 0; m < multiples.size(); ++m)
            answers[m].push_back(graded_answer(prediction, data.held_out_class(i), multiples[m]));
    }
    return answers;
}

void add_part(std::vector<GradedAnswer>& result, const ExperimentData& data,
              const std::vector<GradedAnswer>& answers, Part part) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (is_in(part, data, i)) result.push_back(answers[i]);
    }
}

template <class Measure>
void add_measure(std::vector<Cell>& row, const std::vector<std::vector<GradedAnswer>>& by_seed,
                 Measure measure) {
    std::vector<double> values;
    values.reserve(by_seed.size());
    for (const std::vector<GradedAnswer>& answers : by_seed) values.push_back(measure(answers));
    add_mean(row, values, 4);
}

StudyTable temperature_table(const std::vector<Answers>& runs, const ExperimentData& data) {
    StudyTable table{"temperature",
                     "Probabilities at multiples of the learner's temperature",
                     {"digits", "multiple", "log loss", "sd", "calibration error", "sd", "accuracy", "sd"}};
    for (const Part part : parts) {
        for (std::size_t m = 0; m < multiples.size(); ++m) {
            std::vector<std::vector<GradedAnswer>> by_seed(runs.size());
            for (std::size_t s = 0; s < runs.size(); ++s) add_part(by_seed[s], data, runs[s][m], part);
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(std::string(name_of(part))), cell(multiples[m], 1)};
            add_measure(row, by_seed, log_loss);
            add_measure(row, by_seed, [](const auto& a) { return expected_calibration_error(a, bins); });
            add_measure(row, by_seed, answer_accuracy);
        }
    }
    return table;
}

StudyTable reliability_table(const std::vector<Answers>& runs, const ExperimentData& data) {
    StudyTable table{"reliability",
                     "Accuracy by confidence, at the learner's temperature",
                     {"digits", "from", "to", "images", "confidence", "accuracy"}};
    for (const Part part : parts) {
        std::vector<GradedAnswer> of_all_seeds;
        for (const Answers& answers : runs) add_part(of_all_seeds, data, answers[unchanged], part);
        for (const ConfidenceBin& bin : reliability(of_all_seeds, bins)) {
            if (bin.images == 0) continue;
            const double by_seed = static_cast<double>(bin.images) / static_cast<double>(runs.size());
            table.rows.push_back({cell(std::string(name_of(part))), cell(bin.from, 3), cell(bin.to, 3),
                                  cell(by_seed, 1), cell(bin.confidence, 4), cell(bin.accuracy, 4)});
        }
    }
    return table;
}

std::vector<std::string> notes_of(const StudyContext& context, const ExperimentData& data) {
    return {
        describe_held_out(data),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed. All means are over images.",
                    stream_per_class(context)),
        fmt::format("Log loss in nats. Calibration error: the mean difference between confidence (the "
                    "probability of the answer) and accuracy over {} bins of confidence, weighted by their "
                    "images. The temperature does not change the answers.",
                    bins),
        "In the second table the images of a bin are the mean over seeds; bins without images are left out."};
}

StudyResult run(const StudyContext& context) {
    const FrontEndParams front_end = context.make_chosen(context.seeds.front())->front_end();
    const ExperimentData data = load_digits(context, true);
    const std::vector<Network> held_out =
        networks_of(context, data.held_out_data(), data.held_out, front_end);
    std::vector<Answers> runs(context.seeds.size());
    const auto work = [&](std::size_t s, const Tick& tick) {
        const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds[s]);
        teach(*learner, data.classes(), stream_of(context, data, context.seeds[s], front_end), tick);
        runs[s] = test(*learner->reader(), data, held_out, tick);
    };
    const std::size_t each = (data.classes().size() * stream_per_class(context)) + held_out.size();
    in_parallel(runs.size(), context.threads, runs.size() * each, work, context.begin("learning"));
    return {.tables = {temperature_table(runs, data), reliability_table(runs, data)},
            .notes = notes_of(context, data)};
}

} // namespace

Study study() {
    return {.name = "probabilities",
            .question = "Are its probabilities calibrated, or is another temperature better?",
            .run = run,
            .minutes = 0.1};
}

} // namespace sprig::lab::studies::probabilities

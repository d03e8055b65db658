#include <array>
#include <memory>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/gestures.h"
#include "sprig/front_end.h"

namespace sprig::lab::studies::strokes {

namespace {

/// Widths of the pen in px of the drawing's 20 px.
constexpr std::array pen_widths = {1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0};
constexpr std::array presets = {"fast", "default"};
constexpr std::array<std::size_t, 2> amounts = {1, 3}; ///< samples of each kind
constexpr std::size_t testers = 20;
constexpr std::size_t samples_of_tester = 2;

/// Gestures of one seed. Nobody who taught is tested.
struct Gestures {
    std::vector<Gesture> learn; ///< in their order; each sample of a kind by another person
    std::vector<Gesture> test;
};

Gestures gestures_of(const StudyContext& context, std::uint64_t seed, std::size_t amount) {
    const auto person = [&](std::uint64_t number) { return random::mix({seed, number}); };
    const std::size_t kinds = gesture_kinds().size();
    Gestures all;
    for (std::size_t sample = 0; sample < amount; ++sample) {
        for (const std::size_t kind : random::shuffled(kinds, random::mix(seed, sample)))
            all.learn.push_back({kind, person(sample), 0});
    }
    for (std::size_t tester = 0; tester < testers; ++tester) {
        for (std::size_t sample = 0; sample < samples_of_tester; ++sample) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                all.test.push_back({kind, person(100 + tester), sample});
        }
    }
    all.test.resize(context.limited(all.test.size()));
    return all;
}

double accuracy(const StudyContext& context, const char* preset, double pen, const Gestures& gestures,
                std::uint64_t seed) {
    const std::unique_ptr<Learner> learner = context.make({"constellation", preset}, seed);
    FrontEnd front_end(learner->front_end());
    const auto network_of = [&](const Gesture& gesture) {
        return front_end(render(gesture.strokes(), {.pen = pen}).view());
    };
    for (const Gesture& gesture : gestures.learn)
        (void)learner->learn(network_of(gesture), std::string(gesture_kinds()[gesture.kind]));
    const std::unique_ptr<Reader> reader = learner->reader();
    Scores scores = Scores::of_classes(gesture_kinds().size());
    for (const Gesture& gesture : gestures.test) {
        const Decision& decision = reader->decide(network_of(gesture));
        scores.add(gesture.kind,
                   decision.best && reader->classes()[*decision.best] == gesture_kinds()[gesture.kind]);
    }
    return scores.balanced();
}

StudyResult run(const StudyContext& context) {
    const std::size_t columns = presets.size() * amounts.size();
    const std::size_t seeds = context.seeds.size();
    std::vector<double> all(pen_widths.size() * columns * seeds);
    // By pen width, preset, amount and seed.
    in_parallel(
        all.size(), context.threads, all.size(),
        [&](std::size_t task, const Tick& tick) {
            tick();
            const std::uint64_t seed = context.seeds[task % seeds];
            const std::size_t amount = amounts.at(task / seeds % amounts.size());
            const char* preset = presets.at(task / seeds / amounts.size() % presets.size());
            all[task] = accuracy(context, preset, pen_widths.at(task / seeds / columns) / StrokeParams{}.box,
                                 gestures_of(context, seed, amount), seed);
        },
        context.begin("gestures"));

    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "strokes";
    table.title = "Gestures of other people, by the width of the pen (px of a drawing of 20 px)";
    table.header = {"pen"};
    for (const char* preset : presets) {
        for (const std::size_t amount : amounts) {
            table.header.push_back(fmt::format("{}, {} each", preset, amount));
            table.header.emplace_back("sd");
        }
    }
    for (std::size_t width = 0; width < pen_widths.size(); ++width) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(pen_widths.at(width), 1));
        for (std::size_t column = 0; column < columns; ++column)
            add_mean(row, std::span(all).subspan(((width * columns) + column) * seeds, seeds), 4);
    }
    result.notes = {fmt::format(
        "{} kinds of gestures, made as pen strokes. 1 or 3 samples of each kind are learned, each by another "
        "person; {} other people draw every kind {} times. Mean over kinds. The default pen is {:g} px wide; "
        "it was chosen with the seeds 100-109.",
        gesture_kinds().size(), testers, samples_of_tester, StrokeParams{}.pen * StrokeParams{}.box)};
    return result;
}

} // namespace

Study study() {
    return {.name = "strokes",
            .question = "How well are pen strokes recognised, by the width of the pen that draws them?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.2,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::strokes

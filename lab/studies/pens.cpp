#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/drawn_sources.h"
#include "lab/studies/gestures.h"

namespace sprig::lab::studies::pens {

namespace {

/// A drawing is tested with pens of these multiples of the width that was learned.
constexpr std::array widths = {0.5, 0.7, 1.0, 1.4, 2.0};
constexpr std::size_t learned_width = 2;
constexpr double acceptable = 0.015; ///< loss of accuracy against the learned width

constexpr std::array pens = {0.04, 0.06, 0.08}; ///< that are learned from, in shares of the drawing
constexpr std::size_t testers = 8;
constexpr int ink = 300; ///< longer side in a picture, px

/// By pen and width.
using Scores = std::array<std::array<PictureScore, widths.size()>, pens.size()>;

struct Amounts {
    std::size_t classes = gesture_kinds().size();
    std::size_t people = testers;
};

Amounts amounts_of(const StudyContext& context) {
    Amounts amounts;
    if (context.limit > 0) {
        amounts.classes = std::clamp<std::size_t>(context.limit / 5, 2, amounts.classes);
        amounts.people = 1 + (context.limit / 20);
    }
    return amounts;
}

Scores run_seed(const StudyContext& context, std::uint64_t seed, const Tick& tick) {
    const Amounts amounts = amounts_of(context);
    const auto kinds = gesture_kinds().first(amounts.classes);
    const std::vector<std::string> classes(kinds.begin(), kinds.end());
    Scores scores;
    for (std::size_t p = 0; p < pens.size(); ++p) {
        PictureLearners learners([&] { return context.make_chosen(seed); }, classes);
        PictureReader read(learners.front_end());
        const auto network = [&](std::size_t kind, std::size_t person, double pen) {
            tick();
            return read(clean_picture(drawn_gesture(kind, random::mix(seed, person), pen), ink));
        };
        for (std::size_t i = 0; i < most_drawn; ++i)
            for (std::size_t kind = 0; kind < classes.size(); ++kind)
                learners.learn(i, network(kind, i, pens[p]), classes[kind]);
        learners.make_readers();
        for (std::size_t w = 0; w < widths.size(); ++w)
            for (std::size_t person = 0; person < amounts.people; ++person)
                for (std::size_t kind = 0; kind < classes.size(); ++kind)
                    learners.test(network(kind, most_drawn + person, widths[w] * pens[p]), classes[kind],
                                  scores[p][w]);
    }
    return scores;
}

std::vector<double> over_seeds(const std::vector<Scores>& seeds, std::size_t pen, std::size_t width,
                               std::size_t amount) {
    std::vector<double> values;
    values.reserve(seeds.size());
    for (const Scores& scores : seeds) values.push_back(scores[pen][width].accuracy(amount));
    return values;
}

/// By seed, as means over the amounts.
std::vector<double> losses(const std::vector<Scores>& seeds, std::size_t pen, std::size_t width) {
    std::vector<double> values;
    values.reserve(seeds.size());
    for (const Scores& scores : seeds)
        values.push_back(scores[pen][learned_width].accuracy() - scores[pen][width].accuracy());
    return values;
}

StudyTable table_of(const std::vector<Scores>& seeds) {
    StudyTable table{"pens", "Accuracy by the width of the pen, as a multiple of the learned one", {"width"}};
    for (const double pen : pens)
        for (const std::size_t amount : drawn_amounts)
            table.header.insert(table.header.end(), {fmt::format("pen {}, {}", pen, amount), "sd"});
    for (std::size_t w = 0; w < widths.size(); ++w) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(widths[w], 1));
        for (std::size_t p = 0; p < pens.size(); ++p)
            for (std::size_t a = 0; a < drawn_amounts.size(); ++a)
                add_mean(row, over_seeds(seeds, p, w, a), 4);
    }
    return table;
}

StudyTable bars_of(const std::vector<Scores>& seeds) {
    StudyTable table{"pens-bars", "Loss of accuracy against the learned width", bar_header("pen")};
    for (std::size_t p = 0; p < pens.size(); ++p)
        for (std::size_t w = 0; w < widths.size(); ++w)
            if (w != learned_width)
                add_bar(table, fmt::format("{} times {}", widths[w], pens[p]), losses(seeds, p, w),
                        acceptable);
    return table;
}

StudyChart chart_of(const std::vector<Scores>& seeds) {
    Chart chart{"Accuracy by the width of the pen", "width (times the learned one)", "accuracy", {}};
    for (std::size_t p = 0; p < pens.size(); ++p) {
        for (std::size_t a = 0; a < drawn_amounts.size(); ++a) {
            Line& line = chart.lines.emplace_back();
            line.name = fmt::format("pen {}, {} each", pens[p], drawn_amounts[a]);
            for (std::size_t w = 0; w < widths.size(); ++w) {
                line.x.push_back(widths[w]);
                line.y.push_back(mean_of(over_seeds(seeds, p, w, a)));
            }
        }
    }
    return {
        "pens", chart,
        "Accuracy on gestures drawn with a thinner or a thicker pen, by the learned pen and the number of "
        "learned samples of each kind."};
}

StudyResult run(const StudyContext& context) {
    std::vector<Scores> seeds(context.seeds.size());
    const Amounts amounts = amounts_of(context);
    const std::size_t drawings =
        pens.size() * amounts.classes * (most_drawn + (widths.size() * amounts.people));
    in_parallel(
        seeds.size(), context.threads, seeds.size() * drawings,
        [&](std::size_t i, const Tick& tick) { seeds[i] = run_seed(context, context.seeds[i], tick); },
        context.begin("drawing"));
    StudyResult result;
    result.tables = {table_of(seeds), bars_of(seeds)};
    result.charts = {chart_of(seeds)};
    result.reasons = {
        {"pens-bars", "2 times 0.08", "reached",
         "A pen of 0.16 of the drawing fills the inside of loops and corners, so the shape is another."}};
    result.notes = {
        fmt::format("{} kinds of gestures, drawn with a round pen whose width is a share of the drawing's "
                    "longer side, as clean pictures with {} px of ink. Learned: one or five samples of each "
                    "kind with one pen, each by another person. Tested: {} others, each once with every pen.",
                    amounts.classes, ink, amounts.people),
        "Loss: of the mean of both amounts of samples."};
    return result;
}

} // namespace

Study study() {
    return {.name = "pens",
            .question = "Does it recognise drawings that were made with a thinner or a thicker pen?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 1};
}

} // namespace sprig::lab::studies::pens

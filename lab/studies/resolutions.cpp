#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/drawn_sources.h"

namespace sprig::lab::studies::resolutions {

namespace {

constexpr std::array sizes = {20, 28, 64, 200, 400}; ///< longer side of the ink, px
constexpr double acceptable = 0.01; ///< loss of accuracy against learning at the size that is read

/// By learned size, read size and source.
using Scores = std::array<std::array<std::vector<PictureScore>, sizes.size()>, sizes.size()>;

struct Shared {
    std::vector<DrawnSource> sources;
    std::size_t tested = std::numeric_limits<std::size_t>::max();
};

Shared prepare(const StudyContext& context) {
    Shared shared;
    std::size_t classes = std::numeric_limits<std::size_t>::max();
    if (context.limit > 0) {
        classes = std::max<std::size_t>(context.limit / 5, 2);
        shared.tested = 1 + (context.limit / 20);
    }
    shared.sources = {printed_characters(classes), handwritten_digits(classes), drawn_gestures(classes)};
    return shared;
}

/// By size: the networks of the same drawings.
using NetworksBySize = std::array<std::vector<Network>, sizes.size()>;

NetworksBySize read_all(const std::vector<Drawing>& drawings, PictureReader& read, const Tick& tick) {
    NetworksBySize networks;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        for (const Drawing& drawing : drawings) {
            tick();
            networks[s].push_back(read(clean_picture(drawing.image, sizes[s])));
        }
    }
    return networks;
}

Scores run_seed(const StudyContext& context, const Shared& shared, std::uint64_t seed, const Tick& tick) {
    Scores scores;
    for (auto& by_read : scores)
        for (auto& by_source : by_read) by_source.resize(shared.sources.size());
    for (std::size_t s = 0; s < shared.sources.size(); ++s) {
        Drawings drawings = shared.sources[s].draw(seed);
        drawings.tested.resize(std::min(shared.tested, drawings.tested.size()));
        const auto make = [&] { return context.make_chosen(seed); };
        PictureReader read(make()->front_end());
        std::vector<NetworksBySize> learned;
        for (const auto& samples : drawings.learned) learned.push_back(read_all(samples, read, tick));
        const NetworksBySize tested = read_all(drawings.tested, read, tick);
        for (std::size_t from = 0; from < sizes.size(); ++from) {
            PictureLearners learners(make, shared.sources[s].classes);
            for (std::size_t i = 0; i < most_drawn; ++i)
                for (std::size_t d = 0; d < drawings.learned[i].size(); ++d)
                    learners.learn(i, learned[i][from][d], drawings.learned[i][d].label);
            learners.make_readers();
            for (std::size_t to = 0; to < sizes.size(); ++to)
                for (std::size_t d = 0; d < drawings.tested.size(); ++d)
                    learners.test(tested[to][d], drawings.tested[d].label, scores[from][to][s]);
        }
    }
    return scores;
}

/// By seed: the mean over sources.
std::vector<double> accuracies(const std::vector<Scores>& seeds, std::size_t from, std::size_t to,
                               std::optional<std::size_t> amount = {}) {
    std::vector<double> values;
    for (const Scores& scores : seeds) {
        double sum = 0;
        for (const PictureScore& score : scores[from][to])
            sum += amount ? score.accuracy(*amount) : score.accuracy();
        values.push_back(sum / static_cast<double>(scores[from][to].size()));
    }
    return values;
}

StudyTable table_of(const std::vector<Scores>& seeds, std::size_t amount) {
    const std::size_t each = drawn_amounts[amount];
    StudyTable table{fmt::format("resolutions-{}", each),
                     fmt::format("Accuracy by the size (px) that is read, {} sample{} of each class", each,
                                 each == 1 ? "" : "s"),
                     {"learned at"}};
    for (const int size : sizes) table.header.insert(table.header.end(), {fmt::format("{} px", size), "sd"});
    for (std::size_t from = 0; from < sizes.size(); ++from) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(fmt::format("{} px", sizes[from])));
        for (std::size_t to = 0; to < sizes.size(); ++to)
            add_mean(row, accuracies(seeds, from, to, amount), 4);
    }
    return table;
}

/// One row for each source: learned and read at the same size.
StudyTable sources_of(const Shared& shared, const std::vector<Scores>& seeds) {
    StudyTable table{"resolutions-sources", "Accuracy if the size (px) is the learned one", {"drawings"}};
    for (const int size : sizes) table.header.insert(table.header.end(), {fmt::format("{} px", size), "sd"});
    for (std::size_t s = 0; s < shared.sources.size(); ++s) {
        for (std::size_t a = 0; a < drawn_amounts.size(); ++a) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row.push_back(cell(fmt::format("{}, {}", shared.sources[s].name, drawn_amounts[a])));
            for (std::size_t size = 0; size < sizes.size(); ++size) {
                std::vector<double> values;
                values.reserve(seeds.size());
                for (const Scores& scores : seeds) values.push_back(scores[size][size][s].accuracy(a));
                add_mean(row, values, 4);
            }
        }
    }
    return table;
}

StudyTable bars_of(const std::vector<Scores>& seeds) {
    StudyTable table{"resolutions-bars", "Loss of accuracy against learning at the size that is read",
                     bar_header("learned, read")};
    for (std::size_t from = 0; from < sizes.size(); ++from) {
        for (std::size_t to = 0; to < sizes.size(); ++to) {
            if (from == to) continue;
            std::vector<double> losses = accuracies(seeds, to, to);
            const std::vector<double> other = accuracies(seeds, from, to);
            for (std::size_t i = 0; i < losses.size(); ++i) losses[i] -= other[i];
            add_bar(table, fmt::format("{} px, {} px", sizes[from], sizes[to]), losses, acceptable);
        }
    }
    return table;
}

StudyChart chart_of(const std::vector<Scores>& seeds) {
    Chart chart{"Accuracy by the size that is read", "longer side of the ink (px)", "accuracy", {}};
    chart.logarithmic_x = true;
    for (std::size_t from = 0; from < sizes.size(); ++from) {
        Line& line = chart.lines.emplace_back();
        line.name = fmt::format("learned at {} px", sizes[from]);
        for (std::size_t to = 0; to < sizes.size(); ++to) {
            line.x.push_back(sizes[to]);
            line.y.push_back(mean_of(accuracies(seeds, from, to)));
        }
    }
    return {"resolutions", chart,
            "Mean accuracy over the kinds of drawings and the amounts of learned samples."};
}

StudyResult run(const StudyContext& context) {
    const Shared shared = prepare(context);
    std::vector<Scores> seeds(context.seeds.size());
    std::size_t drawings = 0;
    for (const DrawnSource& source : shared.sources) {
        const Drawings drawn = source.draw(context.seeds.front());
        drawings += (most_drawn * source.classes.size()) + std::min(shared.tested, drawn.tested.size());
    }
    in_parallel(
        seeds.size(), context.threads, seeds.size() * sizes.size() * drawings,
        [&](std::size_t i, const Tick& tick) {
            seeds[i] = run_seed(context, shared, context.seeds[i], tick);
        },
        context.begin("drawing"));
    StudyResult result;
    for (std::size_t a = 0; a < drawn_amounts.size(); ++a) result.tables.push_back(table_of(seeds, a));
    result.tables.push_back(bars_of(seeds));
    result.tables.push_back(sources_of(shared, seeds));
    result.charts = {chart_of(seeds)};
    result.notes = {
        "Clean pictures of the same drawings, reduced by area averaging until the longer side of the ink has "
        "so "
        "many px, with an empty margin: printed characters, each learned in five typefaces and tested in "
        "another; digits of mnist:train, enlarged as a pen would have drawn them; gestures. One or five "
        "samples "
        "of each class are learned. Mean over the three kinds of drawings.",
        "Loss: of the mean of both amounts, against learning and reading at the size that is read."};
    return result;
}

} // namespace

Study study() {
    return {.name = "resolutions",
            .question = "Does it recognise drawings of another size in pixels than it has learned?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 1};
}

} // namespace sprig::lab::studies::resolutions

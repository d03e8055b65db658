#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "lab/glyphs/glyph_set.h"
#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/made_images.h"
#include "model/reliability.h"

namespace sprig::lab {

namespace {

constexpr auto coverages = usual_coverages;
constexpr std::size_t noise_images = 2000; ///< of each kind

/// The scores that say how far an answer can be trusted.
enum class Trust : std::size_t { explained, margin };
constexpr std::array trusts = {Trust::explained, Trust::margin};
const char* name_of(Trust trust) {
    switch (trust) {
    case Trust::explained:
        return "explained";
    case Trust::margin:
        return "margin";
    }
    return "";
}

/// What a model said of a set of images: its scores of trust, by kind and image, and its decisions.
struct Said {
    std::array<std::vector<double>, trusts.size()> trust;
    std::vector<std::size_t> decided;
    bool has_explained = true;

    [[nodiscard]] bool has(Trust kind) const { return kind != Trust::explained || has_explained; }
    [[nodiscard]] const std::vector<double>& of(Trust kind) const {
        return trust[static_cast<std::size_t>(kind)];
    }
};

Said ask(Reader& reader, const std::vector<Network>& networks, const Tick& tick) {
    Said said;
    for (const Network& network : networks) {
        tick();
        const Prediction& prediction = reader.predict(network);
        said.has_explained = said.has_explained && prediction.explained.has_value();
        said.trust[0].push_back(prediction.explained.value_or(-std::numeric_limits<double>::infinity()));
        said.trust[1].push_back(prediction.margin);
        said.decided.push_back(prediction.best.value_or(reader.classes().size()));
    }
    return said;
}

/// Images that are no digits.
struct Others {
    std::string name;
    std::vector<Network> networks;
    std::size_t empty = 0; ///< in which the front end saw nothing at all
};

Others others_of(const StudyContext& context, const std::string& name, const Dataset& data,
                 const FrontEndParams& front_end) {
    std::vector<std::size_t> images(context.limited(data.size()));
    std::iota(images.begin(), images.end(), std::size_t{0});
    Others others{name, networks_of(context, data, images, front_end)};
    others.empty = static_cast<std::size_t>(
        std::ranges::count_if(others.networks, [](const Network& n) { return n.node_count() == 0; }));
    return others;
}

/// Printed letters that no digit looks like.
Dataset letters() {
    const glyphs::GlyphSet set = glyphs::letter_set();
    Dataset result;
    result.set_classes(set.test.classes());
    for (std::size_t i = 0; i < set.test.size(); ++i) {
        if (set.test.label_name(i).find_first_of("0123456789") == std::string::npos)
            result.add(set.test.image(i), set.test.label(i));
    }
    return result;
}

Dataset noise_set(Noise kind) {
    Dataset result;
    for (std::uint64_t i = 0; i < noise_images; ++i) result.add(noise(kind, i).view(), -1);
    return result;
}

std::vector<Others> all_others(const StudyContext& context, const FrontEndParams& front_end) {
    std::vector<Others> result;
    result.push_back(others_of(context, "garments", load_dataset("fashion-mnist:t10k"), front_end));
    result.push_back(others_of(context, "letters", letters(), front_end));
    for (const Noise kind : {Noise::pixels, Noise::blobs})
        result.push_back(
            others_of(context, fmt::format("noise: {}", name_of(kind)), noise_set(kind), front_end));
    return result;
}

/// The held-out digits as two sets: those that the filter keeps, and all of them.
enum class Part { filtered, all };
constexpr std::array parts = {Part::filtered, Part::all};

struct DigitAnswers {
    std::vector<double> trust;
    std::vector<bool> right;
};

DigitAnswers answers_of(const Digits& digits, const Said& said, Part part, Trust trust) {
    DigitAnswers answers;
    for (std::size_t i = 0; i < said.decided.size(); ++i) {
        if (part == Part::filtered && !digits.typical[i]) continue;
        answers.trust.push_back(said.of(trust)[i]);
        answers.right.push_back(said.decided[i] == digits.held_out_class(i));
    }
    return answers;
}

/// What one seed found: nothing where the learner does not have the score.
struct OpenSetRun {
    /// By part, trust and coverage.
    std::array<std::array<std::optional<std::vector<double>>, trusts.size()>, parts.size()> accuracy;
    /// By part, trust and kind of others.
    std::array<std::array<std::optional<std::vector<double>>, trusts.size()>, parts.size()> area;
};

OpenSetRun evaluate(const Digits& digits, const Said& inside, const std::vector<Said>& outside) {
    OpenSetRun run;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t t = 0; t < trusts.size(); ++t) {
            const auto has = [&](const Said& said) { return said.has(trusts[t]); };
            if (!has(inside)) continue;
            const DigitAnswers answers = answers_of(digits, inside, parts[p], trusts[t]);
            run.accuracy[p][t] = accuracy_over_coverage(answers.trust, answers.right, coverages);
            if (!std::ranges::all_of(outside, has)) continue;
            std::vector<double>& areas = run.area[p][t].emplace();
            for (const Said& others : outside) areas.push_back(auroc(answers.trust, others.of(trusts[t])));
        }
    }
    return run;
}

/// All seeds' values at one place.
template <class Get>
std::vector<double> gather(const std::vector<OpenSetRun>& runs, std::size_t at, Get get) {
    std::vector<double> values;
    for (const OpenSetRun& run : runs) {
        if (const auto& found = get(run)) values.push_back((*found)[at]);
    }
    return values;
}

std::vector<std::string> header_of(const std::string& first, const std::string& second) {
    std::vector<std::string> header = {first, second};
    for (const Trust trust : trusts) {
        header.emplace_back(name_of(trust));
        header.emplace_back("sd");
    }
    return header;
}

const char* name_of(Part part) {
    return part == Part::filtered ? "filtered" : "all";
}

StudyTable coverage_table(const std::vector<OpenSetRun>& runs) {
    StudyTable table{"coverage", "Accuracy of the answers given, if the least trusted are not given",
                     header_of("digits", "coverage")};
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t c = 0; c < coverages.size(); ++c) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(std::string(name_of(parts[p]))), cell(coverages[c], 2)};
            for (std::size_t t = 0; t < trusts.size(); ++t)
                add_mean(row, gather(runs, c, [&](const OpenSetRun& run) { return run.accuracy[p][t]; }), 4);
        }
    }
    return table;
}

StudyTable area_table(const std::vector<OpenSetRun>& runs, const std::vector<Others>& others) {
    StudyTable table{"auroc", "How well held-out digits are told from what is none: area under the ROC curve",
                     header_of("digits", "from")};
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t o = 0; o < others.size(); ++o) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(std::string(name_of(parts[p]))), cell(others[o].name)};
            for (std::size_t t = 0; t < trusts.size(); ++t)
                add_mean(row, gather(runs, o, [&](const OpenSetRun& run) { return run.area[p][t]; }), 4);
        }
    }
    return table;
}

/// Drawn are the mistakes: accuracies near 1 would be one flat line.
StudyChart coverage_chart(const std::vector<OpenSetRun>& runs) {
    constexpr double of_so_many = 10'000;
    Chart chart{"Mistakes, if the least trusted answers are not given",
                "share of the images that are answered",
                "wrong answers among 10,000",
                {}};
    for (std::size_t t = 0; t < trusts.size(); ++t) {
        Line line{name_of(trusts[t]), {}, {}};
        for (std::size_t c = 0; c < coverages.size(); ++c) {
            const auto values = gather(runs, c, [&](const OpenSetRun& run) { return run.accuracy[0][t]; });
            const std::optional<double> accuracy = mean(values);
            line.x.push_back(coverages[c]);
            line.y.push_back(accuracy ? of_so_many * (1 - *accuracy)
                                      : std::numeric_limits<double>::quiet_NaN());
        }
        chart.lines.push_back(std::move(line));
    }
    return {"coverage", std::move(chart),
            "Wrong answers among those that are given, if only the most trusted ones are: held-out digits "
            "that the paper's filter keeps, mean over images and seeds. Trust is how well an image is "
            "explained, or how far the best class is ahead."};
}

std::vector<std::string> notes_of(const StudyContext& context, const Digits& digits,
                                  const std::vector<Others>& others) {
    std::vector<std::string> notes = {
        in_words(context, digits),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed. Accuracies are means over "
                    "images. explained: the best class's score, by the number of the image's nodes.",
                    stream_per_class(context))};
    for (const Others& o : others) {
        notes.push_back(fmt::format("{}: {} images, of which {} give an empty network.", o.name,
                                    o.networks.size(), o.empty));
    }
    return notes;
}

StudyResult run(const StudyContext& context) {
    const FrontEndParams front_end = context.make_chosen(context.seeds.front())->front_end();
    const Digits digits = load_digits(context, true);
    const std::vector<Others> others = all_others(context, front_end);
    const std::vector<Network> held_out =
        networks_of(context, digits.held_out_data(), digits.held_out, front_end);
    const std::vector<NetworksByClass> streams = streams_of(context, digits, front_end);
    std::vector<OpenSetRun> runs(context.seeds.size());
    const auto work = [&](std::size_t piece, const Tick& tick) {
        const std::unique_ptr<Learner> learner = context.make_chosen(context.seeds[piece]);
        teach(*learner, digits.classes(), streams[piece], tick);
        const std::unique_ptr<Reader> reader = learner->reader();
        std::vector<Said> outside;
        outside.reserve(others.size());
        for (const Others& o : others) outside.push_back(ask(*reader, o.networks, tick));
        runs[piece] = evaluate(digits, ask(*reader, held_out, tick), outside);
    };
    std::size_t each = (digits.classes().size() * stream_per_class(context)) + held_out.size();
    for (const Others& o : others) each += o.networks.size();
    in_parallel(runs.size(), context.threads, runs.size() * each, work, context.begin("learning"));
    return {.tables = {coverage_table(runs), area_table(runs, others)},
            .notes = notes_of(context, digits, others),
            .charts = {coverage_chart(runs)}};
}

} // namespace

Study study_open_set() {
    return {.name = "open-set",
            .question = "Does it know what it does not know: garments, letters, noise, and its own mistakes?",
            .run = run,
            .minutes = 0.3,
            .also_needs = {"fashion-mnist"}};
}

} // namespace sprig::lab

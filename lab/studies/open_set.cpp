#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/synthetic_images.h"
#include "model/reliability.h"

namespace sprig::lab::studies::open_set {

namespace {

constexpr auto coverages = default_coverages;
constexpr std::size_t noise_images = 2000; ///< of each kind

/// Scores of how far an answer can be trusted.
enum class Trust : std::size_t { fit, margin, known };
constexpr std::array trusts = {Trust::fit, Trust::margin, Trust::known};
const char* name_of(Trust trust) {
    switch (trust) {
    case Trust::fit:
        return "fit";
    case Trust::margin:
        return "margin";
    case Trust::known:
        return "known";
    }
    return "";
}

/// The answers of a model for a set of images: its decisions and their trust, by kind and image.
struct Answers {
    std::array<std::vector<double>, trusts.size()> trust;
    std::vector<std::size_t> decided;
    bool has_fit = true;
    bool has_known = true;

    [[nodiscard]] bool has(Trust kind) const {
        return kind == Trust::fit ? has_fit : kind == Trust::known ? has_known : true;
    }
    [[nodiscard]] const std::vector<double>& of(Trust kind) const {
        return trust[static_cast<std::size_t>(kind)];
    }
};

Answers test(Reader& reader, const std::vector<Network>& networks, const Tick& tick) {
    Answers answers;
    for (const Network& network : networks) {
        tick();
        const Prediction& prediction = reader.predict(network);
        answers.has_fit = answers.has_fit && prediction.fit.has_value();
        answers.trust[0].push_back(prediction.fit.value_or(-std::numeric_limits<double>::infinity()));
        answers.trust[1].push_back(prediction.margin);
        answers.has_known = answers.has_known && prediction.known.has_value();
        answers.trust[2].push_back(prediction.known.value_or(0));
        answers.decided.push_back(prediction.best.value_or(reader.classes().size()));
    }
    return answers;
}

/// Images that are not digits.
struct Others {
    std::string name;
    std::vector<Network> networks;
    std::size_t empty = 0; ///< images with an empty network
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

std::vector<std::size_t> all_of(const Dataset& data) {
    std::vector<std::size_t> images(data.size());
    std::iota(images.begin(), images.end(), std::size_t{0});
    return images;
}

/// Printed letters that do not look like digits.
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

struct TrustedAnswers {
    std::vector<double> trust;
    std::vector<bool> right;
};

TrustedAnswers answers_in(Part part, const ExperimentData& data, const Answers& answers, Trust trust) {
    TrustedAnswers result;
    for (std::size_t i = 0; i < answers.decided.size(); ++i) {
        if (!is_in(part, data, i)) continue;
        result.trust.push_back(answers.of(trust)[i]);
        result.right.push_back(answers.decided[i] == data.held_out_class(i));
    }
    return result;
}

/// How `known` separates and is calibrated, if known and unknown images are equally many.
struct KnownQuality {
    double area = 0;
    double calibration_error = 0;
    double mean_inside = 0;
    double mean_outside = 0;
};

/// The calibration error has the usual bins; an image weighs so that both kinds weigh a half.
KnownQuality quality_of(const std::vector<double>& inside, const std::vector<double>& outside) {
    std::array<double, default_bins> off = {};
    const auto add = [&](const std::vector<double>& values, double truth) {
        const double weight = 0.5 / static_cast<double>(values.size());
        for (const double value : values) {
            const auto bin = static_cast<std::size_t>(value * static_cast<double>(default_bins));
            off[std::min(bin, default_bins - 1)] += weight * (value - truth);
        }
    };
    add(inside, 1);
    add(outside, 0);
    KnownQuality quality{auroc(inside, outside), 0, *mean(inside), *mean(outside)};
    for (const double sum : off) quality.calibration_error += std::abs(sum);
    return quality;
}

/// What was learned and what else was asked, for the table of `known`.
struct KnownCase {
    std::string learned;
    std::string asked;
    KnownQuality quality;
};

/// The result of one seed; values are not set if the learner does not have the score.
struct OpenSetRun {
    /// By part, trust and coverage.
    std::array<std::array<std::optional<std::vector<double>>, trusts.size()>, parts.size()> accuracy;
    /// By part, trust and kind of others.
    std::array<std::array<std::optional<std::vector<double>>, trusts.size()>, parts.size()> area;
    std::vector<KnownCase> known; ///< empty if the learner does not say it
};

OpenSetRun evaluate(const ExperimentData& data, const Answers& inside, const std::vector<Answers>& outside) {
    OpenSetRun run;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t t = 0; t < trusts.size(); ++t) {
            const auto has = [&](const Answers& answers) { return answers.has(trusts[t]); };
            if (!has(inside)) continue;
            const TrustedAnswers digits = answers_in(parts[p], data, inside, trusts[t]);
            run.accuracy[p][t] = accuracy_over_coverage(digits.trust, digits.right, coverages);
            if (!std::ranges::all_of(outside, has)) continue;
            std::vector<double>& areas = run.area[p][t].emplace();
            for (const Answers& others : outside) areas.push_back(auroc(digits.trust, others.of(trusts[t])));
        }
    }
    return run;
}

/// Images of some classes, to learn and to ask about.
struct Classes {
    std::vector<std::string> names;
    NetworksByClass learn;
    NetworksByClass ask;
};

/// Learns some classes, drawn by seed, with this number of samples, and asks about the images of all.
void add_left_out(const StudyContext& context, const Classes& classes, const char* what, std::size_t count,
                  std::size_t per_class, std::uint64_t seed, std::vector<KnownCase>& cases) {
    std::vector<std::size_t> order(classes.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::uint64_t purpose = random::mix("the classes that are learned");
    std::ranges::sort(order, {}, [&](std::size_t c) { return random::mix({seed, purpose, c}); });
    const std::unique_ptr<Learner> learner = context.make_chosen(seed);
    for (std::size_t i = 0; i < per_class; ++i)
        for (const std::size_t c : std::span(order).first(count))
            if (i < classes.learn[c].size()) (void)learner->learn(classes.learn[c][i], classes.names[c]);
    const std::unique_ptr<Reader> reader = learner->reader();
    std::array<std::vector<double>, 2> known; // of the learned classes, of the others
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Network& network : classes.ask[order[i]])
            known[i < count ? 0 : 1].push_back(reader->predict(network).known.value_or(0));
    cases.push_back({fmt::format("{} {}, {} of each", count, what, per_class), fmt::format("other {}", what),
                     quality_of(known[0], known[1])});
}

/// Characters, of which a seed learns those of faces drawn by it.
Classes characters_of(const glyphs::GlyphSet& set, const std::vector<Network>& learn,
                      const std::vector<Network>& ask, std::uint64_t seed) {
    Classes result{set.learn.classes(), NetworksByClass(set.learn.classes().size()),
                   NetworksByClass(set.learn.classes().size())};
    std::vector<std::size_t> order(learn.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return random::mix({seed, i}); });
    for (const std::size_t i : order)
        result.learn[static_cast<std::size_t>(set.learn.label(i))].push_back(learn[i]);
    for (std::size_t i = 0; i < ask.size(); ++i)
        result.ask[static_cast<std::size_t>(set.test.label(i))].push_back(ask[i]);
    return result;
}

/// The values of all seeds at one index.
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

StudyTable coverage_table(const std::vector<OpenSetRun>& runs) {
    StudyTable table{"coverage", "Accuracy of the remaining answers if the least trusted are withheld",
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
    StudyTable table{"auroc", "Separation of held-out digits from other images: area under the ROC curve",
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

StudyTable known_table(const std::vector<OpenSetRun>& runs) {
    StudyTable table{"known",
                     "How likely it is that an image shows a known class",
                     {"learned", "asked", "area", "sd", "calibration error", "sd", "known images", "others"}};
    for (std::size_t i = 0; i < runs.front().known.size(); ++i) {
        const auto of_seeds = [&](double KnownQuality::*value) {
            std::vector<double> values;
            values.reserve(runs.size());
            for (const OpenSetRun& run : runs) values.push_back(run.known[i].quality.*value);
            return values;
        };
        std::vector<Cell>& row = table.rows.emplace_back();
        row = {cell(runs.front().known[i].learned), cell(runs.front().known[i].asked)};
        add_mean(row, of_seeds(&KnownQuality::area), 4);
        add_mean(row, of_seeds(&KnownQuality::calibration_error), 4);
        row.push_back(cell(mean(of_seeds(&KnownQuality::mean_inside)), 3));
        row.push_back(cell(mean(of_seeds(&KnownQuality::mean_outside)), 3));
    }
    return table;
}

/// Shows mistakes: accuracies near 1 would be a flat line.
StudyChart coverage_chart(const std::vector<OpenSetRun>& runs) {
    constexpr double per_images = 10'000;
    Chart chart{"Mistakes if the least trusted answers are withheld",
                "share of the images that are answered",
                "wrong answers among 10,000",
                {}};
    for (std::size_t t = 0; t < trusts.size(); ++t) {
        Line line{name_of(trusts[t]), {}, {}};
        for (std::size_t c = 0; c < coverages.size(); ++c) {
            const auto values = gather(runs, c, [&](const OpenSetRun& run) { return run.accuracy[0][t]; });
            const std::optional<double> accuracy = mean(values);
            line.x.push_back(coverages[c]);
            line.y.push_back(accuracy ? per_images * (1 - *accuracy)
                                      : std::numeric_limits<double>::quiet_NaN());
        }
        chart.lines.push_back(std::move(line));
    }
    return {"coverage", std::move(chart),
            "Wrong answers among the remaining ones if the least trusted are withheld: held-out digits "
            "that the paper's filter keeps, mean over images and seeds. Trust is the fit of the image, the "
            "margin of the best class, or how likely it is that the image shows a known class."};
}

std::vector<std::string> notes_of(const StudyContext& context, const ExperimentData& data,
                                  const std::vector<Others>& others) {
    std::vector<std::string> notes = {
        describe_held_out(data),
        fmt::format("Learned: {} filtered samples of each class, drawn by seed. Accuracies are means over "
                    "images. fit: the score of the best class, divided by the number of nodes of the image.",
                    stream_per_class(context)),
        "The table of known: the area under the ROC curve and the calibration error of known, for all "
        "held-out "
        "digits or characters, as if known and other images were equally many; and the means of known. "
        "Characters are learned in some typefaces and asked about in others."};
    for (const Others& o : others) {
        notes.push_back(fmt::format("{}: {} images, of which {} have an empty network.", o.name,
                                    o.networks.size(), o.empty));
    }
    return notes;
}

StudyResult run(const StudyContext& context) {
    const FrontEndParams front_end = context.make_chosen(context.seeds.front())->front_end();
    const ExperimentData data = load_digits(context, true);
    const std::vector<Others> others = all_others(context, front_end);
    const std::vector<Network> held_out =
        networks_of(context, data.held_out_data(), data.held_out, front_end);
    const glyphs::GlyphSet characters = glyphs::letter_set();
    const std::vector<Network> printed =
        networks_of(context, characters.learn, all_of(characters.learn), front_end);
    const std::vector<Network> printed_new =
        networks_of(context, characters.test, all_of(characters.test), front_end);
    std::vector<OpenSetRun> runs(context.seeds.size());
    const auto work = [&](std::size_t s, const Tick& tick) {
        const std::uint64_t seed = context.seeds[s];
        const std::unique_ptr<Learner> learner = context.make_chosen(seed);
        Classes digits{data.classes(), stream_of(context, data, seed, front_end),
                       NetworksByClass(data.classes().size())};
        teach(*learner, data.classes(), digits.learn, tick);
        const std::unique_ptr<Reader> reader = learner->reader();
        std::vector<Answers> outside;
        outside.reserve(others.size());
        for (const Others& o : others) outside.push_back(test(*reader, o.networks, tick));
        const Answers inside = test(*reader, held_out, tick);
        runs[s] = evaluate(data, inside, outside);
        if (!inside.has_known) return;
        std::vector<KnownCase>& cases = runs[s].known;
        for (std::size_t o = 0; o < others.size(); ++o)
            cases.push_back({fmt::format("10 digits, {} of each", digits.learn.front().size()),
                             others[o].name,
                             quality_of(inside.of(Trust::known), outside[o].of(Trust::known))});
        for (std::size_t i = 0; i < held_out.size(); ++i)
            digits.ask[data.held_out_class(i)].push_back(held_out[i]);
        for (const std::size_t per_class : {1U, 5U, 100U})
            add_left_out(context, digits, "digits", 5, per_class, seed, cases);
        const Classes letters = characters_of(characters, printed, printed_new, seed);
        for (const std::size_t per_class : {1U, 5U})
            add_left_out(context, letters, "characters", 12, per_class, seed, cases);
    };
    std::size_t each = (data.classes().size() * stream_per_class(context)) + held_out.size();
    for (const Others& o : others) each += o.networks.size();
    in_parallel(runs.size(), context.threads, runs.size() * each, work, context.begin("learning"));
    StudyResult result{.tables = {coverage_table(runs), area_table(runs, others)},
                       .notes = notes_of(context, data, others),
                       .charts = {coverage_chart(runs)}};
    if (!runs.front().known.empty()) result.tables.push_back(known_table(runs));
    return result;
}

} // namespace

Study study() {
    return {.name = "open-set",
            .question = "Do its scores detect unknown images (garments, letters, noise) and its own "
                        "mistakes?",
            .run = run,
            .minutes = 0.3,
            .also_needs = {"fashion-mnist"}};
}

} // namespace sprig::lab::studies::open_set

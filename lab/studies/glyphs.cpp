#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab::studies::printed_glyphs {

namespace {

/// The number of training samples of each class.
struct Amount {
    const char* name;
    std::optional<std::size_t> per_class; ///< not set: all
};
constexpr Amount amounts[] = {{"1", 1}, {"8", 8}, {"all", {}}};

std::vector<std::size_t> all_of(const Dataset& data) {
    std::vector<std::size_t> images(data.size());
    std::iota(images.begin(), images.end(), std::size_t{0});
    return images;
}

/// The images that are drawn from `pool` for a seed, in their order: classes are mixed.
std::vector<std::size_t> drawn(const Dataset& data, std::vector<std::size_t> pool, const Amount& amount,
                               std::uint64_t seed) {
    std::vector<std::size_t> images;
    if (amount.per_class) {
        for (const auto& of_class : draw(data, pool, seed, *amount.per_class, 0).stream)
            images.insert(images.end(), of_class.begin(), of_class.end());
    } else {
        images = std::move(pool);
    }
    const std::uint64_t purpose = random::mix("the order of glyphs");
    const auto key = [&](std::size_t i) { return random::mix({seed, purpose, i}); };
    std::ranges::sort(images, {}, key);
    return images;
}

/// For development, this number of the faces to learn from are tested instead; which ones depends on the
/// seed.
constexpr std::size_t development_faces = 3;

/// What is learned and tested for a seed.
struct Split {
    std::vector<std::size_t> learn;
    std::vector<std::size_t> test;
};

Split development_split(const Dataset& data, std::uint64_t seed) {
    const std::size_t in_face = glyphs::letters_and_digits().size(); // images are in order of their faces
    std::vector<std::size_t> faces(data.size() / in_face);
    std::iota(faces.begin(), faces.end(), std::size_t{0});
    const std::uint64_t purpose = random::mix("faces for development");
    std::ranges::sort(faces, {}, [&](std::size_t face) { return random::mix({seed, purpose, face}); });
    Split split;
    for (const std::size_t i : all_of(data)) {
        const auto place = std::ranges::find(faces, i / in_face) - faces.begin();
        (static_cast<std::size_t>(place) < development_faces ? split.test : split.learn).push_back(i);
    }
    return split;
}

/// A test image's class and what it was taken for.
struct Decided {
    std::size_t truth = 0;
    std::size_t best = 0;
};

struct GlyphRun {
    std::size_t samples = 0;
    double plain = 0;
    double balanced = 0;
    ModelSize size;
    std::vector<Decided> decided;
};

/// The images and networks of all runs.
struct Shared {
    glyphs::GlyphSet set;
    bool for_development = false;
    std::vector<Network> learn;
    std::vector<Network> test; ///< none for development

    /// The images and networks that are tested.
    [[nodiscard]] const Dataset& tested() const { return for_development ? set.learn : set.test; }
    [[nodiscard]] const std::vector<Network>& networks() const { return for_development ? learn : test; }

    [[nodiscard]] Split split(std::uint64_t seed) const {
        if (for_development) return development_split(set.learn, seed);
        return {all_of(set.learn), all_of(set.test)};
    }
};

Shared prepare(const StudyContext& context) {
    Shared shared;
    shared.set = glyphs::letter_set();
    shared.for_development = context.held_out == HeldOut::dev;
    const FrontEndParams front_end = context.make_chosen(context.seeds.front())->front_end();
    shared.learn = networks_of(context, shared.set.learn, all_of(shared.set.learn), front_end);
    if (!shared.for_development)
        shared.test = networks_of(context, shared.set.test, all_of(shared.set.test), front_end);
    return shared;
}

GlyphRun run_one(const StudyContext& context, const Shared& shared, const Amount& amount, std::uint64_t seed,
                 const Tick& tick) {
    const std::unique_ptr<Learner> learner = context.make_chosen(seed);
    const std::vector<std::string>& classes = shared.set.learn.classes();
    for (const std::string& label : classes) learner->add_class(label);
    Split split = shared.split(seed);
    split.test.resize(context.limited(split.test.size()));
    std::vector<std::size_t> images = drawn(shared.set.learn, std::move(split.learn), amount, seed);
    images.resize(context.limited(images.size()));
    for (const std::size_t i : images) {
        tick();
        (void)learner->learn(shared.learn[i], shared.set.learn.label_name(i));
    }
    GlyphRun run{images.size(), 0, 0, learner->model_size(), {}};
    const std::unique_ptr<Reader> reader = learner->reader();
    Scores scores = Scores::of_classes(classes.size());
    for (const std::size_t i : split.test) {
        tick();
        const auto truth = static_cast<std::size_t>(shared.tested().label(i));
        const std::size_t best = reader->decide(shared.networks()[i]).best.value_or(classes.size());
        run.decided.push_back({truth, best});
        scores.add(truth, best == truth);
    }
    run.plain = scores.plain();
    run.balanced = scores.balanced();
    return run;
}

std::vector<Cell> row_of(const Amount& amount, std::span<const GlyphRun> runs) {
    const auto numbers = [&](auto get) {
        std::vector<double> values;
        for (const GlyphRun& run : runs) values.push_back(static_cast<double>(get(run)));
        return values;
    };
    std::vector<Cell> row = {cell(std::string(amount.name)), cell(runs.front().samples)};
    add_mean(row, numbers([](const GlyphRun& run) { return run.balanced; }), 4);
    add_mean(row, numbers([](const GlyphRun& run) { return run.plain; }), 4);
    std::vector<ModelSize> sizes;
    for (const GlyphRun& run : runs) sizes.push_back(run.size);
    add_model_sizes(row, sizes);
    return row;
}

/// The most frequent confusions, over all seeds.
StudyTable confusions(const Shared& shared, const Amount& amount, std::span<const GlyphRun> runs) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> counts;
    std::map<std::size_t, std::size_t> images;
    for (const GlyphRun& run : runs) {
        for (const auto& [truth, best] : run.decided) {
            ++images[truth];
            if (best != truth) ++counts[{truth, best}];
        }
    }
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, std::size_t>> most(counts.begin(),
                                                                                  counts.end());
    std::ranges::stable_sort(most, [](const auto& a, const auto& b) { return a.second > b.second; });
    constexpr std::size_t shown = 15;
    most.resize(std::min(most.size(), shown));
    StudyTable table{fmt::format("confusions-{}", amount.name),
                     fmt::format("Most frequent confusions, {} sample{} of each class, all seeds",
                                 amount.name, amount.per_class == 1 ? "" : "s"),
                     {"class", "predicted as", "count", "share of its images"}};
    const std::vector<std::string>& classes = shared.set.learn.classes();
    for (const auto& [pair, times] : most) {
        const double share = static_cast<double>(times) / static_cast<double>(images[pair.first]);
        table.rows.push_back({cell(classes[pair.first]),
                              cell(pair.second < classes.size() ? classes[pair.second] : "nothing"),
                              cell(times), cell(share, 3)});
    }
    return table;
}

StudyResult run(const StudyContext& context) {
    const Shared shared = prepare(context);
    const std::size_t seeds = context.seeds.size();
    std::vector<GlyphRun> runs(std::size(amounts) * seeds);
    const auto work = [&](std::size_t piece, const Tick& tick) {
        runs[piece] = run_one(context, shared, amounts[piece / seeds], context.seeds[piece % seeds], tick);
    };
    const std::size_t ticks = runs.size() * ((shared.learn.size() / 2) + shared.networks().size());
    in_parallel(runs.size(), context.threads, ticks, work, context.begin("learning"));

    StudyResult result;
    result.tables.push_back({"glyphs",
                             "Printed characters in unseen typefaces",
                             {"per class", "samples", "balanced", "sd", "accuracy", "sd"}});
    std::vector<std::string>& header = result.tables.front().header;
    header.insert(header.end(), model_size_header.begin(), model_size_header.end());
    for (std::size_t a = 0; a < std::size(amounts); ++a)
        result.tables.front().rows.push_back(row_of(amounts[a], std::span(runs).subspan(a * seeds, seeds)));
    for (std::size_t a = 1; a < std::size(amounts); ++a)
        result.tables.push_back(confusions(shared, amounts[a], std::span(runs).subspan(a * seeds, seeds)));
    const Split split = shared.split(context.seeds.front());
    result.notes = {fmt::format("{} classes; {} training images, {} test images in other typefaces{}.",
                                shared.set.learn.classes().size(), split.learn.size(), split.test.size(),
                                shared.for_development ? ", which are of the faces to learn from and differ "
                                                         "by seed (dev)"
                                                       : ""),
                    fmt::format("Look-alikes that form one class: {}.", fmt::join(shared.set.merged, ", ")),
                    "A class of several characters has several images in each typeface and therefore more "
                    "weight in the accuracy over images; balanced is the mean over classes."};
    return result;
}

} // namespace

Study study() {
    return {.name = "glyphs",
            .question = "Does it learn printed letters from a few typefaces and recognise them in others?",
            .run = run,
            .test_images = TestImages::own_images_and_dev,
            .minutes = 0.1};
}

} // namespace sprig::lab::studies::printed_glyphs

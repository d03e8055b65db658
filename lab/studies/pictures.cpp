#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/drawn_sources.h"
#include "lab/studies/photographs.h"
#include "sprig/error.h"

namespace sprig::lab::studies::pictures {

namespace {

using photographs::Conditions;
using Paper = Conditions::Paper;

/// Conditions under which photographs are tested.
struct Condition {
    std::string name;
    std::string kind; ///< conditions of one kind differ in strength
    double strength = 0;
    Conditions photograph;
    std::optional<double> bar = {}; ///< the greatest loss of accuracy that is acceptable
};

constexpr double alone = 0.01;    ///< the acceptable loss under one condition
constexpr double together = 0.04; ///< and under all

/// Conditions of one kind, which sets its strength with `set`.
template <class Set>
void add_kind(std::vector<Condition>& conditions, const std::string& kind,
              std::initializer_list<double> strengths, double strength_with_bar, const Set& set) {
    for (const double strength : strengths) {
        Condition& condition = conditions.emplace_back();
        condition.name = fmt::format("{} {}", kind, strength);
        condition.kind = kind;
        condition.strength = strength;
        set(condition.photograph, strength);
        if (strength == strength_with_bar) condition.bar = alone;
    }
}

std::vector<Condition> all_conditions() {
    constexpr double none = -1;
    std::vector<Condition> all = {{"clean", "", 0, {}}};
    add_kind(all, "gradient", {40, 80, 120, 160}, 80, [](Conditions& c, double s) { c.gradient = s; });
    add_kind(all, "shadow", {30, 60, 90, 120}, 60, [](Conditions& c, double s) { c.shadow = s; });
    add_kind(all, "vignette", {40, 80, 120, 160}, none, [](Conditions& c, double s) { c.vignette = s; });
    add_kind(all, "blur %", {0.5, 1, 2, 3}, 1, [](Conditions& c, double s) { c.blur = s; });
    add_kind(all, "noise", {5, 10, 20, 40}, 10, [](Conditions& c, double s) { c.noise = s; });
    add_kind(all, "jpeg", {50, 30, 15, 5}, 30, [](Conditions& c, double s) { c.jpeg = static_cast<int>(s); });
    add_kind(all, "perspective", {4, 8, 12, 15}, 8, [](Conditions& c, double s) { c.perspective = s; });
    add_kind(all, "size", {0.9, 0.3, 0.15, 0.1}, none, [](Conditions& c, double s) { c.size = s; });
    add_kind(all, "ruled", {30, 60, 90}, none, [](Conditions& c, double s) {
        c.paper = Paper::ruled;
        c.lines = s;
    });
    add_kind(all, "squared", {30, 60, 90}, none, [](Conditions& c, double s) {
        c.paper = Paper::squared;
        c.lines = s;
    });
    add_kind(all, "dark border", {0.05, 0.1, 0.15}, none, [](Conditions& c, double s) { c.border = s; });
    Conditions light_on_dark;
    light_on_dark.light_on_dark = true;
    all.push_back({"light on dark", "", 0, light_on_dark, alone});
    light_on_dark.gradient = 80;
    all.push_back({"light on dark, gradient 80", "", 0, light_on_dark});
    light_on_dark.gradient = 0;
    light_on_dark.shadow = 60;
    all.push_back({"light on dark, shadow 60", "", 0, light_on_dark});
    Conditions light;
    light.gradient = 80;
    light.shadow = 60;
    light.blur = 1;
    light.noise = 10;
    light.jpeg = 30;
    all.push_back({"all but perspective", "", 0, light, together});
    light.perspective = 8;
    all.push_back({"all together", "", 0, light, together});
    return all;
}

/// Blank sheets, which have to be refused.
std::vector<Condition> blank_conditions() {
    std::vector<Condition> all = {{"flat", "", 0, {.noise = 0}}};
    all.push_back({"noise 10", "", 0, {.noise = 10}});
    all.push_back({"gradient 80", "", 0, {.gradient = 80, .noise = 5}});
    all.push_back({"shadow 60", "", 0, {.shadow = 60, .noise = 5}});
    all.push_back({"vignette 80", "", 0, {.vignette = 80, .noise = 5}});
    all.push_back({"ruled 30", "", 0, {.noise = 5, .paper = Paper::ruled, .lines = 30}});
    all.push_back({"ruled 60", "", 0, {.noise = 5, .paper = Paper::ruled, .lines = 60}});
    return all;
}
constexpr std::size_t blank_pictures = 10; ///< of each condition and seed

/// How many photographs of one condition were recognised. A refused one was not.
struct Score {
    PictureScore recognised;
    std::size_t refused = 0;
    std::size_t inverted = 0; ///< ink taken for paper
};

/// By condition and source.
using SeedScores = std::vector<std::vector<Score>>;

struct Shared {
    std::vector<Condition> conditions;
    std::vector<DrawnSource> sources;
    std::size_t tested = 0; ///< greatest number of photographs of a source, condition and seed
};

Shared prepare(const StudyContext& context) {
    Shared shared;
    shared.conditions = all_conditions();
    std::size_t classes = std::numeric_limits<std::size_t>::max();
    shared.tested = std::numeric_limits<std::size_t>::max();
    if (context.limit > 0) {
        shared.conditions.resize(context.limited(shared.conditions.size()));
        classes = std::max<std::size_t>(context.limit / 5, 2);
        shared.tested = 1 + (context.limit / 20);
    }
    shared.sources.push_back(printed_characters(classes));
    shared.sources.push_back(handwritten_digits(classes));
    return shared;
}

std::uint64_t photograph_key(const char* purpose, std::uint64_t seed, std::size_t index) {
    return random::mix({random::mix(purpose), seed, index});
}

void teach(PictureLearners& learners, PictureReader& read, const Drawings& drawings, std::uint64_t seed,
           const Tick& tick) {
    std::size_t index = 0;
    for (std::size_t i = 0; i < most_drawn; ++i) {
        for (const Drawing& drawing : drawings.learned[i]) {
            tick();
            const std::uint64_t key = photograph_key("to learn", seed, index++);
            learners.learn(i, read(photographs::photograph(drawing.image, {}, key)), drawing.label);
        }
    }
    learners.make_readers();
}

void test_one(const Picture& picture, const Drawing& drawing, const Condition& condition, PictureReader& read,
              PictureLearners& learners, Score& score) {
    try {
        const Normalised normalised = read.normalised(picture);
        if (normalised.dark_on_light == condition.photograph.light_on_dark) ++score.inverted;
        learners.test(read(normalised.image), drawing.label, score.recognised);
    } catch (const Error&) {
        ++score.refused;
        ++score.recognised.all;
    }
}

SeedScores run_seed(const StudyContext& context, const Shared& shared, std::uint64_t seed, const Tick& tick) {
    SeedScores scores(shared.conditions.size(), std::vector<Score>(shared.sources.size()));
    for (std::size_t s = 0; s < shared.sources.size(); ++s) {
        const Drawings drawings = shared.sources[s].draw(seed);
        PictureLearners learners([&] { return context.make_chosen(seed); }, shared.sources[s].classes);
        PictureReader read(learners.front_end());
        teach(learners, read, drawings, seed, tick);
        const std::size_t tested = std::min(shared.tested, drawings.tested.size());
        for (std::size_t c = 0; c < shared.conditions.size(); ++c) {
            for (std::size_t i = 0; i < tested; ++i) {
                tick();
                // The same key under all conditions: the drawing is at the same place.
                const Picture picture =
                    photographs::photograph(drawings.tested[i].image, shared.conditions[c].photograph,
                                            photograph_key("to test", seed, i));
                test_one(picture, drawings.tested[i], shared.conditions[c], read, learners, scores[c][s]);
            }
        }
    }
    return scores;
}

double share(std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
}

/// Accuracies of one condition.
struct Found {
    std::array<std::array<std::vector<double>, drawn_amounts.size()>, 2> by_seed; ///< by source and amount
    std::vector<double> means;                                                    ///< by seed: of the four
    double refused = 0;
    double inverted = 0;

    [[nodiscard]] double mean() const { return mean_of(means); }
};

Found found_under(std::size_t condition, const std::vector<SeedScores>& seeds) {
    Found found;
    Score all;
    for (const SeedScores& scores : seeds) {
        double sum = 0;
        for (std::size_t s = 0; s < scores[condition].size(); ++s) {
            const Score& score = scores[condition][s];
            for (std::size_t a = 0; a < drawn_amounts.size(); ++a) {
                found.by_seed[s][a].push_back(share(score.recognised.right[a], score.recognised.all));
                sum += found.by_seed[s][a].back();
            }
            all.recognised.all += score.recognised.all;
            all.refused += score.refused;
            all.inverted += score.inverted;
        }
        found.means.push_back(sum / static_cast<double>(scores[condition].size() * drawn_amounts.size()));
    }
    found.refused = share(all.refused, all.recognised.all);
    found.inverted = share(all.inverted, all.recognised.all);
    return found;
}

StudyTable table_of(const Shared& shared, const std::vector<Found>& found) {
    StudyTable table{"pictures", "Accuracy on photographs of drawings, by condition", {"condition"}};
    for (const DrawnSource& source : shared.sources)
        for (const std::size_t amount : drawn_amounts)
            table.header.insert(table.header.end(), {fmt::format("{}, {}", source.name, amount), "sd"});
    table.header.insert(table.header.end(), {"mean", "loss", "refused", "inverted"});
    for (std::size_t c = 0; c < found.size(); ++c) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(shared.conditions[c].name));
        for (const auto& by_amount : found[c].by_seed)
            for (const std::vector<double>& accuracies : by_amount) add_mean(row, accuracies, 3);
        row.push_back(cell(found[c].mean(), 4));
        row.push_back(cell(found.front().mean() - found[c].mean(), 4));
        row.push_back(cell(found[c].refused, 4));
        row.push_back(cell(found[c].inverted, 4));
    }
    return table;
}

StudyTable bars_of(const Shared& shared, const std::vector<Found>& found) {
    StudyTable table{"pictures-bars",
                     "Loss of accuracy against clean photographs, and the greatest that is acceptable",
                     bar_header("condition")};
    for (std::size_t c = 0; c < found.size(); ++c) {
        const std::optional<double> bar = shared.conditions[c].bar;
        if (!bar) continue;
        std::vector<double> losses;
        for (std::size_t i = 0; i < found[c].means.size(); ++i)
            losses.push_back(found.front().means[i] - found[c].means[i]);
        add_bar(table, shared.conditions[c].name, losses, *bar);
    }
    return table;
}

bool is_refused(const Picture& picture) {
    try {
        (void)normalise(picture);
        return false;
    } catch (const Error&) {
        return true;
    }
}

StudyTable blanks_of(const StudyContext& context) {
    StudyTable table{
        "pictures-blank", "Photographs of blank sheets that are refused", {"condition", "refused", "of"}};
    const std::size_t count = context.limited(blank_pictures);
    for (const Condition& condition : blank_conditions()) {
        std::size_t refused = 0;
        for (const std::uint64_t seed : context.seeds) {
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t key = photograph_key("blank", seed, i);
                if (is_refused(photographs::photograph(Image(8, 8), condition.photograph, key))) ++refused;
            }
        }
        table.rows.push_back({cell(condition.name), cell(refused), cell(count * context.seeds.size())});
    }
    return table;
}

/// A line for each kind of condition, from clean to the greatest strength.
StudyChart chart_of(const Shared& shared, const std::vector<Found>& found) {
    Chart chart{"Accuracy by the strength of a condition", "strength (step)", "accuracy", {}};
    for (std::size_t c = 1; c < found.size(); ++c) {
        const Condition& condition = shared.conditions[c];
        if (condition.kind.empty()) continue;
        if (chart.lines.empty() || chart.lines.back().name != condition.kind)
            chart.lines.push_back({condition.kind, {0}, {found.front().mean()}});
        Line& line = chart.lines.back();
        line.x.push_back(static_cast<double>(line.x.size()));
        line.y.push_back(found[c].mean());
    }
    return {"pictures", chart,
            "Mean accuracy over printed characters and digits, with one and five learned samples of each "
            "class. Step 0 is clean; the other steps are the strengths in the table, in its order."};
}

std::vector<std::string> notes(const Shared& shared) {
    return {fmt::format("{} printed characters, learned in five typefaces of eleven and tested in one of ten "
                        "others; the ten digits of mnist:train, two tested of each class and seed. Learned: "
                        "one or five clean photographs of each class.",
                        shared.sources.front().classes.size()),
            fmt::format("Photographs of {} x {} px are made from the drawings: the ink is 0.6 of the shorter "
                        "side unless a size is given, dark (45) on light (225), or light (215) on dark (35).",
                        photographs::picture_width, photographs::picture_height),
            "Gradient, shadow and vignette: fall of the light on the paper in grey levels, across the "
            "picture, beyond an edge near the middle, and towards the corners. Blur: standard deviation in "
            "percent of the ink's longer side. Noise: standard deviation in grey levels. Jpeg: quality. "
            "Perspective: tilt of the camera in degrees, about any axis, at a distance of three widths. "
            "Size: ink in shares of the picture's shorter side. Ruled and squared: contrast of the lines of "
            "the paper in grey levels. Dark border: a table on two sides, in shares of the picture. All: "
            "gradient 80, shadow 60, blur 1, noise 10, jpeg 30, and perspective 8.",
            "Mean: of the four accuracies. Loss: less than the mean of clean photographs. A refused "
            "photograph is not recognised. Inverted: ink was taken for paper."};
}

StudyResult run(const StudyContext& context) {
    const Shared shared = prepare(context);
    std::vector<SeedScores> seeds(context.seeds.size());
    const auto work = [&](std::size_t i, const Tick& tick) {
        seeds[i] = run_seed(context, shared, context.seeds[i], tick);
    };
    std::size_t ticks = 0;
    for (const DrawnSource& source : shared.sources) {
        const std::size_t tested = std::min(shared.tested, source.classes.size());
        ticks += (most_drawn * source.classes.size()) + (tested * shared.conditions.size());
    }
    in_parallel(seeds.size(), context.threads, seeds.size() * ticks, work, context.begin("photographing"));
    std::vector<Found> found;
    for (std::size_t c = 0; c < shared.conditions.size(); ++c) found.push_back(found_under(c, seeds));
    StudyResult result;
    result.tables = {table_of(shared, found), bars_of(shared, found), blanks_of(context)};
    result.charts = {chart_of(shared, found)};
    result.notes = notes(shared);
    return result;
}

} // namespace

Study study() {
    return {.name = "pictures",
            .question =
                "Does it recognise drawings in photographs with shadows, noise, lines and perspective?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 4};
}

} // namespace sprig::lab::studies::pictures

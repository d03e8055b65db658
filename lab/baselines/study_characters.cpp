#include "lab/baselines/study_characters.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/baselines/character_trial.h"
#include "lab/baselines/net.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/protocol/work_items.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using Json = nlohmann::ordered_json;
using lab::Cell;
using lab::cell;

/// Increment when the results change, so that stored results are computed again.
constexpr int trial_version = 2;

/// A number of classes, and what is affordable with it.
struct Size {
    std::size_t classes;
    std::size_t seeds;  ///< the first ones of the chosen seeds
    std::size_t tested; ///< images at most for each seed
};
constexpr Size sizes[] = {{10, 10, 40}, {100, 10, 400}, {1000, 5, 400}, {10'000, 3, 400}};

/// What all work items share.
struct Shared {
    std::vector<CharacterMethod> methods;
    std::vector<Size> sizes;
    glyphs::CharacterClasses classes;
    bool for_development = false;
    bool lacks_networks = false;
};

void choose(Shared& shared, const std::vector<std::string>& names) {
    std::set<std::string> known;
    for (const CharacterMethod& method : shared.methods) known.insert(method.name);
    for (const std::string& name : names) {
        if (!known.contains(name))
            throw usage_error(
                fmt::format("there is no method '{}': the methods are {}", name, fmt::join(known, ", ")));
    }
    if (!names.empty())
        std::erase_if(shared.methods, [&](const CharacterMethod& method) {
            return std::ranges::count(names, method.name) == 0;
        });
    if (has_networks()) return;
    const auto left_out =
        std::erase_if(shared.methods, [](const auto& method) { return method.needs_network; });
    shared.lacks_networks = left_out > 0;
    if (shared.lacks_networks && !names.empty()) throw failed(why_no_networks());
}

Shared prepare(const lab::StudyContext& context) {
    Shared shared;
    shared.methods = character_methods(context);
    choose(shared, context.methods);
    shared.for_development = context.held_out == lab::HeldOut::dev;
    for (Size size : sizes) {
        size.classes = context.limited(size.classes);
        size.tested = context.limited(size.tested);
        if (shared.sizes.empty() || shared.sizes.back().classes < size.classes) shared.sizes.push_back(size);
    }
    std::u32string characters;
    if (context.limit > 0) {
        // Enough to draw from, and quick to compare.
        const auto last = static_cast<char32_t>(glyphs::first_character + (4 * shared.sizes.back().classes));
        characters = glyphs::common_characters(glyphs::character_faces(), last);
    } else {
        characters = glyphs::common_characters(glyphs::character_faces());
    }
    shared.classes = glyphs::character_classes(glyphs::character_faces(), characters);
    return shared;
}

/// One face only, and one seed: more would take too long with this number of classes.
bool is_reduced(const CharacterMethod& method, const Size& size) {
    return size.classes > method.most_classes;
}

lab::CacheKey key_of(const std::string& kind, const lab::StudyContext& context, const Shared& shared,
                     const CharacterMethod& method, const Size& size) {
    Json inputs = {{"version", trial_version},
                   {"method", method.name},
                   {"settings", method.settings},
                   {"classes", size.classes},
                   {"of", shared.classes.characters.size()},
                   {"tested", size.tested},
                   {"held_out", shared.for_development ? "dev" : "other faces"}};
    for (const glyphs::FaceSource& face : glyphs::character_faces()) inputs["faces"].push_back(face.name);
    std::string name = fmt::format("characters/{}-{}-{}", kind, method.name, size.classes);
    if (method.is_own) name += "-" + context.chosen.preset;
    return {name, inputs};
}

CharacterSplit split_of(const Shared& shared, const Size& size, std::uint64_t seed) {
    return character_split(shared.classes, size.classes, size.tested, seed, shared.for_development);
}

/// The seeds that a number of classes is run with.
std::vector<std::uint64_t> seeds_of(const lab::StudyContext& context, const CharacterMethod& method,
                                    const Size& size) {
    std::vector<std::uint64_t> seeds = context.seeds;
    seeds.resize(std::min(seeds.size(), is_reduced(method, size) ? 1 : size.seeds));
    return seeds;
}

lab::WorkItem trial_item(const lab::StudyContext& context, const Shared& shared,
                         const CharacterMethod& method, const Size& size, std::uint64_t seed) {
    const std::size_t faces = is_reduced(method, size) ? 1 : 5;
    const std::size_t lessons = faces * size.classes;
    const std::size_t answers = std::min<std::size_t>(faces, 2) * size.tested;
    const double seconds = (static_cast<double>(lessons) * method.lesson_seconds) +
                           (static_cast<double>(answers * size.classes) * method.answer_seconds_of_class);
    return {key_of("trial", context, shared, method, size), seed, seconds, lessons + answers,
            [&shared, &method, size, seed](const lab::Tick& tick) {
                return run_character_trial(method, split_of(shared, size, seed), is_reduced(method, size),
                                           tick);
            }};
}

lab::WorkItem cost_item(const lab::StudyContext& context, const Shared& shared, const CharacterMethod& method,
                        const Size& size) {
    const std::uint64_t seed = context.seeds.front();
    const double seconds = 5 + (static_cast<double>(size.classes) * method.lesson_seconds);
    return {key_of("cost", context, shared, method, size), seed, seconds, size.classes + 400,
            [&shared, &method, size, seed](const lab::Tick& tick) {
                return measure_character_costs(method, split_of(shared, size, seed), tick);
            }};
}

/// By method and size: the results of all seeds.
using Trials = std::map<std::pair<std::string, std::size_t>, std::vector<Json>>;
using Costs = std::map<std::pair<std::string, std::size_t>, Json>;

Trials run_trials(const lab::StudyContext& context, const Shared& shared) {
    std::vector<lab::WorkItem> items;
    std::vector<std::pair<std::string, std::size_t>> names;
    for (const Size& size : shared.sizes) {
        for (const CharacterMethod& method : shared.methods) {
            for (const std::uint64_t seed : seeds_of(context, method, size)) {
                items.push_back(trial_item(context, shared, method, size, seed));
                names.emplace_back(method.name, size.classes);
            }
        }
    }
    const std::vector<Json> results = lab::compute_items(context, items, "characters");
    Trials trials;
    for (std::size_t i = 0; i < items.size(); ++i) trials[names[i]].push_back(results[i]);
    return trials;
}

Costs measure_costs(lab::StudyContext context, const Shared& shared) {
    context.threads = 1; // the processor time is that of the process
    std::vector<lab::WorkItem> items;
    std::vector<std::pair<std::string, std::size_t>> names;
    for (const Size& size : shared.sizes) {
        for (const CharacterMethod& method : shared.methods) {
            items.push_back(cost_item(context, shared, method, size));
            names.emplace_back(method.name, size.classes);
        }
    }
    const std::vector<Json> results = lab::compute_items(context, items, "costs");
    Costs costs;
    for (std::size_t i = 0; i < items.size(); ++i) costs[names[i]] = results[i];
    return costs;
}

constexpr std::size_t one_face = 0;
constexpr std::size_t all_faces = 1;

/// A value of every seed, if the trial has it.
std::vector<double> values_of(const std::vector<Json>& trials, const char* name, std::size_t faces) {
    std::vector<double> values;
    for (const Json& trial : trials)
        if (faces < trial.at(name).size()) values.push_back(trial[name][faces].get<double>());
    return values;
}

std::optional<double> mean_of(const std::vector<Json>& trials, const char* name, std::size_t faces) {
    return lab::mean(values_of(trials, name, faces));
}

/// Bytes of the model and of stored data for each class.
std::optional<double> kept(const std::vector<Json>& trials, std::size_t faces, std::size_t classes) {
    const auto model = mean_of(trials, "model", faces);
    const auto data = mean_of(trials, "data", faces);
    if (!model || !data) return std::nullopt;
    return (*model + *data) / static_cast<double>(classes);
}

lab::StudyTable accuracy_table(const Shared& shared, const Size& size, const Trials& trials) {
    lab::StudyTable table{fmt::format("characters-{}", size.classes),
                          fmt::format("{} classes, in faces never seen", size.classes),
                          {"method", "one face: first", "sd", "among five", "sd", "five faces: first", "sd",
                           "among five", "sd", "bytes per class: one", "five", "of images", "correct per KB",
                           "seeds", "tested"}};
    for (const CharacterMethod& method : shared.methods) {
        const std::vector<Json>& of_method = trials.at({method.name, size.classes});
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(method.title));
        for (const std::size_t faces : {one_face, all_faces}) {
            for (const char* name : {"top1", "top5"})
                lab::add_mean(row, values_of(of_method, name, faces), 3);
        }
        for (const std::size_t faces : {one_face, all_faces})
            row.push_back(cell(kept(of_method, faces, size.classes), 0));
        const auto data = mean_of(of_method, "data", all_faces);
        row.push_back(
            cell(data ? std::optional(*data / static_cast<double>(size.classes)) : std::nullopt, 0));
        const auto bytes = kept(of_method, all_faces, size.classes);
        const auto first = mean_of(of_method, "top1", all_faces);
        row.push_back(cell(bytes && first ? std::optional(*first * 1024 / *bytes) : std::nullopt, 3));
        row.push_back(cell(of_method.size()));
        row.push_back(cell(of_method.front().at("tests").get<std::size_t>()));
    }
    return table;
}

lab::StudyTable cost_table(const Shared& shared, const Costs& costs) {
    lab::StudyTable table{"characters-costs",
                          "Costs after one sample of each class",
                          {"method", "classes", "lesson (ms)", "of the first row", "answer (ms)",
                           "of the first row", "within 256 units (ms)", "of the first row", "changed",
                           "lesson and first answer (ms)", "bytes per class", "after answers"}};
    for (const CharacterMethod& method : shared.methods) {
        const Json& least = costs.at({method.name, shared.sizes.front().classes});
        for (const Size& size : shared.sizes) {
            const Json& cost = costs.at({method.name, size.classes});
            const auto number = [](const Json& json, const char* name) {
                return json.at(name).get<double>();
            };
            std::vector<Cell>& row = table.rows.emplace_back();
            row.push_back(cell(method.title));
            row.push_back(cell(size.classes));
            for (const char* name : {"lesson", "answer"}) {
                row.push_back(cell(number(cost, name), 3));
                row.push_back(cell(number(cost, name) / number(least, name), 1));
            }
            const auto if_known = [&](const char* name) {
                return cost.contains(name) ? std::optional(number(cost, name)) : std::nullopt;
            };
            const std::optional<double> within = if_known("budget_answer");
            row.push_back(cell(within, 3));
            row.push_back(cell(within ? std::optional(*within / number(least, "answer")) : std::nullopt, 1));
            row.push_back(cell(if_known("changed"), 4));
            row.push_back(cell(number(cost, "first_answer"), 2));
            row.push_back(cell(number(cost, "bytes"), 0));
            row.push_back(cell(number(cost, "bytes_answering"), 0));
        }
    }
    return table;
}

lab::StudyChart cost_chart(const Shared& shared, const Costs& costs, const std::string& value,
                           const std::string& title, const std::string& unit, std::string caption) {
    lab::Chart chart{title, "classes", unit, {}};
    chart.logarithmic_x = chart.logarithmic_y = true;
    for (const CharacterMethod& method : shared.methods) {
        lab::Line& line = chart.lines.emplace_back();
        line.name = method.title;
        line.strong = method.name == "sprig";
        for (const Size& size : shared.sizes) {
            line.x.push_back(static_cast<double>(size.classes));
            line.y.push_back(costs.at({method.name, size.classes}).at(value).get<double>());
        }
    }
    return {"characters-" + value, chart, std::move(caption)};
}

/// Accuracy by what is kept: one point for one face, one for five.
lab::StudyChart size_chart(const Shared& shared, const Trials& trials) {
    const std::size_t classes = shared.sizes.back().classes;
    lab::Chart chart{
        fmt::format("Accuracy by memory, {} classes", classes), "bytes per class", "accuracy", {}};
    chart.logarithmic_x = true;
    for (const CharacterMethod& method : shared.methods) {
        const std::vector<Json>& of_method = trials.at({method.name, classes});
        lab::Line& line = chart.lines.emplace_back();
        line.name = method.title;
        line.strong = method.name == "sprig";
        for (const std::size_t faces : {one_face, all_faces}) {
            const auto bytes = kept(of_method, faces, classes);
            const auto first = mean_of(of_method, "top1", faces);
            if (!bytes || !first) continue;
            line.x.push_back(*bytes);
            line.y.push_back(*first);
        }
    }
    return {
        "characters-memory", chart,
        "What a method must keep to go on learning, and the share of right answers in faces never seen: the "
        "lower point of each line after one face, the upper one after five."};
}

std::vector<lab::StudyChart> charts_of(const Shared& shared, const Costs& costs) {
    return {cost_chart(shared, costs, "answer", "Time of an answer by the number of classes", "ms",
                       "Processor time of an answer, from the image on, after one sample of each class."),
            cost_chart(shared, costs, "lesson", "Time of a lesson by the number of classes", "ms",
                       "Processor time of a lesson, from the image on, after one sample of each class."),
            cost_chart(shared, costs, "bytes", "Memory by the number of classes", "bytes per class",
                       "Bytes in memory for each class after one sample of each.")};
}

/// Sprig's answers, and those of `decide` among them that differ from the first of `predict`.
struct Decisions {
    std::size_t all = 0;
    std::size_t differing = 0;
};

Decisions decisions_of(const Shared& shared, const Trials& trials) {
    Decisions decisions;
    for (const CharacterMethod& method : shared.methods) {
        if (!method.is_own) continue;
        for (const Size& size : shared.sizes) {
            for (const Json& trial : trials.at({method.name, size.classes})) {
                decisions.all += trial.at("tests").get<std::size_t>() * trial.at("top1").size();
                decisions.differing += trial.at("differ").get<std::size_t>();
            }
        }
    }
    return decisions;
}

/// How the tables are read.
constexpr const char* reading_notes[] = {
    ("first: the share of answers that are right; among five: the right one is among the five likeliest. "
     "Each class is learned once in each face, one sample at a time. Bytes per class: what a method must "
     "keep to go on learning, of Sprig its units, packed without loss, and how much of "
     "it are stored images or features (five faces). Correct per KB: the share of right answers divided by "
     "these KB, with five faces. With 10,000 classes, Sprig's first is that of all classes, and its five are "
     "those of the 256 units that are most like the image."),
    ("For print: with directions=2, position_spread=0.5 and displacement_spread=2."),
    ("Costs: processor time of one thread from an image of 84 px on, for the first seed; bytes that the "
     "process has allocated, for each class, after the lessons and after the first answer. They differ from "
     "run to run. Within 256 units: an answer that compares the units that are most like the image only, and "
     "the share of the tested images whose answer is then another one. Lesson and first answer: one lesson, "
     "and one answer with what has to be prepared for it.")};

std::vector<std::string> notes_of(const Shared& shared, const Trials& trials) {
    std::vector<std::string> learned;
    std::vector<std::string> tested;
    for (const glyphs::FaceSource& face : glyphs::character_faces())
        (face.part == glyphs::Part::learn ? learned : tested).emplace_back(face.name);
    std::vector<std::string> merged;
    for (const std::u32string& group : shared.classes.merged) merged.push_back(glyphs::utf8(group));
    std::vector<std::string> notes = {
        fmt::format("{} Chinese characters that all faces have form {} classes; look-alikes that form one "
                    "class: {}. The classes of a seed are drawn from them.",
                    shared.classes.found, shared.classes.characters.size(),
                    merged.empty() ? "none" : fmt::format("{}", fmt::join(merged, ", "))),
        shared.for_development
            ? fmt::format("Development: of the faces {}, those of one origin, which depends on the seed, are "
                          "tested, and the others are learned (\"five faces\" are three or four).",
                          fmt::join(learned, ", "))
            : fmt::format("Learned: {}; the first one depends on the seed. Tested: {}.",
                          fmt::join(learned, ", "), fmt::join(tested, ", "))};
    notes.insert(notes.end(), std::begin(reading_notes), std::end(reading_notes));
    if (const Decisions decisions = decisions_of(shared, trials); decisions.all > 0)
        notes.push_back(
            fmt::format("Of {} decisions of Sprig, {} differ from the first class of its predictions.",
                        decisions.all, decisions.differing));
    if (shared.lacks_networks) notes.push_back("A row is missing: " + why_no_networks() + ".");
    return notes;
}

lab::StudyResult run(const lab::StudyContext& context) {
    const Shared shared = prepare(context);
    const Trials trials = run_trials(context, shared);
    const Costs costs = measure_costs(context, shared);
    lab::StudyResult result;
    for (const Size& size : shared.sizes) result.tables.push_back(accuracy_table(shared, size, trials));
    result.tables.push_back(cost_table(shared, costs));
    result.charts = charts_of(shared, costs);
    result.charts.push_back(size_chart(shared, trials));
    result.notes = notes_of(shared, trials);
    if (const std::size_t count = decisions_of(shared, trials).differing; count > 0)
        result.failure = fmt::format("{} decisions differ from the first class of the prediction", count);
    return result;
}

} // namespace

lab::Study study_characters() {
    return {.name = "characters",
            .question =
                "How accurate and how fast is it with up to ten thousand classes, beside other methods?",
            .run = run,
            .test_images = lab::TestImages::own_images_and_dev,
            .minutes = 30,
            .compares_learners = true,
            .compares_chosen = true,
            .has_methods = true};
}

} // namespace sprig::baselines

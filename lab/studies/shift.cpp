#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/paper_stream.h"
#include "lab/studies/synthetic_images.h"

namespace sprig::lab::studies::shift {

namespace {

constexpr int canvas = 40; ///< 28 px and 6 on each side, so that no ink is lost
/// Every view takes as long as the whole held-out set, so only part of it is tested.
constexpr std::size_t max_held_out = 2000;

constexpr const char* description_of_views =
    "N px: shifted by at most N px in x and in y. N deg: rotated by at most N degrees in either direction, "
    "uniformly, with bilinear interpolation. Thinner and thicker: each pixel becomes the minimum or "
    "maximum of itself and its four neighbours, or half way to it (a bit); a digit that would lose all its "
    "ink is not changed. Noise: Gaussian, with that standard deviation in grey levels of 0 to 255, on the "
    "whole canvas. Specks: that share of all pixels becomes ink or blank with equal probability.";

/// The random key of one image in one view.
std::uint64_t key_of(const std::string& view, std::size_t index) {
    return random::mix({random::mix("shift"), random::mix(view), index});
}

/// Uniform from -reach to reach.
int offset(std::uint64_t key, int reach) {
    return static_cast<int>(std::floor(random::uniform(key) * ((2 * reach) + 1))) - reach;
}

/// A view that changes each image by its own key.
template <class Show>
View drawn(std::string name, Show show) {
    return {name,
            [name, show](ImageView image, std::size_t index) { return show(image, key_of(name, index)); }};
}

View as_they_are() {
    return {"as is", [](ImageView image, std::size_t) { return on_canvas(image, canvas); }};
}

View moved_by(int reach) {
    return drawn(fmt::format("{} px", reach), [reach](ImageView image, std::uint64_t key) {
        return on_canvas(image, canvas, offset(random::mix(key, 0), reach),
                         offset(random::mix(key, 1), reach));
    });
}

View turned_by(int degrees) {
    return drawn(fmt::format("{} deg", degrees), [degrees](ImageView image, std::uint64_t key) {
        const double reach = degrees * std::numbers::pi / 180;
        return rotated(image, reach * ((2 * random::uniform(key)) - 1), false);
    });
}

View with_strokes(std::string name, Image (*change)(ImageView, Step), Step step) {
    return {std::move(name), [change, step](ImageView image, std::size_t) {
                return change(on_canvas(image, canvas).view(), step);
            }};
}

View noisy(int deviation) {
    return drawn(fmt::format("noise {}", deviation), [deviation](ImageView image, std::uint64_t key) {
        return with_noise(on_canvas(image, canvas).view(), deviation, key);
    });
}

View speckled(int percent) {
    return drawn(fmt::format("specks {} %", percent), [percent](ImageView image, std::uint64_t key) {
        return with_specks(on_canvas(image, canvas).view(), percent / 100.0, key);
    });
}

std::vector<View> all_views() {
    return {as_they_are(),
            moved_by(3),
            moved_by(6),
            turned_by(10),
            turned_by(20),
            turned_by(30),
            with_strokes("thinner", thinner, Step::whole),
            with_strokes("a bit thinner", thinner, Step::half),
            with_strokes("a bit thicker", thicker, Step::half),
            with_strokes("thicker", thicker, Step::whole),
            noisy(32),
            noisy(64),
            speckled(1),
            speckled(3)};
}

/// The learners that are compared: as everywhere, with the chosen setting of Constellation.
std::vector<NamedLearner> learners(const StudyContext& context) {
    std::vector<NamedLearner> all = all_learners();
    if (context.chosen.learner == all.back().setting.learner) all.back().setting = context.chosen;
    return all;
}

/// The learners, then other settings of Constellation, the last of them.
std::vector<Variant> all_variants(const StudyContext& context) {
    std::vector<Variant> variants;
    for (const NamedLearner& learner : learners(context))
        variants.push_back({learner.title, learner.setting});
    const LearnerChoice base = variants.back().setting;
    const LearnerChoice fast = {"constellation", "fast"};
    // A resolution needs the frame of the ink. On digits of 28 px this scale is that of the default.
    for (const char* frame : {"image", "centred"}) {
        variants.push_back({fmt::format("frame={}", frame),
                            base.with(Settings{{"frame", frame}, {"resolution", "0"}, {"scale", "3"}})});
    }
    variants.push_back(
        {"position_weight=0 neighbour_weight=1 survivor_weight=1",
         base.with(Settings{{"position_weight", "0"}, {"neighbour_weight", "1"}, {"survivor_weight", "1"}})});
    variants.push_back({"fast", fast});
    return variants;
}

/// Keeps every n-th held-out image, starting with the first. Returns n.
std::size_t thin_out(ExperimentData& data) {
    const std::size_t step = ((data.held_out.size() - 1) / max_held_out) + 1;
    std::size_t left = 0;
    for (std::size_t i = 0; i < data.held_out.size(); i += step, ++left) {
        data.held_out[left] = data.held_out[i];
        data.passes_filter[left] = data.passes_filter[i];
    }
    data.held_out.resize(left);
    data.passes_filter.resize(left);
    return step;
}

struct VariantResults {
    std::vector<Variant> variants;
    std::vector<View> views;
    std::vector<Results> results; ///< by variant
};

double filtered_accuracy(const ViewScores& scores) {
    return scores.filtered.balanced();
}

double plain_accuracy(const ViewScores& scores) {
    return scores.all.plain();
}

/// A row for each view, a column for each variant from `first` to `end`.
StudyTable table_of(const VariantResults& found, std::string name, std::string title, std::size_t first,
                    std::size_t end, double (*accuracy)(const ViewScores&)) {
    StudyTable table{std::move(name), std::move(title), {"view"}};
    for (std::size_t v = first; v < end; ++v)
        table.header.insert(table.header.end(), {found.variants[v].name, "sd"});
    for (std::size_t w = 0; w < found.views.size(); ++w) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(found.views[w].name));
        for (std::size_t v = first; v < end; ++v)
            add_mean(row,
                     over_seeds(found.results[v], [&](const SeedRun& r) { return accuracy(r.views[w]); }), 4);
    }
    return table;
}

/// The number of images in which the paper's front end finds no contour: they cannot be recognised.
std::size_t count_empty(const ExperimentData& data, const View& view) {
    FrontEnd front_end;
    std::size_t count = 0;
    for (std::size_t i = 0; i < data.held_out.size(); ++i) {
        const Image changed = view.change(data.held_out_data().image(data.held_out[i]), i);
        if (front_end.topology(changed.view()).components == 0) ++count;
    }
    return count;
}

std::string describe_empty_images(const ExperimentData& data) {
    std::string counts;
    for (const View& view : data.views) {
        const std::size_t count = count_empty(data, view);
        if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", view.name, count);
    }
    return fmt::format(
        "Images in which the paper's front end finds no contour that is long enough, by view: {}.",
        counts.empty() ? "none" : counts);
}

constexpr const char* filter_note = "The filter was applied to the unchanged digits. Means are over classes "
                                    "unless a table says otherwise.";

std::vector<std::string> notes(const StudyContext& context, const ExperimentData& data, std::size_t step) {
    std::string held_out = describe_held_out(data);
    if (step > 1) held_out += fmt::format(" They are every {}th image of the set.", step);
    return {std::move(held_out),
            fmt::format("Learned: {} filtered samples of each class, drawn by seed, each in the middle of "
                        "an empty {} x {} canvas. The held-out digits are on the same canvas; each is "
                        "changed in the same way for all learners and seeds.",
                        stream_per_class(context), canvas, canvas),
            description_of_views, describe_empty_images(data), filter_note};
}

StudyResult run(const StudyContext& context) {
    const std::vector<Variant> variants = all_variants(context);
    ExperimentData data = load_digits(context, true);
    const std::size_t step = thin_out(data);
    data.learned_view = {fmt::format("on a canvas of {0} x {0} px", canvas), as_they_are().change};
    data.views = all_views();
    const VariantResults found = {variants, data.views, run_variants(context, data, variants)};
    const std::size_t compared = learners(context).size();
    StudyResult result;
    result.tables = {table_of(found, "shift", "Accuracy on held-out digits that were changed after learning",
                              0, compared, filtered_accuracy),
                     table_of(found, "shift-variants", "The same for Constellation with other settings",
                              compared - 1, variants.size(), filtered_accuracy),
                     table_of(found, "shift-all",
                              "The same on all held-out digits, unfiltered: the mean over images", 0,
                              variants.size(), plain_accuracy)};
    result.notes = notes(context, data, step);
    return result;
}

} // namespace

Study study() {
    return {.name = "shift",
            .question =
                "Do the learners recognise digits that are shifted, rotated, thinner, thicker or noisy?",
            .run = run,
            .minutes = 1,
            .compares_learners = true,
            .compares_chosen = true};
}

} // namespace sprig::lab::studies::shift

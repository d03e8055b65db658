#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/made_images.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

constexpr int canvas = 40; ///< 28 px and 6 on either side: no ink is lost
/// Every view costs as much as the held-out set on its own, so only some of it is asked.
constexpr std::size_t most_held_out = 2000;

constexpr const char* views_in_words =
    "px: moved by up to so many in x and in y. deg: turned by up to so many degrees either way, each angle "
    "as likely, bilinearly. Thinner and thicker: each pixel becomes the least or the greatest of it and its "
    "four neighbours, or half way there (a bit); a digit that would lose all its ink stays as it is. Noise: "
    "with that deviation in grey levels of 0 to 255, on the whole canvas. Specks: that share of all pixels "
    "becomes ink or blank, each as likely.";

/// What is drawn for one image of one view.
std::uint64_t key_of(const std::string& view, std::size_t index) {
    return random::mix({random::mix("shift"), random::mix(view), index});
}

/// From -reach to reach, each as likely.
int offset(std::uint64_t key, int reach) {
    return static_cast<int>(std::floor(random::uniform(key) * ((2 * reach) + 1))) - reach;
}

/// A view in which each image is shown by its own key.
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
        return turned(image, reach * ((2 * random::uniform(key)) - 1), false);
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

Views all_views() {
    Views views;
    views.learned = as_they_are().show;
    views.learned_name = fmt::format("on a canvas of {0} x {0} px", canvas);
    views.held_out = {as_they_are(),
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
    return views;
}

/// The learners, and after them what else is asked of Constellation, the last of them.
std::vector<Variant> all_variants() {
    std::vector<Variant> variants;
    for (const Asked& asked : everybody()) variants.push_back({asked.title, asked.setting});
    const LearnerChoice base = variants.back().setting;
    LearnerChoice accurate = base;
    accurate.preset = "accurate";
    variants.push_back({"frame=image", base.with(Settings{{"frame", "image"}})});
    variants.push_back({"frame=centred", base.with(Settings{{"frame", "centred"}})});
    variants.push_back(
        {"position_weight=0 neighbour_weight=1 survivor_weight=1",
         base.with(Settings{{"position_weight", "0"}, {"neighbour_weight", "1"}, {"survivor_weight", "1"}})});
    variants.push_back({"accurate", accurate});
    return variants;
}

/// Keeps every so many held-out images, the first of them included. Returns how many that is.
std::size_t thin_out(Digits& digits) {
    const std::size_t step = ((digits.held_out.size() - 1) / most_held_out) + 1;
    std::size_t left = 0;
    for (std::size_t i = 0; i < digits.held_out.size(); i += step, ++left) {
        digits.held_out[left] = digits.held_out[i];
        digits.typical[left] = digits.typical[i];
    }
    digits.held_out.resize(left);
    digits.typical.resize(left);
    return step;
}

/// What there is to a table.
struct Found {
    std::vector<Variant> variants;
    std::vector<View> views;
    std::vector<std::vector<VariantRun>> runs;
};

/// A row for each view, a column for each variant from `first` to `end`.
StudyTable table_of(const Found& found, std::string name, std::string title, std::size_t first,
                    std::size_t end, double DigitScores::*score) {
    StudyTable table{std::move(name), std::move(title), {"view"}};
    for (std::size_t v = first; v < end; ++v)
        table.header.insert(table.header.end(), {found.variants[v].name, "sd"});
    for (std::size_t w = 0; w < found.views.size(); ++w) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(found.views[w].name));
        for (std::size_t v = first; v < end; ++v)
            add_mean(row, over_seeds(found.runs[v], [&](const VariantRun& r) { return r.scores[w].*score; }),
                     4);
    }
    return table;
}

/// Images in which the paper's front end finds no shape at all: nobody can recognise them.
std::size_t count_unseen(const Digits& digits, const View& view) {
    FrontEnd front_end;
    std::size_t count = 0;
    for (std::size_t i = 0; i < digits.held_out.size(); ++i) {
        const Image shown = view.show(digits.held_out_data().image(digits.held_out[i]), i);
        if (front_end.topology(shown.view()).components == 0) ++count;
    }
    return count;
}

std::string unseen_in_words(const Digits& digits, const std::vector<View>& views) {
    std::string counts;
    for (const View& view : views) {
        const std::size_t count = count_unseen(digits, view);
        if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", view.name, count);
    }
    return fmt::format(
        "Images with nothing left that is long enough to be a shape to the paper's front end, by view: {}.",
        counts.empty() ? "none" : counts);
}

std::vector<std::string> notes(const StudyContext& context, const Digits& digits, std::size_t step,
                               const std::vector<View>& views) {
    std::string held_out = in_words(context, digits);
    if (step > 1) held_out += fmt::format(" They are one in {} of the set, in its order.", step);
    return {std::move(held_out),
            fmt::format("Learned: {} filtered samples of each class, drawn by seed, each in the middle of an "
                        "empty {} x {} canvas. The held-out digits lie on the same canvas, every one changed "
                        "in the same way for all learners and seeds.",
                        stream_per_class(context), canvas, canvas),
            views_in_words, unseen_in_words(digits, views),
            "The filter saw the digits unchanged. Means are over classes unless a table says otherwise."};
}

StudyResult run(const StudyContext& context) {
    const Views views = all_views();
    const std::vector<Variant> variants = all_variants();
    Digits digits = load_digits(context, true);
    const std::size_t step = thin_out(digits);
    const Found found = {variants, views.held_out, run_variants(context, digits, variants, views)};
    const std::size_t learners = everybody().size();
    StudyResult result;
    result.tables = {table_of(found, "shift", "Accuracy on held-out digits that were changed after learning",
                              0, learners, &DigitScores::filtered_balanced),
                     table_of(found, "shift-variants", "The same, of Constellation with other settings",
                              learners - 1, variants.size(), &DigitScores::filtered_balanced),
                     table_of(found, "shift-all",
                              "The same on all held-out digits, unfiltered: the mean over images", 0,
                              variants.size(), &DigitScores::plain)};
    result.notes = notes(context, digits, step, views.held_out);
    return result;
}

} // namespace

Study study_shift() {
    return {.name = "shift",
            .question =
                "Do they recognise digits that are moved, turned, written with another pen, or noisy?",
            .run = run,
            .minutes = 1,
            .is_contest = true};
}

} // namespace sprig::lab

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "lab/made_images.h"
#include "lab/studies.h"
#include "lab/study_variants.h"
#include "random/keyed.h"

namespace sprig::lab {

namespace {

constexpr int canvas = 40; ///< 28 px and 6 on either side: no ink is lost
constexpr std::array<int, 3> reaches = {0, 3, 6};

/// From -reach to reach, each as likely.
int offset(std::uint64_t key, int reach) {
    return static_cast<int>(std::floor(random::uniform(key) * ((2 * reach) + 1))) - reach;
}

View moved_by(int reach) {
    return {fmt::format("{} px", reach), [reach](ImageView image, std::size_t index) {
                const std::uint64_t key =
                    random::mix({random::mix("shift"), static_cast<std::uint64_t>(reach), index});
                return on_canvas(image, canvas, offset(random::mix(key, 0), reach),
                                 offset(random::mix(key, 1), reach));
            }};
}

std::vector<Variant> variants_of(const StudyContext& context) {
    using Settings = std::vector<std::pair<std::string, std::string>>;
    const LearnerSetting& base = context.chosen;
    LearnerSetting accurate = base;
    accurate.preset = "accurate";
    return {
        {"as it is", base},
        {"frame=image", base.with(Settings{{"frame", "image"}})},
        {"frame=centred", base.with(Settings{{"frame", "centred"}})},
        {"position_weight=0 neighbour_weight=1 survivor_weight=1",
         base.with(Settings{{"position_weight", "0"}, {"neighbour_weight", "1"}, {"survivor_weight", "1"}})},
        {"accurate", accurate}};
}

} // namespace

StudyResult study_shift(const StudyContext& context) {
    const std::vector<Variant> variants = variants_of(context);
    Views views;
    views.learned = [](ImageView image, std::size_t) { return on_canvas(image, canvas); };
    views.held_out.clear();
    for (const int reach : reaches) views.held_out.push_back(moved_by(reach));
    const Digits digits = load_digits(context, true);
    const std::vector<std::vector<VariantRun>> runs = run_variants(context, digits, variants, views);
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "shift";
    table.title = "Accuracy on digits that were moved by up to so many px in x and in y";
    table.header = {"setting"};
    for (const char* which : {"", "all "}) {
        for (const View& view : views.held_out) {
            table.header.push_back(which + view.name);
            table.header.emplace_back("sd");
        }
    }
    for (std::size_t v = 0; v < variants.size(); ++v) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(variants[v].name));
        for (std::size_t w = 0; w < reaches.size(); ++w)
            add_mean(row,
                     over_seeds(runs[v], [w](const VariantRun& r) { return r.scores[w].filtered_balanced; }),
                     4);
        for (std::size_t w = 0; w < reaches.size(); ++w)
            add_mean(row, over_seeds(runs[v], [w](const VariantRun& r) { return r.scores[w].plain; }), 4);
    }
    result.notes = {
        in_words(context, digits),
        fmt::format(
            "Learned: {} filtered samples of each class, drawn by seed, each in the middle of an empty "
            "{} x {} canvas; the held-out digits lie on the same canvas, moved, and lose no ink.",
            stream_per_class(context), canvas, canvas),
        "Without 'all': on the filtered held-out images, mean over classes; with it: on all of them, mean "
        "over "
        "images."};
    return result;
}

} // namespace sprig::lab

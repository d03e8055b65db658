#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/report/study.h"
#include "lab/studies/digits.h"
#include "lab/studies/synthetic_images.h"

namespace sprig::lab::studies::poses {

namespace {

/// Characters that differ in any rotation and reflection: not b, d, p and q, or 6 and 9.
constexpr std::array classes = {"4", "8", "A", "B",  "Cc", "D", "E",  "F", "G", "H",  "K",
                                "Q", "R", "T", "Vv", "Xx", "Y", "Zz", "a", "g", "Oo0"};
constexpr std::size_t per_class = 8;

/// The images of these characters.
std::vector<std::size_t> chosen(const Dataset& data) {
    std::vector<std::size_t> images;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (std::ranges::find(classes, data.label_name(i)) != classes.end()) images.push_back(i);
    }
    return images;
}

/// Rotates by a random angle and mirrors with a probability of 1/2.
Image in_any_pose(ImageView image, const char* purpose, std::size_t index) {
    const std::uint64_t key = random::mix({random::mix(purpose), index});
    const double angle = 2 * std::numbers::pi * random::uniform(random::mix(key, 0));
    return rotated(image, angle, random::uniform(random::mix(key, 1)) < 0.5);
}

struct PoseSetting {
    const char* name;
    Settings settings;
    bool free_pose = false;

    [[nodiscard]] LearnerChoice on(const LearnerChoice& chosen) const {
        return free_pose ? with_free_pose(chosen.with(Settings{{"deskew", "false"}})) : chosen.with(settings);
    }
};

std::vector<PoseSetting> pose_settings() {
    return {{"unchanged", {}},
            // The axis would be that of the sheared ink, and the shear depends on the pose.
            {"on its own axis", {{"deskew", "false"}, {"frame", "axis"}}},
            {"and also flipped", {{"deskew", "false"}, {"frame", "axis"}, {"poses", "flips"}}},
            {"free pose", {}, true}};
}

/// Networks of the same characters, upright or in any pose.
struct PoseImages {
    std::vector<Network> learn;
    std::vector<Network> test;
};

double accuracy(const StudyContext& context, const LearnerChoice& setting, const PoseImages& images,
                const glyphs::GlyphSet& set, const std::array<std::vector<std::size_t>, 2>& which,
                std::uint64_t seed, double& units) {
    const std::unique_ptr<Learner> learner = context.make(setting, seed);
    std::vector<std::size_t> order(which[0].size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::uint64_t purpose = random::mix("the order of poses");
    std::ranges::sort(order, {}, [&](std::size_t i) { return random::mix({seed, purpose, i}); });
    std::vector<std::size_t> seen(set.learn.classes().size(), 0);
    for (const std::size_t i : order) {
        const std::string& label = set.learn.label_name(which[0][i]);
        if (seen[static_cast<std::size_t>(set.learn.label(which[0][i]))]++ < per_class)
            (void)learner->learn(images.learn[i], label);
    }
    units += static_cast<double>(learner->model_size().total());
    const std::unique_ptr<Reader> reader = learner->reader();
    Scores scores = Scores::of_classes(set.test.classes().size());
    for (std::size_t i = 0; i < images.test.size(); ++i) {
        const Decision& decision = reader->decide(images.test[i]);
        scores.add(static_cast<std::size_t>(set.test.label(which[1][i])),
                   decision.best && reader->classes()[*decision.best] == set.test.label_name(which[1][i]));
    }
    return scores.balanced();
}

StudyResult run(const StudyContext& context) {
    const glyphs::GlyphSet set = glyphs::letter_set();
    std::array<std::vector<std::size_t>, 2> which = {chosen(set.learn), chosen(set.test)};
    which[1].resize(context.limited(which[1].size()));
    StudyResult result;
    StudyTable& table = result.tables.emplace_back();
    table.name = "poses";
    table.title = "Printed characters, upright or rotated and mirrored";
    table.header = {"setting", "upright", "sd", "units", "any pose", "sd", "units"};
    for (const PoseSetting& pose : pose_settings()) {
        const LearnerChoice setting = pose.on(context.chosen);
        const FrontEndParams front_end = context.make(setting, context.seeds.front())->front_end();
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(std::string(pose.name)));
        for (const bool any : {false, true}) {
            const auto show = [any](const char* purpose) {
                return [any, purpose](ImageView image, std::size_t index) {
                    return any ? in_any_pose(image, purpose, index) : rotated(image, 0, false);
                };
            };
            const PoseImages images = {
                networks_of(context, set.learn, which[0], front_end, show("poses to learn")),
                networks_of(context, set.test, which[1], front_end, show("poses to test"))};
            std::vector<double> accuracies;
            double units = 0;
            for (const std::uint64_t seed : context.seeds)
                accuracies.push_back(accuracy(context, setting, images, set, which, seed, units));
            add_mean(row, accuracies, 4);
            row.push_back(cell(units / static_cast<double>(context.seeds.size()), 1));
        }
    }
    result.notes = {fmt::format("{} characters that differ in any pose, {} samples of each; {} test images "
                                "in other typefaces. Any pose: rotated by a random angle and mirrored with "
                                "a probability of 1/2, both in training and in testing. Mean over classes.",
                                classes.size(), per_class, which[1].size())};
    return result;
}

} // namespace

Study study() {
    return {.name = "poses",
            .question = "Does it recognise shapes that are rotated and mirrored?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.1,
            .only_for = "constellation"};
}

} // namespace sprig::lab::studies::poses

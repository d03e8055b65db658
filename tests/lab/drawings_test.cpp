#include <gmock/gmock.h>

#include "lab/protocol/experiment.h"
#include "lab/studies/drawing_data.h"
#include "lab/studies/studies.h"
#include "lab/studies/synthetic_images.h"
#include "sprig/constellation.h"
#include "sprig/modeller.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StudyContext context_with(std::uint64_t seed) {
    StudyContext context;
    context.make = [](const LearnerChoice& setting, std::uint64_t of) -> std::unique_ptr<Learner> {
        if (setting.learner == "modeller")
            return std::make_unique<Modeller>(modeller_preset(setting.preset), of);
        return std::make_unique<Constellation>(constellation_preset(setting.preset));
    };
    context.seeds = {seed};
    context.limit = 40;
    return context;
}

TEST(DrawingsStudy, HasAllFiguresWithCaptionsAndNumbers) {
    const StudyResult result = study_called("drawings").run(context_with(0));
    std::vector<std::string> files;
    for (const StudyFigure& figure : result.figures) {
        files.push_back(figure.file);
        EXPECT_THAT(figure.svg, HasSubstr("<svg"));
        EXPECT_GT(figure.caption.size(), 100U);
        EXPECT_EQ(figure.caption.back(), '.');
    }
    EXPECT_THAT(files, ElementsAre("schematic.svg", "construction.svg", "correspondence.svg",
                                   "units-modeller.svg", "chains-modeller.svg", "units-constellation.svg"));
    ASSERT_EQ(result.tables.size(), 1U);
    for (const std::string& file : files) {
        const auto is_of = [&](const std::vector<Cell>& row) { return row.front().text + ".svg" == file; };
        EXPECT_GE(std::ranges::count_if(result.tables.front().rows, is_of), 1) << file;
    }
    for (const std::vector<Cell>& row : result.tables.front().rows)
        EXPECT_EQ(row.size(), result.tables.front().header.size());
}

TEST(DrawingsStudy, DependsOnlyOnTheFirstSeed) {
    const auto all_svg = [](const StudyContext& context) {
        std::string all;
        for (const StudyFigure& figure : study_called("drawings").run(context).figures) all += figure.svg;
        return all;
    };
    StudyContext more = context_with(0);
    more.seeds.push_back(7);
    more.threads = 2;
    const std::string once = all_svg(context_with(0));
    EXPECT_EQ(once, all_svg(more));
    EXPECT_NE(once, all_svg(context_with(1)));
}

/// Drawings show the learner's own assignments.
TEST(DrawingsStudy, AssignsNodesAsTheReaderDoes) {
    const StudyContext context = context_with(0);
    const ExperimentData data = load_data({});
    const Protocol protocol = limited({}, context);
    const Draw stream = draw(data.dataset, data.pool, 0, protocol.cycles * protocol.per_block, 20);
    const TrainedModel modeller = train(context, {"modeller", "paper"}, data, stream);
    const std::vector<FoundUnit> units = first_units(modeller);
    EXPECT_GE(units.size(), 4U);
    for (const FoundUnit& found : units) {
        const Match match = match_of(*found.unit, *found.image);
        EXPECT_TRUE(match.full);
        EXPECT_EQ(match.degree, 1);
        EXPECT_EQ(match.placed, found.image->of(*found.unit)->placed);
        EXPECT_EQ(found.image->label, found.unit->label);
    }
    for (const FoundUnit& found : longest_chains(modeller)) {
        const draw::Overlay overlay = overlay_of(found);
        EXPECT_EQ(std::ranges::count(overlay.placed, no_node), 0) << "an anchor has the position of its node";
        EXPECT_GT(overlay.pattern.node_count(), found.unit->own_nodes);
    }
    const std::vector<DrawnMatch> matches = example_matches(modeller);
    ASSERT_GE(matches.size(), 3U);
    EXPECT_TRUE(matches[0].match.full);
    ASSERT_TRUE(matches[1].drawn.ambiguous);
    EXPECT_GE(matches[1].drawn.ambiguous->candidates.size(), 2U);
    EXPECT_FALSE(matches.back().match.full);
}

TEST(Mountain, HasBumpsThatCoarseningRemovesOneByOne) {
    const Network network = FrontEnd()(mountain().view());
    EXPECT_EQ(network.node_count(), 10U);
    EXPECT_EQ(network.level_count(), 5U);
}

} // namespace
} // namespace sprig::lab

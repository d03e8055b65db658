#include "lab/studies/gestures.h"

#include <set>

#include <gmock/gmock.h>

#include "lab/studies/studies.h"
#include "sprig/learners.h"

namespace sprig::lab {
namespace {

TEST(Gestures, AreDrawnDifferentlyEveryTime) {
    EXPECT_EQ(gesture_kinds().size(), 16U);
    std::set<std::vector<std::uint8_t>> images;
    for (std::size_t kind = 0; kind < gesture_kinds().size(); ++kind) {
        for (const std::uint64_t person : {1U, 2U}) {
            for (const std::uint64_t sample : {0U, 1U}) {
                const Gesture gesture{kind, person, sample};
                EXPECT_EQ(gesture.strokes(), gesture.strokes());
                images.insert(render(gesture.strokes()).pixels);
            }
        }
    }
    EXPECT_EQ(images.size(), 64U);
}

TEST(StrokesStudy, ComparesPenWidthsAndPresets) {
    StudyContext context;
    context.make = make_learner;
    context.seeds = {3, 4};
    context.limit = 32;
    const Study& study = study_called("strokes");
    const StudyResult one = study.run(context);
    ASSERT_EQ(one.tables.size(), 1U);
    const StudyTable& table = one.tables.front();
    EXPECT_EQ(table.header.size(), 9U);
    EXPECT_EQ(table.rows.size(), 9U);
    for (const std::vector<Cell>& row : table.rows) {
        ASSERT_EQ(row.size(), table.header.size());
        for (const std::size_t column : {1U, 3U, 5U, 7U}) EXPECT_GT(*row[column].number, 0.3);
        EXPECT_GT(*row[3].number, *row[1].number - 0.1) << "more samples help";
    }
    context.threads = 2;
    const StudyResult two = study.run(context);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        for (std::size_t k = 0; k < table.header.size(); ++k)
            EXPECT_EQ(two.tables.front().rows[i][k].text, table.rows[i][k].text);
    }
}

} // namespace
} // namespace sprig::lab

#include "lab/baselines/study_characters.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "lab/baselines/character_trial.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

using testing::HasSubstr;
using testing::Not;

lab::StudyContext small_context() {
    lab::StudyContext context;
    context.chosen = {"constellation", "fast"};
    context.seeds = {0, 1};
    context.limit = 12;
    context.methods = {"sprig", "pixels", "hog", "hog-large", "lda"};
    return context;
}

/// The cells that are not times.
std::vector<std::vector<std::string>> texts_of(const lab::StudyResult& result) {
    std::vector<std::vector<std::string>> rows;
    for (const lab::StudyTable& table : result.tables) {
        if (table.name == "characters-costs") continue;
        for (const std::vector<lab::Cell>& row : table.rows) {
            std::vector<std::string>& texts = rows.emplace_back();
            for (const lab::Cell& cell : row) texts.push_back(cell.text);
        }
    }
    return rows;
}

TEST(CharactersStudy, RunsAndThreadsChangeNoAnswer) {
    lab::StudyContext context = small_context();
    const lab::StudyResult one = study_characters().run(context);
    ASSERT_EQ(one.tables.size(), 3U); // 10 classes, 12 classes, costs
    for (const lab::StudyTable& table : one.tables) {
        ASSERT_FALSE(table.rows.empty());
        for (const std::vector<lab::Cell>& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
    }
    EXPECT_EQ(one.tables[1].rows.size(), context.methods.size());
    EXPECT_FALSE(one.failure) << *one.failure;
    EXPECT_THAT(one.notes, testing::Contains(HasSubstr(", 0 differ")));
    EXPECT_EQ(one.charts.size(), 4U);
    context.threads = 2;
    EXPECT_EQ(texts_of(study_characters().run(context)), texts_of(one));
}

TEST(CharactersStudy, AnUnknownMethodListsThemAll) {
    lab::StudyContext context = small_context();
    context.methods = {"nonsense"};
    try {
        (void)study_characters().run(context);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        for (const CharacterMethod& method : character_methods(context))
            EXPECT_THAT(error.what(), HasSubstr(method.name));
    }
}

std::set<std::string> origins(const std::vector<glyphs::FaceSource>& faces) {
    std::set<std::string> names;
    for (const glyphs::FaceSource& face : faces) names.insert(face.family);
    return names;
}

glyphs::CharacterClasses some_classes() {
    glyphs::CharacterClasses classes;
    classes.characters = U"一丁七三上下不丑";
    classes.found = classes.characters.size();
    return classes;
}

TEST(CharacterSplit, NoOriginIsLearnedAndTested) {
    for (const bool for_development : {false, true}) {
        std::set<std::string> tested;
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const CharacterSplit split = character_split(some_classes(), 5, 10, seed, for_development);
            const std::set<std::string> learned = origins(split.learned);
            for (const std::string& origin : origins(split.faces)) {
                EXPECT_FALSE(learned.contains(origin)) << origin;
                tested.insert(origin);
            }
            EXPECT_EQ(split.characters.size(), 5U);
            EXPECT_EQ(split.classes.size(), 5U);
            EXPECT_EQ(split.tested.size(), std::min<std::size_t>(10, 5 * split.faces.size()));
            EXPECT_EQ(split.learned.size() == 5, !for_development);
            for (const glyphs::FaceSource& face : split.faces)
                EXPECT_EQ(face.part == glyphs::Part::test, !for_development) << face.name;
        }
        EXPECT_EQ(tested.size(), 3U) << "for development another origin for each seed";
    }
}

TEST(CharacterSplit, IsDrawnBySeed) {
    const CharacterSplit split = character_split(some_classes(), 5, 100, 1, false);
    const CharacterSplit same = character_split(some_classes(), 5, 100, 1, false);
    const CharacterSplit other = character_split(some_classes(), 5, 100, 2, false);
    EXPECT_EQ(split.tested.size(), 5 * split.faces.size()) << "each once";
    EXPECT_EQ(split.characters, same.characters);
    EXPECT_NE(split.characters, other.characters);
}

} // namespace
} // namespace sprig::baselines

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "sprig/constellation.h"
#include "sprig/error.h"
#include "sprig/model.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using testing::HasSubstr;

/// A closed file of a released format, with its digest (after eight MNIST images) and the digest after four
/// more.
struct Released {
    const char* name;
    const char* learner;
    std::uint64_t digest;
    std::uint64_t four_more;
};

class Versions : public testing::TestWithParam<Released> {};
INSTANTIATE_TEST_SUITE_P(
    All, Versions,
    testing::Values(
        Released{"constellation-1", "constellation", 0x563665fb00a5c7c7, 0xab5533fd846162d3},
        Released{"modeller-1", "modeller", 0xaab89d7e1f079d4a, 0x65b9316c00be438},
        Released{"constellation-2", "constellation", 0x563665fb00a5c7c7, 0xab5533fd846162d3},
        Released{"modeller-2", "modeller", 0xaab89d7e1f079d4a, 0x65b9316c00be438},
        // Presets that 0.8.0 had; parameters have been added since.
        Released{"constellation-general", "constellation", 0x89acb30cfa776559, 0x1769b288a385804f},
        Released{"constellation-accurate", "constellation", 0x0aa5bd74ac3d3ecb, 0x1e6b227b4472562e}),
    [](const auto& one) {
        std::string name = one.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

fs::path copy_of(const std::string& name, const TempFolder& folder) {
    fs::path path = folder / "old.sprig";
    fs::copy_file(fs::path(SPRIG_FIXTURES) / (name + ".sprig"), path);
    return path;
}

TEST_P(Versions, LoadsAndContinues) {
    const TempFolder folder;
    const fs::path path = copy_of(GetParam().name, folder);
    EXPECT_NO_THROW(verify_model(path));
    const StoredModel stored = load_model(path);
    EXPECT_EQ(stored.learner->name(), GetParam().learner);
    EXPECT_EQ(stored.learner->digest(), GetParam().digest);
    EXPECT_EQ(stored.facts.lessons, 8U);
    ModelFile file(path);
    const std::uint64_t before = file.learner().digest();
    for (const Lesson& lesson : lessons_for(*stored.learner, 4, 8)) file.learn(lesson.network, lesson.label);
    file.close();
    EXPECT_NO_THROW(verify_model(path));
    EXPECT_EQ(load_model(path).learner->digest(), GetParam().four_more);
    EXPECT_EQ(load_model(path).facts.undoable, std::string_view(GetParam().name).ends_with("1") ? 4U : 12U);
    ModelFile again(path);
    for (int i = 0; i < 4; ++i) again.undo();
    EXPECT_EQ(again.learner().digest(), before);
}

/// A file that names fewer parameters than there are now, and a preset that may be gone.
TEST(Versions, AnOlderModelHasItsParameters) {
    const TempFolder folder;
    const fs::path path = copy_of("constellation-general", folder);
    EXPECT_NO_THROW((void)Model::open(path, {.settings = {{"threshold", "127"},
                                                          {"min_persistence", "1.0"},
                                                          {"slant_damping", "0"},
                                                          {"resolution", "0"},
                                                          {"join_threshold", "2"},
                                                          {"join_growth", "0"}}}));
    EXPECT_NO_THROW((void)Model::open(path, {.preset = "general"}));
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"threshold", "100"}, {"resolution", "84"}, {"join_growth", "1"}, {"nonsense", "1"}})
        EXPECT_THROW((void)Model::open(path, {.settings = {{name, value}}}), Error) << name;
}

TEST(Versions, AnOlderModelIsMergedWithANewOne) {
    const TempFolder folder;
    const fs::path path = copy_of("constellation-general", folder);
    const StoredModel old = load_model(path);
    const auto& learner = dynamic_cast<const Constellation&>(*old.learner);
    Constellation other(learner.params(), learner.front_end());
    const std::vector<Lesson> lessons = lessons_for(other, 1);
    other.learn(lessons.front().network, "another");
    save_model(other, folder / "new.sprig");
    merge_models(path, folder / "new.sprig", folder / "both.sprig");
    EXPECT_EQ(load_model(folder / "both.sprig").learner->digest(), learner.digest() + other.digest());
}

/// The journal of format 1 held values, which are no longer supported.
TEST(Versions, AJournalOfFormat1IsRejectedWithAdvice) {
    for (const char* name : {"constellation-1-killed", "modeller-1-killed"}) {
        const TempFolder folder;
        const fs::path path = copy_of(name, folder);
        const auto refusal = [&](auto act) -> std::string {
            try {
                act();
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::bad_input);
                return error.what();
            }
            return "nothing";
        };
        for (const std::string& message :
             {refusal([&] { (void)load_model(path); }), refusal([&] { ModelFile file(path); })}) {
            EXPECT_THAT(message, HasSubstr("old.sprig"));
            EXPECT_THAT(message, HasSubstr("Sprig 0.6.0"));
        }
    }
}

} // namespace

} // namespace sprig::store_test

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "learner/packing.h"
#include "store/packed.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using store::LoggedLesson;
using store::ModelState;
using testing::HasSubstr;

class Journal : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Learners, Journal, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

std::shared_ptr<const Schema> schema_of(const Learner& learner) {
    return front_end_schema(learner.front_end());
}

TEST_P(Journal, ALessonSurvivesARoundTrip) {
    const auto learner = make_learner(GetParam());
    for (const Lesson& lesson : lessons_for(*learner, 50)) {
        const std::string packed = store::pack_lesson(lesson.network, lesson.label, 99);
        const LoggedLesson back = store::unpack_lesson(packed, schema_of(*learner));
        EXPECT_EQ(back.network, lesson.network);
        EXPECT_EQ(back.label, lesson.label);
        EXPECT_EQ(back.digest, 99U);
    }
}

TEST(JournalContent, ExplicitDisplacementsSurviveARoundTrip) {
    const auto learner = make_learner("modeller");
    Network network = lessons_for(*learner, 1)[0].network;
    const Edge extra{0, static_cast<NodeId>(network.node_count() - 1), 2, 50, 51};
    const std::array<double, 2> by = {0.1, -7};
    network.add_edge(extra, by);
    const std::string packed = store::pack_lesson(network, "x", 0);
    EXPECT_EQ(store::unpack_lesson(packed, schema_of(*learner)).network, network);
}

TEST_P(Journal, EveryFlippedByteAndEveryLengthIsRejected) {
    const auto learner = make_learner(GetParam());
    const std::string packed = store::pack_lesson(lessons_for(*learner, 1)[0].network, "5", 1);
    for (std::size_t at = 0; at < packed.size(); ++at) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
        EXPECT_THROW((void)store::unpack_lesson(damaged, schema_of(*learner)), Error) << at;
        EXPECT_THROW((void)store::unpack_lesson(packed.substr(0, at), schema_of(*learner)), Error) << at;
    }
}

/// The journal holds the input of a lesson, which is smaller than the changed values.
TEST_P(Journal, IsSmallerThanTheChange) {
    ModelState state(make_learner(GetParam()), "");
    std::size_t input = 0;
    std::size_t values = 0;
    for (const Lesson& lesson : lessons_for(*state.learner, 200)) {
        input += store::pack_lesson(lesson.network, lesson.label, 0).size();
        values += store::pack(state.learn(lesson.network, lesson.label).inverse, [](Lineage) {
                      return std::nullopt;
                  }).size();
    }
    EXPECT_LT(input, values);
    EXPECT_EQ(state.storage->restore(state.content())->digest(), state.learner->digest());
}

/// Settings with other learning rules: nodes removed at their first absence, units removed early, poses,
/// means updated by every match, residuals. The stored content must follow the learner in all of them.
TEST(JournalContent, FollowsTheLearnerWithEverySetting) {
    const std::vector<LearnerChoice> choices = {{"constellation", "default", {{"strict", "true"}}},
                                                {"constellation", "default", {{"patience", "1"}}},
                                                {"constellation", "paper-vocabulary"},
                                                {"constellation", "fast"},
                                                {"constellation", "default"},
                                                {"modeller", "paper"},
                                                {"modeller", "paper-literal"}};
    for (const LearnerChoice& choice : choices) {
        SCOPED_TRACE(choice.learner + " " + choice.preset);
        ModelState state(sprig::make_learner(choice, 3), choice.preset);
        std::vector<std::pair<std::uint64_t, store::Delta>> before;
        for (const Lesson& lesson : lessons_for(*state.learner, 100)) {
            const std::uint64_t digest = state.learner->digest();
            before.emplace_back(digest, state.learn(lesson.network, lesson.label).inverse);
        }
        ASSERT_EQ(state.storage->restore(state.content())->digest(), state.learner->digest());
        for (; !before.empty(); before.pop_back()) {
            (void)state.change(std::move(before.back().second));
            ASSERT_EQ(state.learner->digest(), before.back().first) << before.size();
        }
    }
}

/// A file whose program was killed before it wrote the tables.
fs::path killed_file(const TempFolder& folder, const std::string& name, std::size_t lessons) {
    const auto learner = make_learner(name);
    save_model(*learner, folder / "open.sprig");
    ModelFile file(folder / "open.sprig");
    for (const Lesson& lesson : lessons_for(*learner, lessons)) file.learn(lesson.network, lesson.label);
    for (const char* ending : {"", "-wal"})
        fs::copy_file((folder / "open.sprig").string() + ending, (folder / "killed.sprig").string() + ending);
    return folder / "killed.sprig";
}

void execute(const fs::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
}

std::string refusal_of(const fs::path& path) {
    try {
        (void)load_model(path);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "nothing";
}

TEST_P(Journal, IsReplayedWhenTheFileIsOpened) {
    const TempFolder folder;
    const fs::path path = killed_file(folder, GetParam(), 30);
    const auto learner = make_learner(GetParam());
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons_for(*learner, 30));
    const StoredModel seen = load_model(path);
    EXPECT_EQ(seen.learner->digest(), digests.back());
    EXPECT_EQ(seen.facts.lessons, 30U);
    EXPECT_FALSE(seen.events.empty());
    ModelFile file(path);
    EXPECT_EQ(file.learner().digest(), digests.back());
    for (std::size_t i = 1; i <= 20; ++i) {
        file.undo();
        ASSERT_EQ(file.learner().digest(), digests[30 - i]);
    }
}

TEST_P(Journal, OfAnotherMethodIsRejectedWithAdvice) {
    const TempFolder folder;
    const fs::path path = killed_file(folder, GetParam(), 3);
    execute(path, "UPDATE journal SET method = 7 WHERE lesson = 2");
    EXPECT_THAT(refusal_of(path), HasSubstr("holds lessons of method 7 of " + GetParam()));
    EXPECT_THAT(refusal_of(path), HasSubstr("learn one more image into it with sprig "));
}

TEST_P(Journal, WithAnotherResultIsRejected) {
    const TempFolder folder;
    const fs::path path = killed_file(folder, GetParam(), 1);
    const auto learner = make_learner(GetParam());
    const Lesson lesson = lessons_for(*learner, 1)[0];
    std::string other = store::pack_lesson(lesson.network, lesson.label, 12345);
    std::string hex;
    for (const char byte : other) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    execute(path, "UPDATE journal SET content = x'" + hex + "'");
    EXPECT_THAT(refusal_of(path), HasSubstr("has another result here"));
    execute(path, "UPDATE journal SET lesson = 2");
    EXPECT_THAT(refusal_of(path), HasSubstr("a lesson is missing"));
}

/// A malicious inverse must not cause access out of bounds.
TEST_P(Journal, ADamagedInverseIsRejected) {
    ModelState state(make_learner(GetParam()), "");
    store::Delta inverse;
    for (const Lesson& lesson : lessons_for(*state.learner, 12))
        inverse = state.learn(lesson.network, lesson.label).inverse;
    const auto lookup = [&](Lineage lineage) { return state.unit_entry(lineage); };
    const std::string packed = store::pack(inverse, lookup);
    const store::Delta back = store::unpack_delta(packed, lookup);
    EXPECT_EQ(back.classes, inverse.classes);
    EXPECT_EQ(back.units, inverse.units);
    EXPECT_EQ(back.events, inverse.events);
    std::size_t refused = 0;
    for (std::size_t at = 0; at + 8 < packed.size(); ++at) {
        std::string damaged = packed.substr(0, packed.size() - 8);
        damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
        EXPECT_THROW((void)store::unpack_delta(damaged + packed.substr(packed.size() - 8), lookup), Error);
        learner::append_checksum(damaged); // with a valid checksum, damage is detected otherwise, or harmless
        try {
            (void)store::unpack_delta(damaged, lookup);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_input);
            ++refused;
        }
    }
    EXPECT_GT(refused, 0U);
}

} // namespace

} // namespace sprig::store_test

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>

#include "core/keyed.h"
#include "store/database.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using testing::ElementsAre;

class Resume : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Learners, Resume, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

/// Distinct positions in a stream, sorted.
std::vector<std::size_t> random_points(std::size_t count, std::size_t below, std::uint64_t seed) {
    std::vector<std::size_t> points;
    for (std::uint64_t i = 0; points.size() < count; ++i) {
        const auto point = static_cast<std::size_t>(random::mix(seed, i) % below);
        if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
    std::sort(points.begin(), points.end());
    return points;
}

TEST_P(Resume, TenInterruptionsGiveTheSameModel) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    const std::vector<Lesson> lessons = lessons_for(*learner, 400);
    save_model(*learner, folder / "a.sprig", "some");
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons);
    std::size_t at = 0;
    std::vector<std::size_t> stops = random_points(10, lessons.size(), 1);
    stops.push_back(lessons.size());
    for (const std::size_t stop : stops) {
        ModelFile file(folder / "a.sprig");
        EXPECT_EQ(file.lessons(), at);
        for (; at < stop; ++at) file.learn(lessons[at].network, lessons[at].label);
        EXPECT_EQ(file.learner().digest(), digests[at]);
        file.close();
        EXPECT_THAT(names_in(folder.path()), ElementsAre("a.sprig"));
        const StoredModel stored = load_model(folder / "a.sprig");
        EXPECT_EQ(stored.learner->digest(), digests[at]);
        EXPECT_EQ(stored.learner->classes(), [&] {
            const auto again = make_learner(GetParam());
            for (std::size_t i = 0; i < at; ++i) again->add_class(lessons[i].label);
            return again->classes();
        }());
        EXPECT_EQ(stored.facts.preset, "some");
    }
    EXPECT_NO_THROW(verify_model(folder / "a.sprig"));
}

TEST_P(Resume, AConcurrentReaderSeesEveryLesson) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    const std::vector<Lesson> lessons = lessons_for(*learner, 120);
    save_model(*learner, folder / "a.sprig");
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons);
    ModelFile file(folder / "a.sprig");
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        file.learn(lessons[i].network, lessons[i].label);
        const StoredModel seen = load_model(folder / "a.sprig");
        ASSERT_EQ(seen.learner->digest(), digests[i + 1]) << "after lesson " << i + 1;
        EXPECT_EQ(seen.facts.lessons, i + 1);
    }
}

TEST_P(Resume, ASavedModelContinuesAlike) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    const std::vector<Lesson> lessons = lessons_for(*learner, 300);
    const std::vector<Lesson> half(lessons.begin(), lessons.begin() + 150);
    (void)digests_of(*learner, half);
    save_model(*learner, folder / "a.sprig");
    const StoredModel stored = load_model(folder / "a.sprig");
    ASSERT_EQ(stored.learner->digest(), learner->digest());
    for (std::size_t i = half.size(); i < lessons.size(); ++i) {
        learner->learn(lessons[i].network, lessons[i].label);
        stored.learner->learn(lessons[i].network, lessons[i].label);
    }
    EXPECT_EQ(stored.learner->digest(), learner->digest());
}

TEST_P(Resume, UndoRestoresThePreviousState) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    const std::vector<Lesson> lessons = lessons_for(*learner, 60);
    save_model(*learner, folder / "a.sprig");
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons);
    std::size_t at = lessons.size();
    {
        ModelFile file(folder / "a.sprig");
        for (const Lesson& lesson : lessons) file.learn(lesson.network, lesson.label);
        for (int i = 0; i < 5; ++i) {
            file.undo();
            ASSERT_EQ(file.learner().digest(), digests[--at]);
        }
    }
    for (int i = 0; i < 15; ++i) {
        ModelFile file(folder / "a.sprig");
        file.undo();
        ASSERT_EQ(file.learner().digest(), digests[--at]);
    }
    ModelFile file(folder / "a.sprig");
    EXPECT_THROW(file.undo(), Error);
    EXPECT_EQ(file.learner().digest(), digests[at]);
    for (; at < lessons.size(); ++at) file.learn(lessons[at].network, lessons[at].label);
    EXPECT_EQ(file.learner().digest(), digests.back());
}

/// Learning in parts with several threads must not be distinguishable from learning one after the other.
TEST_P(Resume, LearningInThreadsGivesTheSameFile) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    std::vector<Lesson> lessons = lessons_for(*learner, GetParam() == "modeller" ? 150 : 1500);
    for (std::size_t i = 0; i < lessons.size(); i += 3) lessons[i].label += "-third"; // 20 classes
    std::vector<NetworkSample> samples;
    for (const Lesson& lesson : lessons) samples.push_back({&lesson.network, lesson.label});
    save_model(*learner, folder / "0.sprig");
    ModelFile expected(folder / "0.sprig");
    for (const Lesson& lesson : lessons) expected.learn(lesson.network, lesson.label);
    for (const std::size_t threads : {1, 2, 5}) {
        const fs::path path = folder / (std::to_string(threads) + ".sprig");
        save_model(*learner, path);
        ModelFile file(path);
        for (std::size_t at = 0; at < samples.size();) {
            const std::size_t count = std::min(samples.size() - at, (at * 7 % 400) + 1);
            file.learn_all(std::span(samples).subspan(at, count), threads);
            at += count;
            if (at > 1400) { // as after a kill
                EXPECT_EQ(load_model(path).learner->digest(), file.learner().digest());
            }
        }
        EXPECT_EQ(file.learner().digest(), expected.learner().digest());
        EXPECT_EQ(file.learner().classes(), expected.learner().classes());
        EXPECT_EQ(file.lessons(), lessons.size());
        EXPECT_EQ(file.facts().undoable, expected.facts().undoable);
        EXPECT_EQ(file.facts().event_totals, expected.facts().event_totals);
        const std::vector<LoggedEvent> events = file.events();
        const std::vector<LoggedEvent> expected_events = expected.events();
        ASSERT_EQ(events.size(), expected_events.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            EXPECT_EQ(events[i].lesson, expected_events[i].lesson);
            EXPECT_EQ(events[i].event, expected_events[i].event);
        }
        file.close();
        EXPECT_NO_THROW(verify_model(path));
    }
    expected.close();
    // Undo goes back through the same states.
    for (std::size_t i = 0; i < 20; ++i) {
        ModelFile one(folder / "0.sprig");
        ModelFile other(folder / "5.sprig");
        one.undo();
        other.undo();
        ASSERT_EQ(other.learner().digest(), one.learner().digest());
    }
}

TEST(LearningInThreads, RejectsAllSamplesIfOneIsInvalid) {
    const TempFolder folder;
    const auto learner = make_learner("constellation");
    const std::vector<Lesson> lessons = lessons_for(*learner, 3);
    save_model(*learner, folder / "a.sprig");
    ModelFile file(folder / "a.sprig");
    const NetworkSample good{&lessons[0].network, "a"};
    EXPECT_THROW(file.learn_all(std::array{good, NetworkSample{&lessons[1].network, ""}}, 2), Error);
    EXPECT_THROW(file.learn_all(std::array{good, NetworkSample{nullptr, "b"}}, 2), Error);
    EXPECT_EQ(file.lessons(), 0U);
    EXPECT_TRUE(file.learner().classes().empty());
    file.learn_all(std::array{good}, 2);
    EXPECT_EQ(file.lessons(), 1U);
}

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// std::string::find is much slower here, because the first bytes of a part are frequent.
bool contains(const std::string& text, const std::string& part) {
    const std::boyer_moore_horspool_searcher searcher(part.begin(), part.end());
    return std::search(text.begin(), text.end(), searcher) != text.end();
}

void expect_no_lesson_left(const std::string& name, std::size_t count, std::size_t every) {
    const TempFolder folder;
    const auto learner = make_learner(name);
    save_model(*learner, folder / "a.sprig");
    std::vector<std::string> samples;
    {
        ModelFile file(folder / "a.sprig");
        store::Database database(folder / "a.sprig", store::Database::Mode::read);
        store::Statement select(database, "SELECT content FROM journal ORDER BY lesson DESC LIMIT 1");
        for (const Lesson& lesson : lessons_for(*learner, count)) {
            file.learn(lesson.network, lesson.label);
            if (file.lessons() % every != 0) continue;
            ASSERT_TRUE(select.step());
            samples.emplace_back(select.blob(0).substr(select.blob(0).size() / 2, 48));
            select.reset();
        }
        const std::string open = bytes_of(folder / "a.sprig") + bytes_of(folder / "a.sprig-wal");
        for (const std::string& part : samples) ASSERT_TRUE(contains(open, part));
    }
    ASSERT_EQ(samples.size(), count / every);
    const std::string closed = bytes_of(folder / "a.sprig");
    for (const std::string& part : samples) EXPECT_FALSE(contains(closed, part));
}

/// The input of a lesson is in the journal until the file is closed, and nowhere in the file after that.
TEST_P(Resume, AClosedFileHoldsNoLessonInput) {
    expect_no_lesson_left(GetParam(), 40, 1);
    expect_no_lesson_left(GetParam(), 1100, 10); // journal rows are reused, and there is a checkpoint
}

/// Copies an open file as it would be after its program is killed.
void copy_as_killed(const fs::path& open, const fs::path& left) {
    fs::copy_file(open, left);
    fs::copy_file(open.string() + "-wal", left.string() + "-wal");
}

/// Learns `count` lessons and returns the file as after a kill; a.sprig is the same file, closed.
fs::path killed_file(const TempFolder& folder, const std::unique_ptr<Learner>& learner, std::size_t count) {
    save_model(*learner, folder / "a.sprig");
    ModelFile file(folder / "a.sprig");
    for (const Lesson& lesson : lessons_for(*learner, count)) file.learn(lesson.network, lesson.label);
    copy_as_killed(folder / "a.sprig", folder / "left.sprig");
    return folder / "left.sprig";
}

/// A program that is killed right after a checkpoint leaves a journal whose lessons are all in the tables.
TEST_P(Resume, AnOutdatedJournalIsDeletedByTheNextClose) {
    const TempFolder folder;
    const fs::path left = killed_file(folder, make_learner(GetParam()), 1024);
    const auto rows = [&] {
        store::Database database(left, store::Database::Mode::read);
        return database.query_integer("SELECT count(*) FROM journal");
    };
    ASSERT_EQ(rows(), 1024);
    ModelFile(left).close();
    EXPECT_EQ(rows(), 0);
    EXPECT_EQ(load_model(left).learner->digest(), load_model(folder / "a.sprig").learner->digest());
}

TEST_P(Resume, TheErrorForADamagedJournalNamesTheFile) {
    const TempFolder folder;
    const fs::path left = killed_file(folder, make_learner(GetParam()), 3);
    {
        store::Database database(left, store::Database::Mode::write);
        database.run("UPDATE journal SET content = substr(content, 1, length(content) - 1) WHERE lesson = 2");
    }
    const auto refusal_of = [](const auto& open) -> std::string {
        try {
            open();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_input);
            return error.what();
        }
        return "nothing";
    };
    const auto named = testing::AllOf(testing::HasSubstr("left.sprig"), testing::HasSubstr("damaged"));
    EXPECT_THAT(refusal_of([&] { (void)load_model(left); }), named);
    EXPECT_THAT(refusal_of([&] { ModelFile file(left); }), named);
    EXPECT_THAT(refusal_of([&] { merge_models(left, left, folder / "merged.sprig"); }), named);
}

/// Also around the checkpoint after 1,024 lessons.
TEST_P(Resume, UndoDataSurvivesAKill) {
    const TempFolder folder;
    const auto learner = make_learner(GetParam());
    const std::vector<Lesson> lessons = lessons_for(*learner, 1027);
    save_model(*learner, folder / "a.sprig");
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons);
    ModelFile file(folder / "a.sprig");
    for (std::size_t at = 0; at < lessons.size();) {
        file.learn(lessons[at].network, lessons[at].label);
        if (++at < 1023) continue;
        const fs::path left = folder / ("after" + std::to_string(at) + ".sprig");
        copy_as_killed(folder / "a.sprig", left);
        EXPECT_EQ(load_model(left).facts.undoable, 20U);
        ModelFile again(left);
        for (std::size_t i = 1; i <= 20; ++i) {
            ASSERT_NO_THROW(again.undo()) << i << " after lesson " << at;
            ASSERT_EQ(again.learner().digest(), digests[at - i]);
        }
        EXPECT_THROW(again.undo(), Error);
    }
}

} // namespace

} // namespace sprig::store_test

#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/bytes_form.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using store::ModelState;
using testing::ElementsAre;
using testing::HasSubstr;

/// Expects an error of this kind whose message contains `message`.
template <typename Act>
void expect_refusal(ErrorKind kind, const std::string& message, Act act) {
    try {
        act();
        ADD_FAILURE() << "not refused: " << message;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_THAT(error.what(), HasSubstr(message));
    }
}

class Edit : public testing::TestWithParam<std::string> {
  protected:
    /// Makes a file and learns `count` images into it.
    std::unique_ptr<Learner> learn_into(const fs::path& path, std::size_t count, std::size_t from = 0) {
        auto learner = make_learner(GetParam());
        save_model(*learner, path);
        ModelFile file(path);
        for (const Lesson& lesson : lessons_for(*learner, count, from)) {
            learner->learn(lesson.network, lesson.label);
            file.learn(lesson.network, lesson.label);
        }
        file.close();
        return learner;
    }
    static void execute(const fs::path& path, const char* sql) {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }

    TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Learners, Edit, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

TEST_P(Edit, ARenamedClassKeepsItsContent) {
    const auto learner = learn_into(folder_ / "a.sprig", 80);
    const Lesson asked = lessons_for(*learner, 1, 90).front();
    ModelFile file(folder_ / "a.sprig");
    const std::vector<std::string> classes = file.learner().classes();
    expect_refusal(ErrorKind::usage, "no class 'x'", [&] { file.rename_class("x", "y"); });
    expect_refusal(ErrorKind::usage, "already has a class '4'", [&] { file.rename_class("5", "4"); });
    expect_refusal(ErrorKind::usage, "not be empty", [&] { file.rename_class("5", ""); });
    file.rename_class("5", "five");
    std::vector<std::string> renamed = classes;
    std::replace(renamed.begin(), renamed.end(), std::string("5"), std::string("five"));
    EXPECT_EQ(file.learner().classes(), renamed);
    EXPECT_EQ(file.learner().reader()->predict(asked.network).scores,
              learner->reader()->predict(asked.network).scores);
    expect_refusal(ErrorKind::usage, "no lesson that can be undone", [&] { file.undo(); });
    file.learn(asked.network, "five");
    file.close();
    EXPECT_EQ(load_model(folder_ / "a.sprig").learner->classes(), renamed);
}

TEST_P(Edit, TheOldLabelOfARenamedClassCanBeReused) {
    learn_into(folder_ / "a.sprig", 60);
    const auto learner = make_learner(GetParam());
    {
        ModelFile file(folder_ / "a.sprig");
        file.rename_class("0", "zero");
        for (const Lesson& lesson : lessons_for(*learner, 60)) file.learn(lesson.network, lesson.label);
        file.close();
    }
    verify_model(folder_ / "a.sprig");
    const StoredModel stored = load_model(folder_ / "a.sprig");
    EXPECT_THAT(stored.learner->classes(), testing::IsSupersetOf({"0", "zero"}));
}

TEST(Rename, EqualsLearningWithTheNewLabel) {
    const TempFolder folder;
    const auto with_new_label = make_learner("constellation");
    save_model(*with_new_label, folder / "a.sprig");
    {
        ModelFile file(folder / "a.sprig");
        for (const Lesson& lesson : lessons_for(*with_new_label, 60)) {
            file.learn(lesson.network, lesson.label);
            with_new_label->learn(lesson.network, lesson.label == "0" ? "zero" : lesson.label);
        }
        file.rename_class("0", "zero");
        file.close();
    }
    const StoredModel stored = load_model(folder / "a.sprig");
    EXPECT_EQ(stored.learner->digest(), with_new_label->digest());
    // The event log has the new lineages.
    for (const UnitView& unit : stored.learner->units()) {
        EXPECT_TRUE(std::any_of(stored.events.begin(), stored.events.end(), [&](const LoggedEvent& logged) {
            return logged.event.unit == unit.lineage;
        })) << unit.label;
    }
}

TEST_P(Edit, AReaderRollsBackALeftoverJournal) {
    const auto learner = learn_into(folder_ / "a.sprig", 40);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ / "a.sprig").c_str(), &database), SQLITE_OK);
    // With a cache of one page, changes reach the file before the commit, as when a program is killed.
    const char* sql = "PRAGMA cache_size = 1; BEGIN; UPDATE node SET x = x + 1; UPDATE unit SET born = 9";
    ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    fs::copy_file(folder_ / "a.sprig", folder_ / "b.sprig");
    ASSERT_TRUE(fs::exists(folder_ / "a.sprig-journal"));
    fs::copy_file(folder_ / "a.sprig-journal", folder_ / "b.sprig-journal");
    sqlite3_close(database);
    EXPECT_EQ(load_model(folder_ / "b.sprig").learner->digest(), learner->digest());
    EXPECT_FALSE(fs::exists(folder_ / "b.sprig-journal"));
}

TEST_P(Edit, AForgottenClassIsRemovedCompletely) {
    const auto learner = learn_into(folder_ / "a.sprig", 80);
    {
        ModelFile file(folder_ / "a.sprig");
        file.forget_class("4");
        file.close();
    }
    const StoredModel stored = load_model(folder_ / "a.sprig");
    EXPECT_THAT(stored.learner->classes(), testing::Not(testing::Contains("4")));
    for (const UnitView& unit : stored.learner->units()) EXPECT_NE(unit.label, "4");
    EXPECT_EQ(stored.facts.undoable, 0U);
    // The scores of the other classes are unchanged.
    const Lesson asked = lessons_for(*learner, 1, 90).front();
    const auto before = learner->reader();
    const auto after = stored.learner->reader();
    for (std::size_t i = 0; i < after->classes().size(); ++i) {
        const auto at = std::find(before->classes().begin(), before->classes().end(), after->classes()[i]);
        EXPECT_EQ(
            after->predict(asked.network).scores[i],
            before->predict(asked.network).scores[static_cast<std::size_t>(at - before->classes().begin())]);
    }
    // The class can be learned again.
    ModelFile file(folder_ / "a.sprig");
    file.learn(asked.network, "4");
    EXPECT_EQ(file.learner().classes().back(), "4");
}

TEST_P(Edit, AClassCanBeAddedBeforeItsFirstLesson) {
    const auto learner = learn_into(folder_ / "a.sprig", 20);
    ModelFile file(folder_ / "a.sprig");
    file.add_class("nine and a half");
    learner->add_class("nine and a half");
    const Lesson lesson = lessons_for(*learner, 1, 90).front();
    file.learn(lesson.network, "nine and a half");
    learner->learn(lesson.network, "nine and a half");
    file.close();
    EXPECT_EQ(load_model(folder_ / "a.sprig").learner->digest(), learner->digest());
}

TEST_P(Edit, OnlyOneWriterIsAllowed) {
    (void)learn_into(folder_ / "a.sprig", 5);
    {
        ModelFile first(folder_ / "a.sprig");
        expect_refusal(ErrorKind::failed, "is being changed by another program",
                       [&] { ModelFile second(folder_ / "a.sprig"); });
        fs::create_symlink(folder_ / "a.sprig", folder_ / "b.sprig");
        expect_refusal(ErrorKind::failed, "is being changed by another program",
                       [&] { ModelFile second(folder_ / "b.sprig"); });
        fs::remove(folder_ / "b.sprig");
        EXPECT_NO_THROW((void)load_model(folder_ / "a.sprig"));
    }
    expect_refusal(ErrorKind::bad_input, "there is no model file", [&] { ModelFile(folder_ / "c.sprig"); });
    EXPECT_NO_THROW(ModelFile(folder_ / "a.sprig"));
    EXPECT_THAT(names_in(folder_.path()), ElementsAre("a.sprig"));
}

TEST_P(Edit, InvalidFilesAreRejectedWithAReason) {
    const auto open = [&](const char* name) { return [path = folder_ / name] { (void)load_model(path); }; };
    (void)learn_into(folder_ / "a.sprig", 5);
    expect_refusal(ErrorKind::bad_input, "there is no model file", open("b.sprig"));
    expect_refusal(ErrorKind::bad_input, "is not a file", [&] { (void)load_model(folder_.path()); });
    std::ofstream(folder_ / "text.sprig") << std::string(10'000, 'x');
    expect_refusal(ErrorKind::bad_input, "it is not an SQLite file", open("text.sprig"));
    std::ofstream(folder_ / "empty.sprig");
    expect_refusal(ErrorKind::bad_input, "another program", open("empty.sprig"));
    execute(folder_ / "other.sprig", "CREATE TABLE t(x)");
    expect_refusal(ErrorKind::bad_input, "another program", open("other.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "newer.sprig");
    execute(folder_ / "newer.sprig", "PRAGMA user_version = 3");
    expect_refusal(ErrorKind::bad_input, "get a newer sprig", open("newer.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "trigger.sprig");
    execute(folder_ / "trigger.sprig", "CREATE TRIGGER t AFTER INSERT ON unit BEGIN DELETE FROM class; END");
    expect_refusal(ErrorKind::bad_input, "its tables are not those of a model file", open("trigger.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "changed.sprig");
    execute(folder_ / "changed.sprig", "UPDATE node SET x = x + 1 WHERE place = 0");
    expect_refusal(ErrorKind::bad_input, "does not match its digest", open("changed.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "preset.sprig");
    execute(folder_ / "preset.sprig", "UPDATE model SET value = 'x' WHERE key = 'preset'");
    expect_refusal(ErrorKind::bad_input, "does not match its seal", open("preset.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "infinite.sprig");
    execute(folder_ / "infinite.sprig", "UPDATE node SET x = 9e999 WHERE place = 0");
    expect_refusal(ErrorKind::bad_input, "damaged", open("infinite.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "text_in_number.sprig");
    execute(folder_ / "text_in_number.sprig", "UPDATE node SET type = 'x' WHERE place = 0");
    expect_refusal(ErrorKind::bad_input, "a value of another type", open("text_in_number.sprig"));
    fs::copy_file(folder_ / "a.sprig", folder_ / "orphan.sprig");
    execute(folder_ / "orphan.sprig", "DELETE FROM unit WHERE lineage = (SELECT min(lineage) FROM unit)");
    expect_refusal(ErrorKind::bad_input, "belongs to no unit", open("orphan.sprig"));
    expect_refusal(ErrorKind::usage, "already exists",
                   [&] { save_model(*make_learner(GetParam()), folder_ / "a.sprig"); });
    expect_refusal(ErrorKind::usage, "there is no folder",
                   [&] { save_model(*make_learner(GetParam()), folder_ / "no" / "a.sprig"); });
}

/// A program that is killed while it creates a file leaves a temporary folder. The next writer removes it,
/// but not the folder of a running program.
TEST_P(Edit, TheNextWriterRemovesAbandonedFolders) {
    const auto leave = [&](const char* name) {
        fs::create_directories(folder_ / name);
        std::ofstream(folder_ / name / "model.sprig") << "half of it";
    };
    leave(".sprig-new-killed");
    leave(".sprig-new-another-thing"); // not one of our names
    leave(".sprig-new-locked");
    const int locked = open((folder_ / ".sprig-new-locked").c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(flock(locked, LOCK_EX), 0);
    save_model(*make_learner(GetParam()), folder_ / "a.sprig");
    EXPECT_THAT(names_in(folder_.path()),
                ElementsAre(".sprig-new-another-thing", ".sprig-new-locked", "a.sprig"));
    close(locked);
    ModelFile(folder_ / "a.sprig").close();
    EXPECT_THAT(names_in(folder_.path()), ElementsAre(".sprig-new-another-thing", "a.sprig"));
}

TEST(Merge, EqualsLearningBothStreams) {
    const TempFolder folder;
    const auto whole = make_learner("constellation");
    save_model(*whole, folder / "even.sprig");
    save_model(*whole, folder / "odd.sprig");
    {
        ModelFile even(folder / "even.sprig");
        ModelFile odd(folder / "odd.sprig");
        for (const Lesson& lesson : lessons_for(*whole, 100)) {
            whole->learn(lesson.network, lesson.label);
            ((lesson.label.front() - '0') % 2 == 0 ? even : odd).learn(lesson.network, lesson.label);
        }
    }
    merge_models(folder / "even.sprig", folder / "odd.sprig", folder / "both.sprig");
    const StoredModel both = load_model(folder / "both.sprig");
    EXPECT_EQ(both.learner->digest(), whole->digest());
    EXPECT_EQ(both.facts.lessons, 100U);
    expect_refusal(ErrorKind::usage, "both.sprig' both have a class '0'",
                   [&] { merge_models(folder / "even.sprig", folder / "both.sprig", folder / "c.sprig"); });
    EXPECT_FALSE(fs::exists(folder / "c.sprig"));
}

/// The division must never change: shards of different versions are merged.
TEST(Merge, ShardsOfLabelsNeverChange) {
    EXPECT_EQ(shard_of("0", 16), 14U);
    EXPECT_EQ(shard_of("1", 16), 3U);
    EXPECT_EQ(shard_of("star", 1000), 460U);
    EXPECT_EQ(shard_of("\xe5\xad\x97", 1'000'000'007), 254'000'773U);
    EXPECT_EQ(shard_of("anything", 1), 0U);
    EXPECT_THROW((void)shard_of("anything", 0), Error);
}

TEST(Merge, OfManyShardsEqualsOneRun) {
    const TempFolder folder;
    ModelState whole(make_learner("constellation"), "default");
    std::vector<ModelState> shards;
    for (std::size_t i = 0; i < 16; ++i) shards.emplace_back(make_learner("constellation"), "default");
    const std::vector<Lesson> lessons = lessons_for(*whole.learner, 200);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        // 50 classes
        const std::string label = lessons[i].label + std::to_string(i % 5);
        (void)whole.learn(lessons[i].network, label);
        (void)shards[shard_of(label, shards.size())].learn(lessons[i].network, label);
    }
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        paths.push_back(folder / (std::to_string(i) + ".sprig"));
        if (i % 2 == 0) {
            save_model(*shards[i].learner, paths.back(), "default");
        } else {
            write_file_atomically(paths.back(), store::to_bytes(shards[i]));
        }
    }
    merge_models(paths, folder / "all.sprig");
    const StoredModel all = load_model(folder / "all.sprig");
    EXPECT_EQ(all.learner->digest(), whole.learner->digest());
    EXPECT_EQ(all.facts.lessons, lessons.size());
    EXPECT_TRUE(store::to_bytes(ModelState(*all.learner, "default")) == store::to_bytes(whole));
    paths.push_back(paths[3]);
    expect_refusal(ErrorKind::usage, "3.sprig' both have a class",
                   [&] { merge_models(paths, folder / "twice.sprig"); });
    expect_refusal(ErrorKind::usage, "no models",
                   [&] { merge_models(std::span<const fs::path>(), folder / "none.sprig"); });
}

TEST(Merge, IsRejectedIfNotExact) {
    const TempFolder folder;
    save_model(*make_learner("constellation"), folder / "a.sprig");
    save_model(*make_learner("modeller"), folder / "b.sprig");
    save_model(Constellation(constellation_preset("fast")), folder / "c.sprig");
    expect_refusal(ErrorKind::usage, "only models of one learner",
                   [&] { merge_models(folder / "a.sprig", folder / "b.sprig", folder / "d.sprig"); });
    expect_refusal(ErrorKind::usage, "different parameters",
                   [&] { merge_models(folder / "a.sprig", folder / "c.sprig", folder / "d.sprig"); });
}

} // namespace

} // namespace sprig::store_test

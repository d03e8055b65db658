#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/support.h"

namespace sprig::store_test {

namespace {

/// The questions of the document, in its order.
std::vector<std::string> questions() {
    std::ifstream document(SPRIG_FILE_FORMAT);
    std::vector<std::string> lines;
    bool inside = false;
    for (std::string line; std::getline(document, line);) {
        if (inside && line == "```") break;
        if (inside) lines.push_back(line);
        if (line == "```sql") inside = true;
    }
    return lines;
}

/// How many rows a question has; fails the test if it is not understood.
int rows_of(sqlite3* database, const std::string& question) {
    int rows = 0;
    const auto count = [](void* sum, int, char**, char**) {
        ++*static_cast<int*>(sum);
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, question.c_str(), count, &rows, nullptr), SQLITE_OK)
        << question << "\n"
        << sqlite3_errmsg(database);
    return rows;
}

TEST(Views, AnswerTheTenQuestionsOfTheDocument) {
    const std::vector<std::string> all = questions();
    ASSERT_EQ(all.size(), 10U);
    for (const std::string learner : {"constellation", "modeller"}) {
        const TempFolder folder;
        const auto model = make_learner(learner);
        (void)digests_of(*model, lessons_for(*model, 300));
        save_model(*model, folder / "empty.sprig");
        {
            ModelFile file(folder / "empty.sprig");
            for (const Lesson& lesson : lessons_for(*model, 20, 300))
                file.learn(lesson.network, lesson.label);
        }
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder / "empty.sprig").c_str(), &database), SQLITE_OK);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool of_modeller = i >= 7;
            if (i >= 5 && of_modeller != (learner == "modeller")) continue;
            EXPECT_GT(rows_of(database, all[i]), 0) << all[i];
        }
        EXPECT_EQ(rows_of(database, "SELECT * FROM classes"), 10);
        EXPECT_EQ(rows_of(database, "SELECT * FROM units"),
                  static_cast<int>(load_model(folder / "empty.sprig").learner->census().total()));
        EXPECT_EQ(rows_of(database, "SELECT * FROM journal"), 0);
        EXPECT_EQ(rows_of(database, "SELECT * FROM undo"), 20);
        sqlite3_close(database);
    }
}

} // namespace

} // namespace sprig::store_test

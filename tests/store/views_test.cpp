#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/support.h"

namespace sprig::store_test {

namespace {

/// The queries in docs/file-format.md.
std::vector<std::string> queries() {
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

/// The number of rows of a query; fails the test if the query fails.
int rows_of(sqlite3* database, const std::string& query) {
    int rows = 0;
    const auto count = [](void* rows_seen, int, char**, char**) {
        ++*static_cast<int*>(rows_seen);
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, query.c_str(), count, &rows, nullptr), SQLITE_OK)
        << query << "\n"
        << sqlite3_errmsg(database);
    return rows;
}

TEST(Views, AnswerTheTenQueriesOfTheDocument) {
    const std::vector<std::string> all = queries();
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
                  static_cast<int>(load_model(folder / "empty.sprig").learner->model_size().total()));
        EXPECT_EQ(rows_of(database, "SELECT * FROM journal"), 0);
        EXPECT_EQ(rows_of(database, "SELECT * FROM undo"), 20);
        sqlite3_close(database);
    }
}

} // namespace

} // namespace sprig::store_test

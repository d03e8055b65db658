// Greedy and optimal assignment, compared with exhaustive search.

#include "constellation/assignment.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "constellation/unit.h"

namespace sprig::constellation {
namespace {

using Columns = std::vector<std::uint32_t>;

/// The largest sum over all assignments of the rows from `row` on.
double try_all(const GainTable& table, std::uint32_t row, std::vector<bool>& taken) {
    if (row == table.rows) return 0;
    double best = try_all(table, row + 1, taken);
    for (std::uint32_t c = 0; c < table.columns; ++c) {
        if (taken[c]) continue;
        taken[c] = true;
        best = std::max(best, table.at(row, c) + try_all(table, row + 1, taken));
        taken[c] = false;
    }
    return best;
}

double try_all(const GainTable& table) {
    std::vector<bool> taken(table.columns, false);
    return try_all(table, 0, taken);
}

/// Takes the cells by descending gain, then by row and column, if their row and column are free.
Columns greedy_by_sorting(const GainTable& table) {
    std::vector<std::uint32_t> cells(std::size_t{table.rows} * table.columns);
    std::iota(cells.begin(), cells.end(), 0U);
    std::stable_sort(cells.begin(), cells.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return table.gains[a] > table.gains[b]; });
    Columns columns(table.rows, unassigned);
    for (const std::uint32_t cell : cells) {
        const std::uint32_t row = cell / table.columns;
        const std::uint32_t column = cell % table.columns;
        if (table.gains[cell] <= 0 || columns[row] != unassigned) continue;
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns[row] = column;
    }
    return columns;
}

/// Each column at most once, only positive gains, and the right sum.
void expect_valid(const GainTable& table, const Columns& columns, double sum) {
    ASSERT_EQ(columns.size(), table.rows);
    std::vector<bool> taken(table.columns, false);
    double expected = 0;
    for (std::uint32_t r = 0; r < table.rows; ++r) {
        if (columns[r] == unassigned) continue;
        ASSERT_LT(columns[r], table.columns);
        EXPECT_FALSE(taken[columns[r]]) << "a column was assigned twice";
        taken[columns[r]] = true;
        EXPECT_GT(table.at(r, columns[r]), 0) << "not a positive gain";
        expected += table.at(r, columns[r]);
    }
    EXPECT_NEAR(sum, expected, 1e-12 * std::max(1.0, expected));
}

enum class Kind : std::uint8_t { mixed, all_negative, all_positive, few_values, whole_numbers };

GainTable random_table(std::mt19937_64& random, Kind kind, std::uint32_t max_size) {
    GainTable table;
    table.resize(static_cast<std::uint32_t>(random() % (max_size + 1)),
                 static_cast<std::uint32_t>(random() % (max_size + 1)));
    for (double& gain : table.gains) {
        const double fraction = static_cast<double>(random() >> 11U) * 0x1p-53;
        switch (kind) {
        case Kind::mixed:
            gain = (20 * fraction) - 10;
            break;
        case Kind::all_negative:
            gain = -10 * fraction;
            break;
        case Kind::all_positive:
            gain = 10 * fraction;
            break;
        case Kind::few_values:
            gain = static_cast<double>(random() % 3) - 1;
            break;
        case Kind::whole_numbers:
            gain = static_cast<double>(random() % 21) - 10;
            break;
        }
    }
    return table;
}

template <typename Check>
void for_random_tables(Check check) {
    std::mt19937_64 random(3); // NOLINT: a fixed seed
    for (int i = 0; i < 10'000 && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        check(random_table(random, static_cast<Kind>(i % 5), 5));
    }
}

TEST(Assignment, OptimalMatchesExhaustiveSearch) {
    Assigner assigner;
    int greedy_is_worse = 0;
    for_random_tables([&](const GainTable& table) {
        const double sum = assigner.optimal(table);
        expect_valid(table, assigner.columns(), sum);
        EXPECT_NEAR(sum, try_all(table), 1e-12);
        greedy_is_worse += assigner.greedy(table) < sum - 1e-9 ? 1 : 0;
    });
    EXPECT_GT(greedy_is_worse, 500) << "otherwise the test shows nothing";
}

TEST(Assignment, GreedyTakesTheLargestGainFirst) {
    Assigner assigner;
    for_random_tables([&](const GainTable& table) {
        const double best = assigner.optimal(table);
        const double sum = assigner.greedy(table);
        expect_valid(table, assigner.columns(), sum);
        EXPECT_LE(sum, best + 1e-12);
        EXPECT_EQ(assigner.columns(), greedy_by_sorting(table));
    });
}

TEST(Assignment, DoesNotDependOnEarlierTables) {
    Assigner used;
    for_random_tables([&](const GainTable& table) {
        Assigner fresh;
        EXPECT_EQ(used.optimal(table), fresh.optimal(table));
        EXPECT_EQ(used.columns(), fresh.columns());
        EXPECT_EQ(used.greedy(table), fresh.greedy(table));
        EXPECT_EQ(used.columns(), fresh.columns());
    });
}

TEST(Assignment, OptimalSumDoesNotDependOnTheOrderOfALargeTable) {
    std::mt19937_64 random(4); // NOLINT: a fixed seed
    Assigner assigner;
    for (int i = 0; i < 200; ++i) {
        const GainTable table = random_table(random, static_cast<Kind>(i % 5), 40);
        std::vector<std::uint32_t> rows(table.rows);
        std::vector<std::uint32_t> columns(table.columns);
        std::iota(rows.begin(), rows.end(), 0U);
        std::iota(columns.begin(), columns.end(), 0U);
        std::shuffle(rows.begin(), rows.end(), random);
        std::shuffle(columns.begin(), columns.end(), random);
        GainTable shuffled;
        shuffled.resize(table.rows, table.columns);
        GainTable transposed;
        transposed.resize(table.columns, table.rows);
        for (std::uint32_t r = 0; r < table.rows; ++r) {
            for (std::uint32_t c = 0; c < table.columns; ++c) {
                shuffled.at(r, c) = table.at(rows[r], columns[c]);
                transposed.at(c, r) = table.at(r, c);
            }
        }
        const double sum = assigner.optimal(table);
        expect_valid(table, assigner.columns(), sum);
        EXPECT_GE(sum, assigner.greedy(table) - 1e-9);
        EXPECT_NEAR(assigner.optimal(shuffled), sum, 1e-9);
        EXPECT_NEAR(assigner.optimal(transposed), sum, 1e-9);
    }
}

TEST(Assignment, TiesGoToTheFirstRowAndColumn) {
    GainTable table;
    table.resize(2, 3);
    table.gains.assign(6, 1.0);
    Assigner assigner;
    EXPECT_EQ(assigner.greedy(table), 2);
    EXPECT_THAT(assigner.columns(), testing::ElementsAre(0, 1));
    EXPECT_EQ(assigner.optimal(table), 2);
    EXPECT_THAT(assigner.columns(), testing::ElementsAre(0, 1));
}

TEST(Assignment, EmptyTables) {
    Assigner assigner;
    for (const auto& [rows, columns] : {std::pair{0U, 0U}, {0U, 3U}, {3U, 0U}}) {
        GainTable table;
        table.resize(rows, columns);
        EXPECT_EQ(assigner.greedy(table), 0);
        EXPECT_EQ(assigner.columns(), Columns(rows, unassigned));
        EXPECT_EQ(assigner.optimal(table), 0);
        EXPECT_EQ(assigner.columns(), Columns(rows, unassigned));
    }
}

} // namespace
} // namespace sprig::constellation

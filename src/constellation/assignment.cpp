#include "constellation/assignment.h"

#include <algorithm>
#include <limits>

#include "constellation/unit.h"

namespace sprig::constellation {

void GainTable::resize(std::uint32_t row_count, std::uint32_t column_count) {
    rows = row_count;
    columns = column_count;
    gains.resize(std::size_t{rows} * columns);
}

double Assigner::greedy(const GainTable& table) {
    columns_.assign(table.rows, nowhere);
    row_done_.assign(table.rows, false);
    column_done_.assign(table.columns, false);
    double sum = 0;
    while (true) {
        double best = 0;
        std::uint32_t best_row = nowhere;
        std::uint32_t best_column = nowhere;
        for (std::uint32_t r = 0; r < table.rows; ++r) {
            if (row_done_[r]) continue;
            for (std::uint32_t c = 0; c < table.columns; ++c) {
                if (column_done_[c] || table.at(r, c) <= best) continue;
                best = table.at(r, c);
                best_row = r;
                best_column = c;
            }
        }
        if (best_row == nowhere) return sum;
        sum += best;
        columns_[best_row] = best_column;
        row_done_[best_row] = true;
        column_done_[best_column] = true;
    }
}

/// Gives each row the column it gains most by, unless an earlier row has it. If every row gets its best,
/// nothing can be better, and that is so nearly always; otherwise true for those that wait.
bool Assigner::give_each_its_best(const GainTable& table, double& sum) {
    columns_.assign(table.rows, nowhere);
    best_.assign(table.rows, 0.0);
    row_of_.assign(table.columns + table.rows + 1, 0);
    bool all = true;
    sum = 0;
    for (std::uint32_t r = 0; r < table.rows; ++r) {
        double best = 0;
        std::uint32_t column = nowhere;
        for (std::uint32_t c = 0; c < table.columns; ++c) {
            if (table.at(r, c) <= best) continue;
            best = table.at(r, c);
            column = c;
        }
        best_[r] = best;
        if (column == nowhere) continue;
        if (row_of_[column + 1] != 0) {
            all = false;
            continue;
        }
        row_of_[column + 1] = r + 1;
        columns_[r] = column;
        sum += best;
    }
    return all;
}

/// One row more in the Hungarian method: the shortest alternating path to a free column. Column 0 stands for
/// the row itself; behind the table's columns there is one for each row that costs nothing: to be left
/// without.
void Assigner::augment(const GainTable& table, std::uint32_t row) {
    const std::uint32_t width = table.columns + table.rows;
    const auto cost = [&](std::uint32_t r, std::uint32_t c) {
        return c <= table.columns ? -std::max(0.0, table.at(r - 1, c - 1)) : 0.0;
    };
    slack_.assign(width + 1, std::numeric_limits<double>::infinity());
    column_done_.assign(width + 1, false);
    row_of_[0] = row;
    std::uint32_t at = 0;
    while (row_of_[at] != 0) {
        column_done_[at] = true;
        const std::uint32_t from = row_of_[at];
        std::uint32_t next = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t c = 1; c <= width; ++c) {
            if (column_done_[c]) continue;
            const double reduced = cost(from, c) - row_price_[from] - column_price_[c];
            if (reduced < slack_[c]) {
                slack_[c] = reduced;
                came_from_[c] = at;
            }
            if (slack_[c] < least) {
                least = slack_[c];
                next = c;
            }
        }
        for (std::uint32_t c = 0; c <= width; ++c) {
            if (column_done_[c]) {
                row_price_[row_of_[c]] += least;
                column_price_[c] -= least;
            } else {
                slack_[c] -= least;
            }
        }
        at = next;
    }
    for (; at != 0; at = came_from_[at]) row_of_[at] = row_of_[came_from_[at]];
}

double Assigner::optimal(const GainTable& table) {
    double sum = 0;
    if (give_each_its_best(table, sum)) return sum;
    // Prices under which what was given already is the best for everybody; only those who wait are left.
    row_price_.assign(table.rows + 1, 0);
    for (std::uint32_t r = 0; r < table.rows; ++r) row_price_[r + 1] = -best_[r];
    column_price_.assign(table.columns + table.rows + 1, 0);
    came_from_.assign(table.columns + table.rows + 1, 0);
    for (std::uint32_t r = 0; r < table.rows; ++r) {
        if (columns_[r] == nowhere && best_[r] > 0) augment(table, r + 1);
    }
    columns_.assign(table.rows, nowhere);
    for (std::uint32_t c = 1; c <= table.columns; ++c) {
        if (row_of_[c] != 0 && table.at(row_of_[c] - 1, c - 1) > 0) columns_[row_of_[c] - 1] = c - 1;
    }
    sum = 0;
    for (std::uint32_t r = 0; r < table.rows; ++r)
        if (columns_[r] != nowhere) sum += table.at(r, columns_[r]);
    return sum;
}

} // namespace sprig::constellation

#include "constellation/assignment.h"

#include <algorithm>
#include <limits>

#include "constellation/unit.h"

namespace sprig::constellation {

void GainTable::resize(std::uint32_t row_count, std::uint32_t column_count) {
    rows = row_count;
    columns = column_count;
    if (gains.size() < std::size_t{rows} * columns) gains.resize(std::size_t{rows} * columns);
}

double Assigner::greedy(const GainTable& table) {
    columns_.assign(table.rows, unassigned);
    row_done_.assign(table.rows, false);
    column_done_.assign(table.columns, false);
    double sum = 0;
    while (true) {
        double best = 0;
        std::uint32_t best_row = unassigned;
        std::uint32_t best_column = unassigned;
        for (std::uint32_t r = 0; r < table.rows; ++r) {
            if (row_done_[r]) continue;
            for (std::uint32_t c = 0; c < table.columns; ++c) {
                if (column_done_[c] || table.at(r, c) <= best) continue;
                best = table.at(r, c);
                best_row = r;
                best_column = c;
            }
        }
        if (best_row == unassigned) return sum;
        sum += best;
        columns_[best_row] = best_column;
        row_done_[best_row] = true;
        column_done_[best_column] = true;
    }
}

/// Assigns each row its best column unless an earlier row has it. Returns true if every row got its best, in
/// which case the assignment is optimal; this is nearly always so.
bool Assigner::assign_row_maxima(const GainTable& table, double& sum) {
    columns_.assign(table.rows, unassigned);
    best_.assign(table.rows, 0.0);
    row_of_.assign(table.columns + table.rows + 1, 0);
    bool is_optimal = true;
    sum = 0;
    for (std::uint32_t r = 0; r < table.rows; ++r) {
        double best = 0;
        std::uint32_t column = unassigned;
        for (std::uint32_t c = 0; c < table.columns; ++c) {
            if (table.at(r, c) <= best) continue;
            best = table.at(r, c);
            column = c;
        }
        best_[r] = best;
        if (column == unassigned) continue;
        if (row_of_[column + 1] != 0) {
            is_optimal = false;
            continue;
        }
        row_of_[column + 1] = r + 1;
        columns_[r] = column;
        sum += best;
    }
    return is_optimal;
}

/// One step of the Hungarian method: assigns one more row by the shortest alternating path to a free column.
/// Rows and columns are numbered from 1; column 0 is the start of the path. Each row has an additional column
/// of cost 0 after those of the table, which means unassigned.
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
                previous_column_[c] = at;
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
    for (; at != 0; at = previous_column_[at]) row_of_[at] = row_of_[previous_column_[at]];
}

double Assigner::optimal(const GainTable& table) {
    double sum = 0;
    if (assign_row_maxima(table, sum)) return sum;
    // Under these prices the columns assigned so far are optimal. Only the other rows need a path.
    row_price_.assign(table.rows + 1, 0);
    for (std::uint32_t r = 0; r < table.rows; ++r) row_price_[r + 1] = -best_[r];
    column_price_.assign(table.columns + table.rows + 1, 0);
    previous_column_.assign(table.columns + table.rows + 1, 0);
    for (std::uint32_t r = 0; r < table.rows; ++r) {
        if (columns_[r] == unassigned && best_[r] > 0) augment(table, r + 1);
    }
    columns_.assign(table.rows, unassigned);
    for (std::uint32_t c = 1; c <= table.columns; ++c) {
        if (row_of_[c] != 0 && table.at(row_of_[c] - 1, c - 1) > 0) columns_[row_of_[c] - 1] = c - 1;
    }
    sum = 0;
    for (std::uint32_t r = 0; r < table.rows; ++r)
        if (columns_[r] != unassigned) sum += table.at(r, columns_[r]);
    return sum;
}

} // namespace sprig::constellation

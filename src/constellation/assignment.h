#pragma once

#include <cstdint>
#include <vector>

namespace sprig::constellation {

/// The gains of an assignment problem. Each row is assigned at most one column and each column at most one
/// row. Only positive gains are worth an assignment.
struct GainTable {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<double> gains; ///< row-major

    void resize(std::uint32_t row_count, std::uint32_t column_count);
    [[nodiscard]] double& at(std::uint32_t row, std::uint32_t column) {
        return gains[(row * columns) + column];
    }
    [[nodiscard]] double at(std::uint32_t row, std::uint32_t column) const {
        return gains[(row * columns) + column];
    }
};

/// Assigns columns to rows and returns the sum of the gains. `columns()` then has the column of each row, or
/// `unassigned`. Ties go to the first row, then to the first column. Reuses its memory.
class Assigner {
  public:
    /// Takes the largest remaining gain until none is positive.
    double greedy(const GainTable& table);
    /// Maximises the sum of the gains.
    double optimal(const GainTable& table);

    [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }

  private:
    bool assign_row_maxima(const GainTable& table, double& sum);
    void augment(const GainTable& table, std::uint32_t row);

    std::vector<std::uint32_t> columns_;
    std::vector<bool> row_done_;
    std::vector<bool> column_done_;
    // For the optimal assignment: the largest gain of each row, the dual prices and the alternating paths.
    std::vector<double> best_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<double> slack_;
    std::vector<std::uint32_t> row_of_;
    std::vector<std::uint32_t> previous_column_;
};

} // namespace sprig::constellation

#pragma once

#include <cstdint>
#include <vector>

namespace sprig::constellation {

/// A small table of gains: each row may be given one column, each column to one row, and a row that gains
/// nothing is better left without.
struct GainTable {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<double> gains; ///< row by row

    void resize(std::uint32_t row_count, std::uint32_t column_count);
    [[nodiscard]] double& at(std::uint32_t row, std::uint32_t column) {
        return gains[(row * columns) + column];
    }
    [[nodiscard]] double at(std::uint32_t row, std::uint32_t column) const {
        return gains[(row * columns) + column];
    }
};

/// Gives columns to rows. Keeps its memory from table to table. All answers are for each row its column or
/// `nowhere`, in `columns()`; the sum of the gains is returned. Among equals the first row, then the first
/// column.
class Assigner {
  public:
    /// The greatest gain first, then the greatest of what is left.
    double greedy(const GainTable& table);
    /// So that the sum is the greatest there is.
    double optimal(const GainTable& table);

    [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }

  private:
    bool give_each_its_best(const GainTable& table, double& sum);
    void augment(const GainTable& table, std::uint32_t row);

    std::vector<std::uint32_t> columns_;
    std::vector<bool> row_done_;
    std::vector<bool> column_done_;
    // For the optimal assignment: each row's best gain, prices of rows and columns, the tree of paths.
    std::vector<double> best_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<double> slack_;
    std::vector<std::uint32_t> row_of_;
    std::vector<std::uint32_t> came_from_;
};

} // namespace sprig::constellation

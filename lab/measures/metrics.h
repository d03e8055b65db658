#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sprig::lab {

/// Accuracies on held-out images along a stream: a[cycle][block][class]. In every cycle block b teaches
/// class b, and a checkpoint is the evaluation after a block. Not every block has one.
class AccuracyMatrix {
  public:
    AccuracyMatrix(std::size_t cycles, std::size_t classes);

    [[nodiscard]] std::size_t cycles() const { return cycles_; }
    [[nodiscard]] std::size_t classes() const { return classes_; }
    /// Throws Error(usage) if the indices are out of range or there is not one accuracy for each class.
    void set(std::size_t cycle, std::size_t block, std::vector<double> by_class);
    /// The accuracies by class after a block; empty if there was no evaluation.
    [[nodiscard]] std::span<const double> at(std::size_t cycle, std::size_t block) const;
    /// Those at the end of a cycle, and of the stream.
    [[nodiscard]] std::span<const double> end_of(std::size_t cycle) const { return at(cycle, classes_ - 1); }
    [[nodiscard]] std::span<const double> last() const { return end_of(cycles_ - 1); }
    /// Whether every block of every cycle was evaluated.
    [[nodiscard]] bool is_complete() const;

  private:
    std::size_t cycles_;
    std::size_t classes_;
    std::vector<std::vector<double>> checkpoints_; ///< by cycle, then block
};

/// The mean; not set if there are no numbers.
[[nodiscard]] std::optional<double> mean(std::span<const double> numbers);
/// The sample standard deviation (n - 1); not set if there are fewer than two numbers.
[[nodiscard]] std::optional<double> deviation(std::span<const double> numbers);

// The measures, each defined once, here; docs/protocol.md describes them. A measure is not set if the
// evaluations that it needs are missing.

/// Accuracy after a block: the mean over classes of each class's accuracy.
[[nodiscard]] std::optional<double> accuracy(const AccuracyMatrix& a, std::size_t cycle, std::size_t block);
[[nodiscard]] std::optional<double> accuracy_at_end_of(const AccuracyMatrix& a, std::size_t cycle);
[[nodiscard]] std::optional<double> final_accuracy(const AccuracyMatrix& a);

/// The early cycles: 0 to 2, or all cycles of a shorter stream.
inline constexpr std::size_t early_cycles = 3;
/// The mean accuracy at the ends of the early cycles.
[[nodiscard]] std::optional<double> early_accuracy(const AccuracyMatrix& a);

/// The paper's within-cycle retention: the share of a class's accuracy right after its block that is left.
struct WithinCycleRetention {
    double end = 0;        ///< at the end of the cycle
    double worst = 0;      ///< at the minimum from its block to the end of the cycle
    std::size_t pairs = 0; ///< of class and cycle in the means
};
/// Over the first `cycles` cycles. A pair counts if the class was above `threshold` right after its block;
/// each ratio is at most 1, so that the gain of one class does not hide the loss of another.
[[nodiscard]] std::optional<WithinCycleRetention>
within_cycle_retention(const AccuracyMatrix& a, std::size_t cycles, double threshold = 0.3);

/// The paper's retention loss: of each class the highest accuracy at any checkpoint minus the final one,
/// mean over classes. Never negative.
[[nodiscard]] std::optional<double> retention_loss(const AccuracyMatrix& a);

/// Average forgetting (Chaudhry and others, 2018), with the blocks as experiences: of each class the highest
/// accuracy at any checkpoint before the last one minus the final one, mean over the classes that the last
/// block did not teach. Negative if the last block improved the others beyond their previous maximum.
[[nodiscard]] std::optional<double> average_forgetting(const AccuracyMatrix& a);

/// Backward transfer (Lopez-Paz and Ranzato, 2017): the final accuracy of each class minus the one right
/// after its first block, mean over the classes that the last block did not teach.
[[nodiscard]] std::optional<double> backward_transfer(const AccuracyMatrix& a);

/// Average anytime accuracy (Caccia and others, 2022): the mean over all checkpoints of the mean accuracy
/// over the classes seen so far.
[[nodiscard]] std::optional<double> anytime_accuracy(const AccuracyMatrix& a);

/// The result of Wilcoxon's signed-rank test of paired numbers, such as two learners' accuracies by seed.
struct SignedRank {
    std::size_t pairs = 0;       ///< that differ; the others are dropped
    std::size_t first_ahead = 0; ///< of them, those in which the first number is greater
    double statistic = 0;        ///< the smaller of the two sums of ranks
    double p = 1;                ///< two-sided, at most 1
};

/// The maximum number of pairs of the exact test.
inline constexpr std::size_t max_signed_pairs = 25;

/// The exact test: equal differences share the mean of their ranks, and p is the share of all sign patterns
/// of just these ranks that are as extreme. Differences are rounded to multiples of 1e-9 before they are
/// compared, so that 0.93 - 0.92 and 0.18 - 0.17 are a tie, and numbers that differ by rounding alone are
/// equal. Throws Error(usage) if the two differ in size, a number is not finite, or more than
/// `max_signed_pairs` pairs differ.
[[nodiscard]] SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second);

} // namespace sprig::lab

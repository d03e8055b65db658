#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sprig::lab {

/// Accuracies on held-out images along a stream: a[cycle][block][class]. In every cycle block b teaches
/// class b, and a checkpoint is the evaluation after a block. Not every block need have one.
class AccuracyMatrix {
  public:
    AccuracyMatrix(std::size_t cycles, std::size_t classes);

    [[nodiscard]] std::size_t cycles() const { return cycles_; }
    [[nodiscard]] std::size_t classes() const { return classes_; }
    /// Throws Error(usage) if the place is not in the matrix or there is not one accuracy for each class.
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

/// The mean of some numbers; none of no numbers.
[[nodiscard]] std::optional<double> mean(std::span<const double> numbers);
/// Their standard deviation as an estimate from a sample (n - 1); none of fewer than two.
[[nodiscard]] std::optional<double> deviation(std::span<const double> numbers);

// The measures. Each has one definition, here; docs/protocol.md says them in words. None where the
// evaluations it needs were not made: a name never stands for two different things.

/// Accuracy after a block: the mean over classes of each class's accuracy.
[[nodiscard]] std::optional<double> accuracy(const AccuracyMatrix& a, std::size_t cycle, std::size_t block);
[[nodiscard]] std::optional<double> accuracy_at_end_of(const AccuracyMatrix& a, std::size_t cycle);
[[nodiscard]] std::optional<double> final_accuracy(const AccuracyMatrix& a);

/// The cycles that count as early: 0 to 2, of a shorter stream as many as there are.
inline constexpr std::size_t early_cycles = 3;
/// The mean over the early cycles of the accuracy at their ends.
[[nodiscard]] std::optional<double> early_accuracy(const AccuracyMatrix& a);

/// The paper's within-cycle retention: what is left of the accuracy that a class had right after its block.
struct WithinCycleRetention {
    double end = 0;        ///< at the end of the cycle
    double worst = 0;      ///< at the worst checkpoint from its block to the end of the cycle
    std::size_t pairs = 0; ///< of class and cycle that went into the means
};
/// Over the first `cycles` cycles. A pair counts if the class was above `threshold` right after its block;
/// each ratio is at most 1, so that one class's gain does not hide another one's loss. None without pairs.
[[nodiscard]] std::optional<WithinCycleRetention>
within_cycle_retention(const AccuracyMatrix& a, std::size_t cycles, double threshold = 0.3);

/// The paper's retention loss: of each class the highest accuracy at any checkpoint minus the final one,
/// meaned over classes. Never negative.
[[nodiscard]] std::optional<double> retention_loss(const AccuracyMatrix& a);

/// Average forgetting (Chaudhry and others, 2018), with the blocks as experiences: of each class the highest
/// accuracy at any checkpoint before the last one minus the final one, meaned over the classes that the last
/// block did not teach. Negative if the last block improved the others beyond all that was before.
[[nodiscard]] std::optional<double> average_forgetting(const AccuracyMatrix& a);

/// Backward transfer (Lopez-Paz and Ranzato, 2017): the final accuracy of each class minus the one right
/// after its first block, meaned over the classes that the last block did not teach.
[[nodiscard]] std::optional<double> backward_transfer(const AccuracyMatrix& a);

/// Average anytime accuracy (Caccia and others, 2022): the mean over all checkpoints of the mean accuracy
/// over the classes seen so far.
[[nodiscard]] std::optional<double> anytime_accuracy(const AccuracyMatrix& a);

/// What Wilcoxon's signed-rank test says of paired numbers, such as two learners' accuracies seed by seed.
struct SignedRank {
    std::size_t pairs = 0;       ///< that differ; the others are dropped
    std::size_t first_ahead = 0; ///< of them, those in which the first number is the greater one
    double statistic = 0;        ///< the smaller of the two sums of ranks
    double p = 1;                ///< two-sided, at most 1
};

/// Beyond this many pairs one would use the normal approximation; nobody runs so many seeds.
inline constexpr std::size_t most_signed_pairs = 25;

/// The exact test: equal differences share the mean of their ranks, and p is the share of all sign patterns
/// of just these ranks that are as extreme. Differences are rounded to multiples of 1e-9 before they are
/// compared, so that 0.93 - 0.92 and 0.18 - 0.17 are a tie, and numbers that differ by rounding alone are
/// equal. Throws Error(usage) if the two have not the same size, a number is not finite, or more than
/// `most_signed_pairs` pairs differ.
[[nodiscard]] SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second);

} // namespace sprig::lab

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/measures/audit.h"
#include "lab/measures/metrics.h"
#include "lab/protocol/experiment_data.h"
#include "lab/protocol/parallel.h"
#include "sprig/learner.h"

namespace sprig::lab {

/// Makes an empty learner. Called from several threads.
using MakeSeededLearner = std::function<std::unique_ptr<Learner>(std::uint64_t seed)>;

/// The blocks after which the held-out images are tested.
enum class EvaluateAt { blocks, cycles, end };
[[nodiscard]] const char* name_of(EvaluateAt evaluate);

/// A way to match units, under which the guarantee is audited.
struct NamedAudit {
    std::string name;
    Audit::MakeReader make_reader;
};

/// The class-incremental stream. Every cycle has one block of new images of each class, in a fixed order.
/// Every image is learned in one step. The learner is not told where a block or a cycle ends.
struct Protocol {
    std::size_t cycles = 20;
    std::size_t per_block = 5;
    std::size_t held_out_per_class = 20;
    EvaluateAt evaluate = EvaluateAt::blocks;
    /// The number of classes, drawn by seed, in an order drawn by seed; 0: all, in their order.
    std::size_t drawn_classes = 0;
    /// In these cycles the held-out images are also tested after every single image.
    std::vector<std::size_t> sampled_cycles = {};
    std::vector<NamedAudit> audits = {}; ///< each takes many times as long as learning

    [[nodiscard]] bool evaluates(std::size_t cycle, bool last_block) const;
    [[nodiscard]] bool evaluates_samples(std::size_t cycle) const;
    /// The number of classes in the stream.
    [[nodiscard]] std::size_t classes(const ExperimentData& data) const;
    /// A large held-out set is tested at the ends of a few cycles only, including the last one.
    [[nodiscard]] bool evaluates_large(std::size_t cycle) const;
    /// The number of learning steps and predictions of one seed.
    [[nodiscard]] std::size_t ticks(const ExperimentData& data) const;
};

/// The number of images of each class that were recognised.
struct Scores {
    std::vector<std::size_t> right;
    std::vector<std::size_t> images;
    WorkCounts work = {}; ///< of all predictions
    /// The minimum and maximum number of units that one prediction looked for.
    std::size_t least_reached = 0;
    std::size_t most_reached = 0;

    [[nodiscard]] static Scores of_classes(std::size_t count) {
        return {std::vector<std::size_t>(count), std::vector<std::size_t>(count)};
    }
    void add(std::size_t label, bool is_right) {
        ++images[label];
        if (is_right) ++right[label];
    }
    [[nodiscard]] std::vector<double> by_class() const; ///< 0 for a class without images
    [[nodiscard]] double balanced() const;              ///< the mean over classes that have images
    [[nodiscard]] double plain() const;                 ///< the mean over images
    [[nodiscard]] double reached_per_observation() const;
};

/// Scores on all held-out images, and on those that pass the paper's filter.
struct ViewScores {
    Scores all;
    Scores filtered;
};

/// The size of a model: all units, and those with at least 5, 10, 20 and 40 observations.
struct ModelSizes {
    ModelSize all, mature_5, mature_10, mature_20, mature_40;
};

/// The total effect of a number of learning steps.
struct LearnTotals {
    std::size_t created = 0;
    std::size_t refined = 0;
    std::size_t spawned = 0;
    std::size_t removed = 0;
    std::size_t reintegrated = 0;
    WorkCounts work;

    void add(const LearnReport& report);
};

/// The evaluation after a block.
struct Checkpoint {
    std::size_t cycle = 0;
    std::size_t block = 0;
    Scores drawn; ///< on the held-out images drawn with the stream
    ModelSizes units;
    LearnTotals learned; ///< of all learning steps so far
};

/// The evaluation after a single image of a cycle.
struct SampleCheckpoint {
    std::size_t cycle = 0;
    std::size_t sample = 0;
    Scores drawn;
};

struct LargeCheckpoint {
    std::size_t cycle = 0;
    Scores scores;
};

/// Seconds by activity.
struct Times {
    double extracting = 0;
    double learning = 0;
    double predicting = 0; ///< images that are about to be learned
    double evaluating = 0;

    [[nodiscard]] double all() const { return extracting + learning + predicting + evaluating; }
};

/// Adds its lifetime to a number of seconds.
class Stopwatch {
  public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point begin_ = Clock::now();
};

/// The result of one seed.
struct SeedRun {
    std::uint64_t seed;
    std::vector<Checkpoint> checkpoints;
    std::vector<LargeCheckpoint> large;
    AccuracyMatrix accuracy;             ///< of the checkpoints
    std::size_t steps = 0;               ///< networks learned
    std::size_t prequential_correct = 0; ///< of them, predicted correctly just before they were learned
    LearnTotals learned = {};            ///< of all steps
    WorkCounts read = {};                ///< of all predictions
    std::uint64_t digest = 0;            ///< of the model at the end
    std::vector<SampleCheckpoint> samples = {};                   ///< of the sampled cycles
    std::vector<ViewScores> views = {};                           ///< at the end, by view of the data
    std::vector<UnitView> units = {};                             ///< the model at the end
    std::vector<std::pair<std::string, AuditCounts>> audits = {}; ///< by the protocol's names
    Times times = {};
};

/// Runs the protocol for one seed, which determines both the draw and the learner. `tick` is called before
/// every learning step and every prediction. Errors of the learner are passed on to the caller.
[[nodiscard]] SeedRun run_seed(const ExperimentData& data, const Protocol& protocol,
                               const MakeSeededLearner& factory, std::uint64_t seed, const Tick& tick = {});

} // namespace sprig::lab

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
#include "lab/protocol/material.h"
#include "lab/protocol/parallel.h"
#include "sprig/learner.h"

namespace sprig::lab {

/// Makes a learner that has seen nothing yet. Called from several threads.
using LearnerFactory = std::function<std::unique_ptr<Learner>(std::uint64_t seed)>;

/// After which blocks the held-out images are asked.
enum class EvaluateAt { blocks, cycles, end };
[[nodiscard]] const char* name_of(EvaluateAt evaluate);

/// A way to judge presence, under which the guarantee is to be audited.
struct NamedAudit {
    std::string name;
    Audit::MakeReader make_reader;
};

/// The class-incremental stream: in every cycle all classes in their order, of each some new images, one
/// learning step for each image, and nothing that tells the learner where a block or a cycle ends.
struct Protocol {
    std::size_t cycles = 20;
    std::size_t per_block = 5;
    std::size_t held_out_per_class = 20;
    EvaluateAt evaluate = EvaluateAt::blocks;
    /// So many classes, drawn by seed and in an order drawn by seed; 0: all in their order.
    std::size_t drawn_classes = 0;
    /// In these cycles the held-out images are asked after every single image, too.
    std::vector<std::size_t> sampled_cycles = {};
    std::vector<NamedAudit> audits = {}; ///< each costs many times the learning

    [[nodiscard]] bool evaluates(std::size_t cycle, bool last_block) const;
    [[nodiscard]] bool evaluates_samples(std::size_t cycle) const;
    /// How many classes there are in the stream.
    [[nodiscard]] std::size_t classes(const Material& material) const;
    /// A large held-out set is asked at the ends of a few cycles only, always of the last one.
    [[nodiscard]] bool evaluates_large(std::size_t cycle) const;
    /// How many learning steps and predictions one seed takes.
    [[nodiscard]] std::size_t ticks(const Material& material) const;
};

/// How many images of each class were recognised.
struct Scores {
    std::vector<std::size_t> right;
    std::vector<std::size_t> images;
    WorkCounts work; ///< of all predictions
    /// Of a single one: the fewest units that were looked for, and the most.
    std::size_t least_reached = 0;
    std::size_t most_reached = 0;

    [[nodiscard]] std::vector<double> by_class() const;
    [[nodiscard]] double balanced() const; ///< the mean over classes
    [[nodiscard]] double plain() const;    ///< the mean over images
    [[nodiscard]] double reached_per_observation() const;
};

/// How many units have at least so many observations.
struct Growth {
    Census all, mature_5, mature_10, mature_20, mature_40;
};

/// What a number of learning steps did, in sum.
struct LearnTotals {
    std::size_t created = 0;
    std::size_t refined = 0;
    std::size_t spawned = 0;
    std::size_t removed = 0;
    std::size_t reintegrated = 0;
    WorkCounts work;

    void add(const LearnReport& report);
};

/// What was found after a block.
struct Checkpoint {
    std::size_t cycle = 0;
    std::size_t block = 0;
    Scores drawn;        ///< on the held-out images drawn with the stream
    Growth units;        ///< of the model
    LearnTotals learned; ///< of all learning steps so far
};

/// What was found after a single image of a cycle.
struct SampleCheckpoint {
    std::size_t cycle = 0;
    std::size_t sample = 0;
    Scores drawn;
};

struct LargeCheckpoint {
    std::size_t cycle = 0;
    Scores scores;
};

/// Where the time went, in seconds.
struct Times {
    double extracting = 0;
    double learning = 0;
    double predicting = 0; ///< what is about to be learned
    double evaluating = 0;

    [[nodiscard]] double all() const { return extracting + learning + predicting + evaluating; }
};

/// Adds the time it lives to a number of seconds.
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

/// All that one seed gave.
struct SeedRun {
    std::uint64_t seed;
    std::vector<Checkpoint> checkpoints;
    std::vector<LargeCheckpoint> large;
    AccuracyMatrix accuracy;     ///< of the checkpoints
    std::size_t steps = 0;       ///< networks learned
    std::size_t anticipated = 0; ///< of them, those whose class was predicted just before they were learned
    LearnTotals learned = {};    ///< of all steps
    WorkCounts read = {};        ///< the sum over all predictions
    std::uint64_t digest = 0;    ///< of the model at the end
    std::vector<SampleCheckpoint> samples = {};                   ///< of the cycles that were sampled
    std::vector<UnitView> units = {};                             ///< the model at the end
    std::vector<std::pair<std::string, AuditCounts>> audits = {}; ///< by the protocol's names
    Times times = {};
};

/// Runs the protocol for one seed, which decides both the draw and the learner. `tick` is called before
/// every learning step and every prediction. Errors of the learner go through to the caller.
[[nodiscard]] SeedRun run_seed(const Material& material, const Protocol& protocol,
                               const LearnerFactory& factory, std::uint64_t seed, const Tick& tick = {});

/// Runs several seeds, in parallel; how many threads there are changes nothing but the time.
[[nodiscard]] std::vector<SeedRun> run_seeds(const Material& material, const Protocol& protocol,
                                             const LearnerFactory& factory,
                                             const std::vector<std::uint64_t>& seeds, std::size_t threads,
                                             const Progress& progress = {});

} // namespace sprig::lab

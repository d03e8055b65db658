#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "constellation/class_model.h"

namespace sprig::constellation {

/// A class as readers see it.
struct SnapshotClass {
    explicit SnapshotClass(const ClassModel& model);

    std::vector<std::shared_ptr<const LearnedUnit>> units;
    std::vector<double> log_shares; ///< by unit: log of its share of the samples in the class's units
    double log_size = 0;            ///< log of the number of units
};

using SnapshotClasses = std::vector<std::shared_ptr<const SnapshotClass>>;

/// The summaries of all units of some classes.
struct SummaryTable {
    SummaryTable(const SnapshotClasses& classes, const UnitContext& context);

    struct Row {
        /// Without gains: an upper bound of the score of the class if this is its best unit. Infinite if the
        /// summary is not usable.
        float offset;
        std::uint32_t place; ///< of the class in its block
        std::uint32_t unit;
    };
    std::vector<Row> rows;
    std::vector<Shorts> values;  ///< by row, then as in UnitSummary
    std::vector<Bytes> sketches; ///< by row, then as in Sketch
};

/// Some successive classes of a model. Immutable.
struct ClassBlock {
    explicit ClassBlock(SnapshotClasses of);

    SnapshotClasses classes;
    std::size_t units = 0;
    std::vector<std::uint32_t> without_units; ///< places of classes

    /// Made when it is first needed.
    [[nodiscard]] const SummaryTable& summaries(const UnitContext& context) const {
        return summaries_.get([&] { return SummaryTable(classes, context); });
    }

  private:
    Lazy<SummaryTable> summaries_;
};

/// An immutable snapshot of a model. Snapshots of a model share the blocks that have not changed in between.
struct Snapshot {
    static constexpr std::size_t block_size = 64;

    std::shared_ptr<const UnitContext> context;
    std::shared_ptr<const Schema> schema;
    std::shared_ptr<const std::vector<std::string>> labels;
    std::vector<std::shared_ptr<const ClassBlock>> blocks; ///< full, except the last
    std::size_t units = 0;

    [[nodiscard]] std::size_t size() const { return labels->size(); }
    [[nodiscard]] const SnapshotClass& operator[](std::size_t label) const {
        return *blocks[label / block_size]->classes[label % block_size];
    }
    /// Throws std::out_of_range.
    [[nodiscard]] const SnapshotClass& at(std::size_t label) const {
        return *blocks.at(label / block_size)->classes.at(label % block_size);
    }
};

/// Makes the snapshots of a model. A snapshot costs as much as what has changed since the last one.
class SnapshotMaker {
  public:
    using Classes = std::vector<std::unique_ptr<ClassModel>>;

    SnapshotMaker(std::shared_ptr<const UnitContext> context, std::shared_ptr<const Schema> schema);

    /// A class changed or is new. Not to be called at the same time as `snapshot_of`.
    void mark(std::size_t label);
    /// Can be called by several threads at once.
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot_of(const Classes& classes);

  private:
    void update_labels(Snapshot& next, const Classes& classes) const;
    void update_block(Snapshot& next, std::size_t block, const Classes& classes) const;

    std::mutex mutex_;
    std::shared_ptr<const Snapshot> last_;
    std::vector<std::size_t> changed_; ///< since the last snapshot
    std::vector<bool> is_changed_;     ///< by class
};

} // namespace sprig::constellation

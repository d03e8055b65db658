#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "constellation/known.h"
#include "constellation/packed_unit.h"
#include "constellation/screening.h"
#include "constellation/type_summary.h"
#include "constellation/unit.h"
#include "core/lazy.h"

namespace sprig::constellation {

/// What all units of a model share. Immutable.
struct UnitContext {
    UnitContext(const ConstellationParams& parameters, std::size_t type_count)
        : params(parameters), set(parameters), types(type_count),
          least_surprise(ClutterDensities(params, set).least_surprise()) {}

    ConstellationParams params;
    FeatureSet set;
    std::size_t types;
    double least_surprise; ///< no node is less surprising as clutter
};

[[nodiscard]] std::uint64_t digest_of(const Unit& unit);

/// A unit and its precomputed predictive distribution, ready to be scored. Immutable: readers share it.
struct ReadyUnit {
    ReadyUnit(Unit learned, const UnitContext& context)
        : unit(std::move(learned)), predictive(unit, context.params, context.set, context.types) {}

    // For bounds. They are made when they are first needed: a unit that learns again soon may never need
    // them.
    [[nodiscard]] const std::vector<double>& ranked_gains() const {
        return ranked_gains_.get([&] { return predictive.ranked_gains(); });
    }
    [[nodiscard]] const UnitLanes& lanes(const FeatureSet& set) const {
        return lanes_.get([&] { return UnitLanes(predictive, ranked_gains(), set); });
    }
    [[nodiscard]] const UnitSummary& summary(const UnitContext& context) const {
        return summary_.get([&] {
            return UnitSummary(predictive, context.least_surprise, Sketch(unit, context.set, context.types));
        });
    }

    /// See known.h.
    [[nodiscard]] double expected_fit(const UnitContext& context) const {
        return expected_fit_.get(
            [&] { return constellation::expected_fit(unit, predictive, context.params, context.set); });
    }

    Unit unit;
    Predictive predictive;

  private:
    Lazy<double> expected_fit_;
    Lazy<std::vector<double>> ranked_gains_;
    Lazy<UnitLanes> lanes_;
    Lazy<UnitSummary> summary_;
};

/// A learned unit, either ready to be scored, or, if it has one sample and is not expected to be used soon,
/// packed. Immutable.
class LearnedUnit {
  public:
    LearnedUnit(Unit unit, const UnitContext& context)
        : ready_(std::make_unique<ReadyUnit>(std::move(unit), context)) {}
    /// A unit of one sample.
    explicit LearnedUnit(PackedUnit packed) : packed_(std::make_unique<PackedUnit>(std::move(packed))) {}

    [[nodiscard]] bool is_packed() const { return ready_ == nullptr; }
    /// nullptr if the unit is packed.
    [[nodiscard]] const ReadyUnit* ready() const { return ready_.get(); }
    /// nullptr if the unit is not packed.
    [[nodiscard]] const PackedUnit* packed() const { return packed_.get(); }

    [[nodiscard]] Lineage lineage() const { return ready_ ? ready_->unit.lineage : packed_->lineage(); }
    [[nodiscard]] std::uint64_t born() const { return ready_ ? ready_->unit.born : packed_->born(); }
    /// Its samples.
    [[nodiscard]] std::uint64_t count() const { return ready_ ? ready_->unit.count : packed_->count(); }
    [[nodiscard]] std::size_t size() const { return ready_ ? ready_->unit.size() : packed_->size(); }
    [[nodiscard]] Unit unit(const FeatureSet& set) const {
        return ready_ ? ready_->unit : packed_->unpacked(set);
    }
    [[nodiscard]] const UnitSummary& summary(const UnitContext& context) const {
        if (ready_) return ready_->summary(context);
        return summary_.get([&] {
            const Unit unpacked = unit(context.set);
            const Predictive predictive(unpacked, context.params, context.set, context.types);
            return UnitSummary(predictive, context.least_surprise,
                               Sketch(unpacked, context.set, context.types));
        });
    }
    /// Of everything that was learned.
    [[nodiscard]] std::uint64_t digest(const FeatureSet& set) const {
        return digest_.get([&] { return ready_ ? digest_of(ready_->unit) : digest_of(unit(set)); });
    }

  private:
    std::unique_ptr<const ReadyUnit> ready_;
    std::unique_ptr<const PackedUnit> packed_;
    Lazy<UnitSummary> summary_; ///< of a packed unit
    Lazy<std::uint64_t> digest_;
};

/// The same unit in the other form.
[[nodiscard]] inline std::shared_ptr<const LearnedUnit> packed(const LearnedUnit& unit,
                                                               const UnitContext& context) {
    return std::make_shared<LearnedUnit>(PackedUnit(unit.ready()->unit, context.set));
}
[[nodiscard]] inline std::shared_ptr<const LearnedUnit> unpacked(const LearnedUnit& unit,
                                                                 const UnitContext& context) {
    return std::make_shared<LearnedUnit>(unit.packed()->unpacked(context.set), context);
}

/// Gives units in their ready form. A packed unit is unpacked, and stays as long as no other is asked for.
class Unpacker {
  public:
    explicit Unpacker(const UnitContext& context) : context_(context) {}

    const ReadyUnit& operator()(const LearnedUnit& unit) {
        if (unit.ready() != nullptr) return *unit.ready();
        if (last_ == nullptr || of_ != &unit) {
            last_ = std::make_unique<const ReadyUnit>(unit.packed()->unpacked(context_.set), context_);
            of_ = &unit;
        }
        return *last_;
    }

  private:
    const UnitContext& context_;
    std::unique_ptr<const ReadyUnit> last_;
    const LearnedUnit* of_ = nullptr;
};

} // namespace sprig::constellation

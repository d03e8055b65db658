#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "match/observation.h"
#include "modeller/class_model.h"
#include "store/bytes.h"
#include "store/content.h"
#include "store/modeller_records.h"

namespace sprig::store {

// A lesson changes thousands of the Modeller's numbers, and nearly all of them because a unit was found once
// more, or made of what nobody had asked for. Both are told shortly: where its nodes lay, in which units,
// and what a new one asks for. The rest follows by the arithmetic that the learner itself uses.

/// Tells a lesson so. What comes of it is summed up, so that whoever follows it elsewhere can tell whether he
/// came to the same.
class TraceWriter {
  public:
    explicit TraceWriter(const match::Observation& observation);

    /// Adds a unit that is `entry` now and was `before`, if there was one; false if this cannot be told so.
    [[nodiscard]] bool add(const modeller::ClassModel& model, modeller::UnitId id, const UnitEntry& entry,
                           const UnitEntry* before);
    [[nodiscard]] std::string finish();

  private:
    std::string bytes_;
    std::string units_;
    std::size_t count_ = 0;
    std::uint64_t sum_ = 0;
};

/// Follows a trace, unit by unit. Throws Error(bad_input) where it leads nowhere.
class TraceReader {
  public:
    /// `active_only`: the matcher's means follow only a unit that is active.
    TraceReader(std::string_view trace, bool active_only);

    /// The next unit; false after the last one, and then all sums were right.
    [[nodiscard]] bool next();
    [[nodiscard]] Lineage lineage() const { return lineage_; }
    [[nodiscard]] bool is_made() const { return label_ != 0; }
    [[nodiscard]] ClassId label() const { return label_; }

    /// The unit, if it was made in this lesson, and if it was found: what it was like before is `unit`.
    [[nodiscard]] ModellerRecords::Unit made();
    [[nodiscard]] ModellerRecords::Unit seen(ModellerRecords::Unit unit);
    /// To be told what came of each.
    void check(std::string_view packed);

  private:
    struct Spot {
        std::uint32_t type = 0;
        match::Point at;
    };
    /// A node that an edge may end at.
    struct End {
        std::uint64_t key = 0;
        const Spot* spot = nullptr;
    };
    const End& take_end(std::uint64_t key);
    [[nodiscard]] const Spot& spot_of(std::uint64_t key);

    Unpacker unpacker_;
    bool active_only_;
    std::vector<Spot> spots_; ///< where the observed nodes lie
    std::vector<End> ends_;   ///< of the present unit
    std::unordered_set<Lineage> told_;
    std::size_t left_ = 0;
    Lineage lineage_ = 0;
    ClassId label_ = 0; ///< 0: the unit was there before
    std::uint64_t sum_ = 0;
};

} // namespace sprig::store

#include "constellation/snapshot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/elementary.h"

namespace sprig::constellation {

SnapshotClass::SnapshotClass(const ClassModel& model) : units(model.units()) {
    double total = 0;
    for (const auto& learned : units) total += static_cast<double>(learned->count());
    log_shares.reserve(units.size());
    for (const auto& learned : units)
        log_shares.push_back(elementary::log(static_cast<double>(learned->count()) / total));
    log_size = elementary::log(static_cast<double>(std::max<std::size_t>(1, units.size())));
}

ClassBlock::ClassBlock(SnapshotClasses of) : classes(std::move(of)) {
    for (std::uint32_t place = 0; place < classes.size(); ++place) {
        units += classes[place]->units.size();
        if (classes[place]->units.empty()) without_units.push_back(place);
    }
}

SummaryTable::SummaryTable(const SnapshotClasses& classes, const UnitContext& context) {
    for (std::uint32_t place = 0; place < classes.size(); ++place) {
        const SnapshotClass& known = *classes[place];
        for (std::uint32_t unit = 0; unit < known.units.size(); ++unit) {
            const UnitSummary& summary = known.units[unit]->summary(context);
            const double offset =
                summary.all_absent() + known.log_shares[unit] + known.log_size + rounding_margin;
            // To single precision, and not down.
            const auto above = static_cast<float>(offset + (std::abs(offset) * 0x1p-23));
            rows.push_back(
                {summary.is_usable() ? above : std::numeric_limits<float>::infinity(), place, unit});
            values.insert(values.end(), summary.values().begin(), summary.values().end());
            sketches.insert(sketches.end(), summary.sketch().values().begin(),
                            summary.sketch().values().end());
        }
    }
}

SnapshotMaker::SnapshotMaker(std::shared_ptr<const UnitContext> context,
                             std::shared_ptr<const Schema> schema) {
    auto empty = std::make_shared<Snapshot>();
    empty->context = std::move(context);
    empty->schema = std::move(schema);
    empty->labels = std::make_shared<std::vector<std::string>>();
    last_ = std::move(empty);
}

void SnapshotMaker::mark(std::size_t label) {
    if (is_changed_.size() <= label) is_changed_.resize(label + 1);
    if (is_changed_[label]) return;
    changed_.push_back(label);
    is_changed_[label] = true;
}

void SnapshotMaker::update_labels(Snapshot& next, const Classes& classes) const {
    if (classes.size() == next.size()) return;
    auto labels = std::make_shared<std::vector<std::string>>(*next.labels);
    while (labels->size() < classes.size()) labels->push_back(classes[labels->size()]->label());
    next.labels = std::move(labels);
}

void SnapshotMaker::update_block(Snapshot& next, std::size_t block, const Classes& classes) const {
    const std::size_t first = block * Snapshot::block_size;
    const std::size_t end = std::min(first + Snapshot::block_size, classes.size());
    SnapshotClasses updated;
    if (block < next.blocks.size()) {
        updated = next.blocks[block]->classes;
        next.units -= next.blocks[block]->units;
    } else {
        next.blocks.emplace_back();
    }
    updated.resize(end - first);
    for (std::size_t label = first; label < end; ++label)
        if (is_changed_[label]) updated[label - first] = std::make_shared<SnapshotClass>(*classes[label]);
    next.blocks[block] = std::make_shared<ClassBlock>(std::move(updated));
    next.units += next.blocks[block]->units;
}

std::shared_ptr<const Snapshot> SnapshotMaker::snapshot_of(const Classes& classes) {
    const std::lock_guard lock(mutex_);
    if (changed_.empty()) return last_;
    auto next = std::make_shared<Snapshot>(*last_);
    update_labels(*next, classes);
    std::ranges::sort(changed_);
    std::size_t done = 0; // blocks up to this one
    for (const std::size_t label : changed_) {
        const std::size_t block = label / Snapshot::block_size;
        if (block < done) continue;
        update_block(*next, block, classes);
        done = block + 1;
    }
    for (const std::size_t label : changed_) is_changed_[label] = false;
    changed_.clear();
    last_ = next;
    return next;
}

} // namespace sprig::constellation

#include "constellation/snapshot.h"

#include <algorithm>
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
    auto updated = std::make_shared<ClassBlock>();
    updated->reserve(end - first);
    if (block < next.blocks.size()) *updated = *next.blocks[block];
    updated->resize(end - first);
    for (std::size_t label = first; label < end; ++label)
        if (is_changed_[label]) (*updated)[label - first] = std::make_shared<SnapshotClass>(*classes[label]);
    if (block == next.blocks.size()) next.blocks.emplace_back();
    next.blocks[block] = std::move(updated);
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

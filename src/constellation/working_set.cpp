#include "constellation/working_set.h"

#include <utility>

namespace sprig::constellation {

bool WorkingSet::holds(std::size_t nodes) const {
    return nodes <= max_nodes_;
}

std::vector<std::size_t> WorkingSet::use(std::size_t label, std::size_t nodes) {
    if (entries_.size() <= label) entries_.resize(label + 1);
    Entry& entry = entries_[label];
    nodes_ += nodes - entry.nodes;
    entry.nodes = nodes;
    if (order_.empty() || order_.back() != label) {
        ++entry.places;
        order_.push_back(label);
    }
    std::vector<std::size_t> unused;
    while (nodes_ > max_nodes_ && order_.front() != label) {
        const std::size_t first = order_.front();
        order_.pop_front();
        if (--entries_[first].places > 0) continue; // it was used again later
        nodes_ -= entries_[first].nodes;
        entries_[first].nodes = 0;
        unused.push_back(first);
    }
    if (order_.size() > 2 * entries_.size() + 64) forget_repetitions();
    return unused;
}

/// Keeps the last place of each class.
void WorkingSet::forget_repetitions() {
    std::deque<std::size_t> kept;
    for (auto label = order_.rbegin(); label != order_.rend(); ++label) { // NOLINT(*-loop-convert): backwards
        if (entries_[*label].places == 0) continue;
        entries_[*label].places = 0;
        kept.push_front(*label);
    }
    for (const std::size_t label : kept) entries_[label].places = 1;
    order_ = std::move(kept);
}

} // namespace sprig::constellation

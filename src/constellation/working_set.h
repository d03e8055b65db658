#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace sprig::constellation {

/// The classes whose units are ready to be scored: those that were used last, as many as `max_nodes` allow.
/// With few classes these are all, so that nothing is ever packed.
class WorkingSet {
  public:
    explicit WorkingSet(std::size_t max_nodes) : max_nodes_(max_nodes) {}

    /// Notes that a class was used and has this number of nodes. Calls `pack` with each class that leaves.
    template <typename Pack>
    void use(std::size_t label, std::size_t nodes, Pack pack) {
        if (entries_.size() <= label) entries_.resize(label + 1);
        Entry& entry = entries_[label];
        nodes_ += nodes - entry.nodes;
        entry.nodes = nodes;
        if (order_.empty() || order_.back() != label) {
            ++entry.places;
            order_.push_back(label);
        }
        while (nodes_ > max_nodes_ && order_.front() != label) {
            const std::size_t first = order_.front();
            order_.pop_front();
            if (--entries_[first].places > 0) continue; // it was used again later
            nodes_ -= entries_[first].nodes;
            entries_[first].nodes = 0;
            pack(first);
        }
        if (order_.size() > 2 * entries_.size() + 64) forget_repetitions();
    }

  private:
    struct Entry {
        std::size_t nodes = 0;
        std::size_t places = 0; ///< in `order_`
    };

    /// Keeps the last place of each class.
    void forget_repetitions() {
        std::deque<std::size_t> kept;
        for (auto label = order_.rbegin(); label != order_.rend(); ++label) {
            if (entries_[*label].places == 0) continue;
            entries_[*label].places = 0;
            kept.push_front(*label);
        }
        for (const std::size_t label : kept) entries_[label].places = 1;
        order_ = std::move(kept);
    }

    std::size_t max_nodes_;
    std::size_t nodes_ = 0;
    std::vector<Entry> entries_;    ///< by class
    std::deque<std::size_t> order_; ///< of use; a class may be in it several times
};

} // namespace sprig::constellation

#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace sprig::constellation {

/// The classes whose units are ready to be scored: those that were used last, as many as `max_nodes` allow.
/// With few classes these are all, so that nothing is ever packed.
class WorkingSet {
  public:
    /// Units of one sample with more nodes in all are not all kept ready to be scored. A node takes about 400
    /// bytes in a ready unit and 17 in a packed one.
    static constexpr std::size_t usual_max_nodes = std::size_t{1} << 17U;

    explicit WorkingSet(std::size_t max_nodes = usual_max_nodes) : max_nodes_(max_nodes) {}

    /// Whether this number of nodes can be ready at once.
    [[nodiscard]] bool holds(std::size_t nodes) const;
    /// Notes that a class was used and has this number of nodes. Returns the classes that leave, to be
    /// packed.
    [[nodiscard]] std::vector<std::size_t> use(std::size_t label, std::size_t nodes);

  private:
    struct Entry {
        std::size_t nodes = 0;
        std::size_t places = 0; ///< in `order_`
    };

    void forget_repetitions();

    std::size_t max_nodes_;
    std::size_t nodes_ = 0;
    std::vector<Entry> entries_;    ///< by class
    std::deque<std::size_t> order_; ///< of use; a class may be in it several times
};

} // namespace sprig::constellation

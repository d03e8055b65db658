#include "store/modeller_trace.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sprig/error.h"

namespace sprig::store {

namespace {

using modeller::Touch;

/// A number that may be less than it was, as a small one.
std::uint64_t folded(std::uint64_t difference) {
    return (difference << 1U) ^ (0 - (difference >> 63U));
}
std::uint64_t unfolded(std::uint64_t value) {
    return (value >> 1U) ^ (0 - (value & 1U));
}

std::uint64_t word_at(std::string_view packed, std::size_t index) {
    std::uint64_t word = 0;
    std::memcpy(&word, packed.data() + (index * sizeof word), sizeof word);
    return word;
}

/// A unit's counters, which its packed form begins with.
std::size_t counter_count() {
    static const std::size_t count = [] {
        std::size_t n = 0;
        ModellerRecords().each_unit(ModellerRecords::Unit{}, [&](std::string_view, const auto&) { ++n; });
        return n;
    }();
    return count;
}
/// What became of them; `before` is empty if there were none.
void write_counters(Packer& packer, std::string_view before, std::string_view now) {
    for (std::size_t i = 0; i < counter_count(); ++i)
        packer.small(folded(word_at(now, i) - (before.empty() ? 0 : word_at(before, i))));
}
struct ReadCounters {
    Unpacker& unpacker;

    template <std::unsigned_integral Value>
    void operator()(std::string_view, Value& value) {
        value = static_cast<Value>(value + unfolded(unpacker.small()));
    }
};

} // namespace

TraceWriter::TraceWriter(const match::Observation& observation) {
    Packer packer(bytes_);
    packer.small(observation.node_count());
    for (std::uint32_t node = 0; node < observation.node_count(); ++node) {
        packer.small(observation.type(node));
        packer.number(observation.position(node)[0]);
        packer.number(observation.position(node)[1]);
    }
}

bool TraceWriter::add(const modeller::ClassModel& model, modeller::UnitId id, const UnitEntry& entry,
                      const UnitEntry* before) {
    const modeller::Unit& unit = model.unit(id);
    const bool is_made = unit.touched == Touch::made && before == nullptr;
    const bool is_seen = unit.touched == Touch::seen && before != nullptr;
    if (!is_made && !is_seen) return false;
    Packer packer(units_);
    packer.number(unit.lineage);
    packer.small(is_made ? entry.label : 0);
    const std::string_view was = is_made ? std::string_view() : std::string_view(before->packed);
    write_counters(packer, was, entry.packed);
    if (is_made) {
        packer.small(unit.nodes.size());
        packer.small(unit.anchors.size());
        packer.small(unit.edges.size());
    }
    for (const modeller::NodeRecord& node : unit.nodes) packer.small(model.placed_at[node.slot]);
    for (const modeller::NodeSlot anchor : unit.anchors) {
        if (is_made) packer.number(model.key_of(anchor));
        packer.small(model.placed_at[anchor]);
    }
    if (is_made) {
        for (const match::Pattern::Edge& edge : unit.pattern.edges()) {
            packer.small(edge.layer);
            packer.small(edge.from);
            packer.small(edge.to);
        }
    }
    sum_ += sum_of_words(entry.packed);
    ++count_;
    return true;
}

std::string TraceWriter::finish() {
    Packer packer(bytes_);
    packer.small(count_);
    bytes_ += units_;
    packer.number(sum_);
    return std::move(bytes_);
}

TraceReader::TraceReader(std::string_view trace, bool active_only)
    : unpacker_(trace), active_only_(active_only) {
    constexpr std::size_t least = 1 + (2 * sizeof(double));
    spots_.resize(unpacker_.room_for(unpacker_.small_below(match::max_nodes + 1), least));
    for (Spot& spot : spots_) {
        spot.type = unpacker_.small<std::uint32_t>();
        unpacker_.number(spot.at[0]);
        unpacker_.number(spot.at[1]);
    }
    left_ = unpacker_.small_count();
}

bool TraceReader::next() {
    if (left_ > 0) {
        --left_;
        unpacker_.number(lineage_);
        // Otherwise a few bytes could ask for one large unit any number of times.
        if (!told_.insert(lineage_).second) throw bad_input("packed content tells of a unit twice");
        label_ = unpacker_.small<ClassId>();
        ends_.clear();
        return true;
    }
    std::uint64_t sum = 0;
    unpacker_.number(sum);
    unpacker_.end();
    require_same(sum, sum_);
    return false;
}

/// One more node that the present unit's edges may end at. No two lie on one spot.
const TraceReader::End& TraceReader::take_end(std::uint64_t key) {
    if (ends_.size() == spots_.size()) throw bad_input("packed content has more nodes than were observed");
    return ends_.emplace_back(End{key, &spots_[unpacker_.small_below(spots_.size())]});
}

/// Anchors are told of in the order in which the edges name them.
const TraceReader::Spot& TraceReader::spot_of(std::uint64_t key) {
    const auto known =
        std::find_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.key == key; });
    return *(known == ends_.end() ? take_end(key) : *known).spot;
}

ModellerRecords::Unit TraceReader::seen(ModellerRecords::Unit unit) {
    const std::uint64_t active = unit.own.active;
    const std::uint64_t fired_own = unit.own.fired_own;
    ModellerRecords().each_unit(unit, ReadCounters{unpacker_});
    const modeller::Glance glance{unit.own.fired_own != fired_own,
                                  unit.own.active != active || !active_only_};
    for (modeller::NodeRecord& node : unit.nodes) see(node, take_end(node.key).spot->at, glance);
    for (ModellerRecords::Edge& edge : unit.edges) {
        const Spot& from = spot_of(edge.from);
        const Spot& to = spot_of(edge.to);
        see(edge.record, to.at - from.at, glance);
    }
    return unit;
}

ModellerRecords::Unit TraceReader::made() {
    ModellerRecords::Unit unit;
    ModellerRecords().each_unit(unit, ReadCounters{unpacker_});
    const modeller::Glance glance{unit.own.fired_own != 0, true};
    const std::size_t nodes = unpacker_.small_below(spots_.size() + 1);
    const std::size_t anchors = unpacker_.small_below(spots_.size() + 1);
    unit.edges.resize(unpacker_.room_for(unpacker_.small(), 3));
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::uint64_t key = modeller::node_key(lineage_, i);
        const Spot& spot = *take_end(key).spot;
        modeller::NodeRecord& node = unit.nodes.emplace_back(modeller::new_node(spot.type, spot.at));
        node.key = key;
        see(node, spot.at, glance);
    }
    for (std::size_t i = 0; i < anchors; ++i) {
        std::uint64_t key = 0;
        unpacker_.number(key);
        (void)take_end(key);
    }
    for (ModellerRecords::Edge& edge : unit.edges) {
        const auto layer = unpacker_.small<std::uint32_t>();
        const End& from = ends_[unpacker_.small_below(ends_.size())];
        const End& to = ends_[unpacker_.small_below(ends_.size())];
        const match::Point displacement = to.spot->at - from.spot->at;
        edge = {from.key, to.key, modeller::new_edge(layer, displacement)};
        see(edge.record, displacement, glance);
    }
    return unit;
}

void TraceReader::check(std::string_view packed) {
    sum_ += sum_of_words(packed);
}

} // namespace sprig::store

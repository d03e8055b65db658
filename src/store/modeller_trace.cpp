#include "store/modeller_trace.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

/// Visits the counters of a unit, which its packed form begins with.
struct WriteCounters {
    Packer& packer;
    std::string_view before; ///< nothing: they were 0
    std::string_view now;
    std::size_t index = 0;

    template <typename Value>
    void operator()(std::string_view, const Value&) {
        const std::uint64_t was = before.empty() ? 0 : word_at(before, index);
        packer.small(folded(word_at(now, index) - was));
        ++index;
    }
};
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
    ModellerRecords().each_unit(ModellerRecords::Unit{}, WriteCounters{packer, was, entry.packed});
    if (is_made) {
        packer.small(unit.nodes.size());
        packer.small(unit.anchors.size());
        packer.small(unit.edges.size());
    }
    for (const modeller::NodeRecord& node : unit.nodes) packer.small(model.seen_at[node.slot]);
    for (const modeller::NodeSlot anchor : unit.anchors) {
        packer.small(model.seen_at[anchor]);
        if (is_made) packer.number(model.key_of(anchor));
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
    : unpacker_(trace), active_only_(active_only), sights_(unpacker_.small_count()) {
    for (Sight& sight : sights_) {
        sight.type = unpacker_.small<std::uint32_t>();
        unpacker_.number(sight.at[0]);
        unpacker_.number(sight.at[1]);
    }
    left_ = unpacker_.small_count();
}

bool TraceReader::next() {
    if (left_ > 0) {
        --left_;
        unpacker_.number(lineage_);
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

const TraceReader::Sight* TraceReader::take_sight() {
    return &sights_[unpacker_.small_below(sights_.size())];
}

/// Anchors are told of in the order in which the edges name them.
const TraceReader::Sight* TraceReader::sight_of(std::uint64_t key) {
    const auto known =
        std::find_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.key == key; });
    if (known != ends_.end()) return known->sight;
    ends_.push_back({key, take_sight()});
    return ends_.back().sight;
}

ModellerRecords::Unit TraceReader::seen(ModellerRecords::Unit unit) {
    const std::uint64_t active = unit.own.active;
    const std::uint64_t fired_own = unit.own.fired_own;
    ModellerRecords().each_unit(unit, ReadCounters{unpacker_});
    const modeller::Glance glance{unit.own.fired_own != fired_own,
                                  unit.own.active != active || !active_only_};
    for (modeller::NodeRecord& node : unit.nodes) {
        ends_.push_back({node.key, take_sight()});
        see(node, ends_.back().sight->at, glance);
    }
    for (ModellerRecords::Edge& edge : unit.edges) {
        const Sight* from = sight_of(edge.from);
        const Sight* to = sight_of(edge.to);
        see(edge.record, to->at - from->at, glance);
    }
    return unit;
}

ModellerRecords::Unit TraceReader::made() {
    ModellerRecords::Unit unit;
    ModellerRecords().each_unit(unit, ReadCounters{unpacker_});
    const modeller::Glance glance{unit.own.fired_own != 0, true};
    unit.nodes.resize(unpacker_.small_count());
    const std::size_t anchors = unpacker_.small_count();
    unit.edges.resize(unpacker_.at_most(unpacker_.small(), 3));
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        const Sight* sight = take_sight();
        modeller::NodeRecord& node = unit.nodes[i];
        node.key = modeller::node_key(lineage_, i);
        node.type = sight->type;
        node.mean = sight->at;
        see(node, sight->at, glance);
        ends_.push_back({node.key, sight});
    }
    for (std::size_t i = 0; i < anchors; ++i) {
        End& end = ends_.emplace_back();
        end.sight = take_sight();
        unpacker_.number(end.key);
    }
    for (ModellerRecords::Edge& edge : unit.edges) {
        edge.record.layer = unpacker_.small<std::uint32_t>();
        const End& from = ends_[unpacker_.small_below(ends_.size())];
        const End& to = ends_[unpacker_.small_below(ends_.size())];
        edge.from = from.key;
        edge.to = to.key;
        const match::Point displacement = to.sight->at - from.sight->at;
        edge.record.mean = displacement;
        see(edge.record, displacement, glance);
    }
    return unit;
}

void TraceReader::check(std::string_view packed) {
    sum_ += sum_of_words(packed);
}

} // namespace sprig::store

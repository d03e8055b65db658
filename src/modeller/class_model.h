#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "modeller/unit.h"

namespace sprig::modeller {

/// Why a unit came into being; part of its lineage.
enum class Birth : std::uint8_t { positive, negative, residual };

/// Which part of a unit's own content stays: one flag per node and per edge.
struct Keep {
    std::vector<bool> nodes;
    std::vector<bool> edges;
};

/// Nodes and edges for a new unit.
struct Source {
    std::vector<NodeRecord> nodes; ///< their slots and keys are given when the unit is made
    struct Edge {
        /// Ends: below `nodes.size()` a new node, otherwise `anchors[end - nodes.size()]`.
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t layer = 0;
        Point displacement;
    };
    std::vector<Edge> edges;
    std::vector<NodeSlot> anchors;

    [[nodiscard]] bool is_empty() const { return nodes.empty() && edges.empty(); }
};

/// A unit as it is kept outside of memory: its target and the ends of its edges have names, not places.
struct UnitState {
    Unit unit;
    std::optional<Lineage> target = {}; ///< none: its class
    struct Ends {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
    };
    std::vector<Ends> ends = {}; ///< by edge: the keys of nodes
};

/// The units of one class and how they hang together. It knows how to change the structure so that it stays
/// whole: each node has one owner, and an anchor's owner lies in the downstream chain of the unit that uses
/// it. When to change it is decided elsewhere.
class ClassModel {
  public:
    ClassModel(std::string label, std::size_t node_types);

    [[nodiscard]] const std::string& label() const { return label_; }
    [[nodiscard]] std::uint64_t key() const { return key_; }
    [[nodiscard]] std::size_t node_types() const { return node_types_; }

    [[nodiscard]] const Unit& unit(UnitId id) const { return *units_[id]; }
    /// For changing its content; the change is remembered until the next step.
    [[nodiscard]] Unit& change(UnitId id);
    [[nodiscard]] bool is_alive(UnitId id) const { return id < units_.size() && units_[id] != nullptr; }
    [[nodiscard]] std::size_t capacity() const { return units_.size(); } ///< ids are below this
    [[nodiscard]] std::size_t slot_count() const { return owners_.size(); }
    [[nodiscard]] const std::vector<UnitId>& top_level() const { return top_level_; }
    [[nodiscard]] UnitId owner(NodeSlot slot) const { return owners_[slot]; }
    [[nodiscard]] const NodeRecord& record(NodeSlot slot) const;
    /// All units, each after its target; siblings in order of birth and lineage.
    [[nodiscard]] std::vector<UnitId> in_order() const;
    /// How often the target of a unit was as the unit says.
    [[nodiscard]] std::uint64_t target_count(const Unit& unit) const;

    std::uint64_t observed = 0; ///< steps since the class is known
    std::uint64_t own = 0;      ///< ... of which were of the class

    // Changing the structure; each change is noted in `events`
    std::vector<UnitEvent> events;
    /// Forgets what was noted of the step before.
    void begin_step();
    /// The units that were made or changed since, and the names of those that went (some of which came
    /// since).
    [[nodiscard]] std::vector<UnitId> changed() const;
    [[nodiscard]] const std::vector<Lineage>& gone() const { return gone_; }
    UnitId grow(UnitId target, Birth birth, std::uint64_t step, const Source& source);
    /// Cuts a unit down and gives the rest to a new unit that conditions it and takes over its upstreams.
    UnitId split(UnitId id, const Keep& keep, std::uint64_t step);
    /// Cuts a unit down; the rest is gone, also from the units upstream.
    void shrink(UnitId id, const Keep& keep);
    /// Takes a unit out, with all that condition it.
    void remove(UnitId id);
    /// Makes a unit part of its target, which must be a unit; its upstreams condition the target from now on.
    void merge(UnitId id);

    /// Takes the content of a class that was kept somewhere, in place of its own. Throws Error(bad_input) if
    /// it does not hang together; `layers`: how many there are.
    void restore(std::vector<UnitState> content, std::size_t layers);
    /// The name for good of a node.
    [[nodiscard]] std::uint64_t key_of(NodeSlot slot) const { return keys_[slot]; }

    /// Throws Error(failed) if the structure contradicts itself.
    void check() const;
    [[nodiscard]] std::uint64_t digest() const;

    /// Where new units and nodes are put in memory, for tests: results must not depend on it.
    void scatter_ids(std::uint64_t seed) { scatter_ = seed; }

  private:
    UnitId add_unit(Unit unit);
    NodeSlot add_node(UnitId owner);
    std::vector<UnitId>& siblings(const Unit& unit);
    void attach(UnitId id, UnitId target);
    void join_siblings(UnitId id);
    void detach(UnitId id);
    void set_depth(UnitId id, std::uint32_t depth);
    void compile(Unit& unit);
    void forget_nodes(UnitId id, const std::vector<NodeSlot>& gone);
    void dissolve(UnitId id);
    void erase(UnitId id);
    void note(UnitEvent::Kind kind, const Unit& unit);
    void append_in_order(std::vector<UnitId> siblings, std::vector<UnitId>& order) const;
    void check_unit(UnitId id) const;
    [[nodiscard]] bool is_downstream(UnitId below, UnitId of) const;
    [[nodiscard]] std::uint64_t digest(const Unit& unit) const;
    void touch(Unit& unit, UnitId id);
    void hang_up();
    void set_depths();
    void join_edges(const std::vector<UnitState>& content, std::size_t layers);

    std::string label_;
    std::uint64_t key_;
    std::size_t node_types_;
    std::vector<std::unique_ptr<Unit>> units_;
    std::vector<UnitId> free_units_;
    std::vector<UnitId> owners_;      ///< by slot; no_unit: free
    std::vector<std::uint64_t> keys_; ///< by slot: the names for good
    std::vector<NodeSlot> free_slots_;
    std::vector<UnitId> top_level_;
    std::vector<std::uint32_t> ends_; ///< working memory of `compile`
    std::vector<UnitId> touched_;     ///< in this step; a place may be there twice
    std::vector<Lineage> gone_;       ///< in this step
    std::uint64_t scatter_ = 0;
};

/// A unit for looking at.
[[nodiscard]] UnitView view_of(const ClassModel& model, UnitId id,
                               const std::shared_ptr<const Schema>& schema);

} // namespace sprig::modeller

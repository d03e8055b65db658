#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "modeller/unit.h"

namespace sprig::modeller {

/// Why a unit was created; part of its lineage.
enum class Birth : std::uint8_t { positive, negative, residual };

/// Which part of a unit's own content to keep: one flag per node and per edge.
struct KeepFlags {
    std::vector<bool> nodes;
    std::vector<bool> edges;
};

/// The nodes and edges of a new unit.
struct UnitContent {
    std::vector<NodeRecord> nodes; ///< slots and keys are assigned when the unit is created
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

/// The stored form of a unit: its target and the ends of its edges are identified by lineage and key, not by
/// index.
struct UnitState {
    Unit unit;
    std::optional<Lineage> target = {}; ///< not set if the target is the class
    struct Ends {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
    };
    std::vector<Ends> ends = {}; ///< by edge: keys of nodes
};

/// The units of one class and their structure. All changes preserve two invariants: each node has one owner,
/// and the owner of an anchor is in the downstream chain of the unit that uses it. `Step` decides what to
/// change.
class ClassModel {
  public:
    ClassModel(std::string label, std::size_t node_types);

    [[nodiscard]] const std::string& label() const { return label_; }
    [[nodiscard]] std::uint64_t key() const { return key_; }
    [[nodiscard]] std::size_t node_types() const { return node_types_; }

    [[nodiscard]] const Unit& unit(UnitId id) const { return *units_[id]; }
    /// For changing a unit; marks it as changed until the next step.
    [[nodiscard]] Unit& mutable_unit(UnitId id);
    [[nodiscard]] bool is_alive(UnitId id) const { return id < units_.size() && units_[id] != nullptr; }
    [[nodiscard]] std::size_t capacity() const { return units_.size(); } ///< ids are below this
    [[nodiscard]] std::size_t slot_count() const { return owners_.size(); }
    [[nodiscard]] const std::vector<UnitId>& top_level() const { return top_level_; }
    [[nodiscard]] UnitId owner(NodeSlot slot) const { return owners_[slot]; }
    [[nodiscard]] const NodeRecord& record(NodeSlot slot) const;
    /// All units, each after its target; siblings by step of creation and lineage.
    [[nodiscard]] std::vector<UnitId> in_order() const;
    /// The number of times the target of a unit was in the state that the unit conditions.
    [[nodiscard]] std::uint64_t target_count(const Unit& unit) const;

    std::uint64_t observed = 0; ///< steps since the class was added
    std::uint64_t own = 0;      ///< ... with a sample of the class

    // Changing the structure; each change is recorded in `events`
    std::vector<UnitEvent> events;
    /// Clears the events and marks of the previous step.
    void begin_step();
    /// The units created or changed in this step, and the lineages of those erased, which may have been
    /// created in this step.
    [[nodiscard]] std::vector<UnitId> changed() const;
    [[nodiscard]] const std::vector<Lineage>& erased() const { return erased_; }
    UnitId create_unit(UnitId target, Birth birth, std::uint64_t step, const UnitContent& content);
    /// Moves the part of a unit that is not kept to a new unit, which conditions it and takes over its
    /// upstreams.
    UnitId split(UnitId id, const KeepFlags& keep, std::uint64_t step);
    /// Deletes the part of a unit that is not kept, and all edges to it in units upstream.
    void shrink(UnitId id, const KeepFlags& keep);
    /// Removes a unit and all units upstream of it.
    void remove(UnitId id);
    /// Merges a unit into its target, which must be a unit. Its upstreams then condition the target.
    void merge(UnitId id);

    /// Replaces the content by stored units. Throws Error(bad_input) if they are inconsistent; `layers` is
    /// the number of layers.
    void restore(std::vector<UnitState> content, std::size_t layers);
    /// The permanent identifier of a node.
    [[nodiscard]] std::uint64_t key_of(NodeSlot slot) const { return keys_[slot]; }

    /// Throws Error(failed) if the structure is inconsistent.
    void check() const;
    [[nodiscard]] std::uint64_t digest() const;

    /// Assigns new ids and slots in scattered order, for tests: results must not depend on them.
    void scatter_ids(std::uint64_t seed) { scatter_ = seed; }

  private:
    UnitId insert_unit(Unit unit);
    NodeSlot allocate_slot(UnitId owner);
    std::vector<UnitId>& siblings(const Unit& unit);
    void attach(UnitId id, UnitId target);
    void append_to_siblings(UnitId id);
    void detach(UnitId id);
    void set_depth(UnitId id, std::uint32_t depth);
    void compile(Unit& unit);
    void remove_edges_to(UnitId id, const std::vector<NodeSlot>& gone);
    void dissolve(UnitId id);
    void erase(UnitId id);
    void add_event(UnitEvent::Kind kind, const Unit& unit);
    void append_in_order(std::vector<UnitId> siblings, std::vector<UnitId>& order) const;
    void check_unit(UnitId id) const;
    [[nodiscard]] bool is_downstream(UnitId below, UnitId of) const;
    [[nodiscard]] std::uint64_t digest(const Unit& unit) const;
    void mark_changed(Unit& unit, UnitId id);
    void link_upstreams();
    void set_depths();
    void link_edges(const std::vector<UnitState>& content, std::size_t layers);

    std::string label_;
    std::uint64_t key_;
    std::size_t node_types_;
    std::vector<std::unique_ptr<Unit>> units_;
    std::vector<UnitId> free_units_;
    std::vector<UnitId> owners_;      ///< by slot; no_unit: free
    std::vector<std::uint64_t> keys_; ///< by slot
    std::vector<NodeSlot> free_slots_;
    std::vector<UnitId> top_level_;
    std::vector<std::uint32_t> ends_; ///< workspace of `compile`
    std::vector<UnitId> changed_;     ///< in this step; may contain duplicates
    std::vector<Lineage> erased_;     ///< in this step
    std::uint64_t scatter_ = 0;
};

/// A view of a unit.
[[nodiscard]] UnitView view_of(const ClassModel& model, UnitId id,
                               const std::shared_ptr<const Schema>& schema);

} // namespace sprig::modeller

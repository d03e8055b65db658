#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sprig/learner.h"
#include "store/content.h"
#include "store/database.h"
#include "store/patch.h"

namespace sprig::store {

/// Knows one kind of learner: what it remembers, as packed content and as rows of tables.
class Codec {
  public:
    Codec() = default;
    virtual ~Codec() = default;
    Codec(const Codec&) = delete;
    Codec& operator=(const Codec&) = delete;
    Codec(Codec&&) = delete;
    Codec& operator=(Codec&&) = delete;

    // Learners
    /// All that a learner knows of its classes and units; the head is not looked at.
    virtual void describe(const Learner& learner, Content& content) const = 0;
    /// What its last step changed, seen from the content before it: classes and units.
    virtual void describe_step(const Learner& learner, const LearnReport& report, std::string_view label,
                               const Content& before, Delta& delta) const = 0;
    /// The units that a step's trace tells of, appended to those of the delta. Throws Error(bad_input) if the
    /// trace was not made for this content.
    virtual void retrace(std::string_view trace, const Content& before, Delta& delta) const = 0;
    /// Throws Error(bad_input) if the content makes no learner.
    [[nodiscard]] virtual std::unique_ptr<Learner> restore(const Content& content) const = 0;

    /// What the units of a class are called, and what they are called once it has another label: where a name
    /// is made of the label and the number of a sample, the old ones are free for another class.
    [[nodiscard]] virtual std::unordered_map<Lineage, Lineage>
    renamed(std::string_view /*label*/, std::string_view /*new_label*/,
            std::string_view /*packed_class*/) const {
        return {};
    }
    /// How many lessons of a class there were.
    [[nodiscard]] virtual std::uint64_t samples_of(std::string_view packed_class) const = 0;

    // Tables
    /// The columns that this kind of learner has beyond `id` and `label`, `lineage` and `class`, and twice
    /// `unit` and `place`. No edges: no such table.
    struct Columns {
        std::vector<std::string> of_class;
        std::vector<std::string> of_unit;
        std::vector<std::string> of_node;
        std::vector<std::string> of_edge;
    };
    [[nodiscard]] virtual const Columns& columns() const = 0;
    [[nodiscard]] Shape shape() const {
        const Columns& all = columns();
        return {all.of_unit.size(), all.of_node.size(), all.of_edge.size()};
    }
    /// Binds what is packed to the parameters from `first` on.
    virtual void bind_class(Statement& insert, int first, std::string_view packed) const = 0;
    virtual void bind_unit(Statement& insert, int first, std::string_view packed) const = 0;
    /// Runs `insert` once for each node (edge), with its unit and place at 1 and 2; returns how many.
    virtual std::size_t insert_nodes(Statement& insert, Lineage unit, std::string_view packed) const = 0;
    virtual std::size_t insert_edges(Statement& insert, Lineage unit, std::string_view packed) const = 0;
    /// Reads what was bound, from the column `first` on.
    [[nodiscard]] virtual std::string read_class(Statement& select, int first) const = 0;
    /// The same of units, and of their nodes and edges by unit and place, which it runs through once.
    virtual void read_units(Statement& units, Statement& nodes, Statement* edges, Content& content) const = 0;
};

/// The codec for a learner of that name, with these parameters and front end. Throws Error(bad_input) if
/// there is none, or they make no sense.
[[nodiscard]] std::unique_ptr<Codec> make_codec(const Head& head);
/// What a learner is, apart from what it learned.
[[nodiscard]] Head head_of(const Learner& learner, std::string preset);

/// The two kinds.
[[nodiscard]] std::unique_ptr<Codec> make_constellation_codec(const Head& head);
[[nodiscard]] std::unique_ptr<Codec> make_modeller_codec(const Head& head);

} // namespace sprig::store

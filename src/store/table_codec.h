#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "store/bytes.h"
#include "store/codec.h"

namespace sprig::store {

// Visitors of a record's fields: each is called with (name, member) for every field in order. A record has
// one list of them, so that packing, unpacking, writing and reading rows cannot disagree.

struct Naming {
    std::vector<std::string>& names;
    template <typename Value>
    void operator()(std::string_view name, const Value&) {
        names.emplace_back(name);
    }
};
struct Packing {
    Packer& packer;
    template <typename Value>
    void operator()(std::string_view, const Value& value) {
        packer.number(value);
    }
};
/// The same into memory that is large enough.
struct Filling {
    char*& to;
    void operator()(std::string_view, double value) { put(value); }
    template <std::unsigned_integral Value>
    void operator()(std::string_view, Value value) {
        put(std::uint64_t{value});
    }

  private:
    template <typename Word>
    void put(Word word) {
        std::memcpy(to, &word, sizeof word);
        to += sizeof word;
    }
};
struct Unpacking {
    Unpacker& unpacker;
    template <typename Value>
    void operator()(std::string_view, Value& value) {
        unpacker.number(value);
    }
};
struct Binding {
    Statement& statement;
    int index;
    void operator()(std::string_view, double value) { statement.bind(index++, value); }
    template <std::unsigned_integral Value>
    void operator()(std::string_view, Value value) {
        statement.bind(index++, static_cast<std::int64_t>(value));
    }
};
struct Reading {
    Statement& statement;
    int column;
    void operator()(std::string_view, double& value) { value = statement.real(column++); }
    template <std::unsigned_integral Value>
    void operator()(std::string_view, Value& value) {
        const std::int64_t read = statement.integer(column++);
        value = static_cast<Value>(read);
        if constexpr (sizeof(Value) < sizeof(std::int64_t)) {
            if (static_cast<std::int64_t>(value) != read) throw bad_input("a number is out of its range");
        }
    }
};

/// All of a codec that follows from a learner's records. `Records` has the types Class, Unit (with the
/// vectors `nodes` and `edges`), Node and Edge, and for each a list of its fields: each_class(record, visit)
/// and so on.
template <typename Records>
class TableCodec : public Codec {
  public:
    explicit TableCodec(Records records) : records_(std::move(records)) {
        records_.each_class(typename Records::Class{}, Naming{columns_.of_class});
        records_.each_unit(typename Records::Unit{}, Naming{columns_.of_unit});
        records_.each_node(typename Records::Node{}, Naming{columns_.of_node});
        records_.each_edge(typename Records::Edge{}, Naming{columns_.of_edge});
    }

    [[nodiscard]] const Columns& columns() const override { return columns_; }

    void bind_class(Statement& insert, int first, std::string_view packed) const override {
        records_.each_class(unpack_class(packed), Binding{insert, first});
    }
    void bind_unit(Statement& insert, int first, std::string_view packed) const override {
        records_.each_unit(unpack_unit(packed), Binding{insert, first});
    }
    std::size_t insert_nodes(Statement& insert, Lineage unit, std::string_view packed) const override {
        const auto record = unpack_unit(packed);
        return insert_rows(insert, unit, record.nodes,
                           [&](const auto& node, auto visit) { records_.each_node(node, visit); });
    }
    std::size_t insert_edges(Statement& insert, Lineage unit, std::string_view packed) const override {
        const auto record = unpack_unit(packed);
        return insert_rows(insert, unit, record.edges,
                           [&](const auto& edge, auto visit) { records_.each_edge(edge, visit); });
    }

    [[nodiscard]] std::string read_class(Statement& select, int first) const override {
        typename Records::Class record;
        records_.each_class(record, Reading{select, first});
        return pack_class(record);
    }

    void read_units(Statement& units, Statement& nodes, Statement* edges, Content& content) const override {
        RowReader node_rows(nodes);
        std::optional<RowReader> edge_rows;
        if (edges != nullptr) edge_rows.emplace(*edges);
        while (units.step()) {
            const auto lineage = static_cast<Lineage>(units.integer(0));
            UnitEntry entry;
            Reading label{units, 1};
            label("class", entry.label);
            typename Records::Unit record;
            records_.each_unit(record, Reading{units, 2});
            node_rows.each_of(
                lineage, [&](Reading reading) { records_.each_node(record.nodes.emplace_back(), reading); });
            if (edge_rows) {
                edge_rows->each_of(lineage, [&](Reading reading) {
                    records_.each_edge(record.edges.emplace_back(), reading);
                });
            }
            entry.packed = pack_unit(record);
            content.units.emplace(lineage, std::move(entry));
        }
        if (!node_rows.is_at_end() || (edge_rows && !edge_rows->is_at_end()))
            throw bad_input("a node or an edge belongs to no unit");
    }

  protected:
    [[nodiscard]] const Records& records() const { return records_; }

    [[nodiscard]] std::string pack_class(const typename Records::Class& record) const {
        std::string bytes;
        Packer packer(bytes);
        records_.each_class(record, Packing{packer});
        return bytes;
    }
    [[nodiscard]] typename Records::Class unpack_class(std::string_view packed) const {
        typename Records::Class record;
        Unpacker unpacker(packed);
        records_.each_class(record, Unpacking{unpacker});
        unpacker.end();
        return record;
    }
    /// Nodes and edges are those of `record`, or some that are made as they are packed: `node(i)` is one.
    [[nodiscard]] std::string pack_unit(const typename Records::Unit& record) const {
        return pack_unit(
            record, record.nodes.size(), [&](std::size_t i) -> const auto& { return record.nodes[i]; },
            record.edges.size(), [&](std::size_t i) -> const auto& { return record.edges[i]; });
    }
    template <typename Record, typename Node, typename Edge>
    [[nodiscard]] std::string pack_unit(const Record& record, std::size_t nodes, const Node& node,
                                        std::size_t edges, const Edge& edge) const {
        const std::size_t words = columns_.of_unit.size() + 2 + (nodes * columns_.of_node.size()) +
                                  (edges * columns_.of_edge.size());
        std::string bytes(words * sizeof(std::uint64_t), '\0');
        char* to = bytes.data();
        Filling fill{to};
        records_.each_unit(record, fill);
        fill("", nodes);
        for (std::size_t i = 0; i < nodes; ++i) records_.each_node(node(i), fill);
        fill("", edges);
        for (std::size_t i = 0; i < edges; ++i) records_.each_edge(edge(i), fill);
        return bytes;
    }
    [[nodiscard]] typename Records::Unit unpack_unit(std::string_view packed) const {
        typename Records::Unit record;
        Unpacker unpacker(packed);
        records_.each_unit(record, Unpacking{unpacker});
        record.nodes.resize(unpacker.count(1));
        for (auto& node : record.nodes) records_.each_node(node, Unpacking{unpacker});
        record.edges.resize(unpacker.count(1));
        for (auto& edge : record.edges) records_.each_edge(edge, Unpacking{unpacker});
        unpacker.end();
        return record;
    }

  private:
    /// Rows by unit and place, taken unit by unit.
    class RowReader {
      public:
        explicit RowReader(Statement& rows) : rows_(rows) { next(); }
        [[nodiscard]] bool is_at_end() const { return !there_; }
        template <typename Take>
        void each_of(Lineage unit, const Take& take) {
            for (std::int64_t place = 0; there_ && static_cast<Lineage>(rows_.integer(0)) == unit; ++place) {
                if (rows_.integer(1) != place) throw bad_input("a unit's nodes or edges are not in order");
                take(Reading{rows_, 2});
                next();
            }
        }

      private:
        void next() { there_ = rows_.step(); }

        Statement& rows_;
        bool there_ = false;
    };

    template <typename Rows, typename Each>
    static std::size_t insert_rows(Statement& insert, Lineage unit, const Rows& rows, const Each& each) {
        std::int64_t place = 0;
        for (const auto& row : rows) {
            insert.bind(1, static_cast<std::int64_t>(unit)).bind(2, place++);
            each(row, Binding{insert, 3});
            insert.run();
        }
        return rows.size();
    }

    Records records_;
    Columns columns_;
};

} // namespace sprig::store

#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "learner/packing.h"
#include "learner/storage.h"

namespace sprig::learner {

// Visitors of a record's fields, called with (name, member) for every field in order. Column names, packing
// and unpacking use the same list of fields, so they always agree.

struct ColumnLister {
    std::vector<Storage::Column>& columns;
    template <typename Value>
    void operator()(std::string_view name, const Value&) {
        columns.push_back({std::string(name), std::is_floating_point_v<Value>});
    }
};
struct FieldPacker {
    Packer& packer;
    template <typename Value>
    void operator()(std::string_view, const Value& value) {
        packer.number(value);
    }
};
/// Like `FieldPacker`, but writes to a preallocated buffer.
struct FieldWriter {
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
struct FieldUnpacker {
    Unpacker& unpacker;
    template <typename Value>
    void operator()(std::string_view, Value& value) {
        unpacker.number(value);
    }
};

/// The part of a storage that follows from a learner's records. `Records` has the types Class, Unit (with the
/// vectors `nodes` and `edges`), Node and Edge, and a function for each that visits its fields:
/// each_class(record, visit) and so on.
template <typename Records>
class RecordStorage : public Storage {
  public:
    explicit RecordStorage(Records records) : records_(std::move(records)) {
        records_.each_class(typename Records::Class{}, ColumnLister{columns_.of_class});
        records_.each_unit(typename Records::Unit{}, ColumnLister{columns_.of_unit});
        records_.each_node(typename Records::Node{}, ColumnLister{columns_.of_node});
        records_.each_edge(typename Records::Edge{}, ColumnLister{columns_.of_edge});
    }

    [[nodiscard]] const Columns& columns() const override { return columns_; }

  protected:
    [[nodiscard]] const Records& records() const { return records_; }

    [[nodiscard]] std::string pack_class(const typename Records::Class& record) const {
        std::string bytes;
        Packer packer(bytes);
        records_.each_class(record, FieldPacker{packer});
        return bytes;
    }
    [[nodiscard]] typename Records::Class unpack_class(std::string_view packed) const {
        typename Records::Class record;
        Unpacker unpacker(packed);
        records_.each_class(record, FieldUnpacker{unpacker});
        unpacker.end();
        return record;
    }
    /// `node(i)` and `edge(i)` return the records of nodes and edges.
    template <typename Record, typename Node, typename Edge>
    [[nodiscard]] std::string pack_unit(const Record& record, std::size_t nodes, const Node& node,
                                        std::size_t edges, const Edge& edge) const {
        const std::size_t words = columns_.of_unit.size() + 2 + (nodes * columns_.of_node.size()) +
                                  (edges * columns_.of_edge.size());
        std::string bytes(words * sizeof(std::uint64_t), '\0');
        char* to = bytes.data();
        FieldWriter write{to};
        records_.each_unit(record, write);
        write("", nodes);
        for (std::size_t i = 0; i < nodes; ++i) records_.each_node(node(i), write);
        write("", edges);
        for (std::size_t i = 0; i < edges; ++i) records_.each_edge(edge(i), write);
        return bytes;
    }
    [[nodiscard]] typename Records::Unit unpack_unit(std::string_view packed) const {
        typename Records::Unit record;
        Unpacker unpacker(packed);
        records_.each_unit(record, FieldUnpacker{unpacker});
        record.nodes.resize(row_count(unpacker, columns_.of_node.size()));
        for (auto& node : record.nodes) records_.each_node(node, FieldUnpacker{unpacker});
        record.edges.resize(row_count(unpacker, columns_.of_edge.size()));
        for (auto& edge : record.edges) records_.each_edge(edge, FieldUnpacker{unpacker});
        unpacker.end();
        return record;
    }

  private:
    /// Reads a number of rows, and checks that there are enough bytes before memory is allocated.
    static std::size_t row_count(Unpacker& unpacker, std::size_t columns) {
        if (columns > 0) return unpacker.count(columns * sizeof(std::uint64_t));
        if (unpacker.count(1) != 0) throw bad_input("packed content is damaged");
        return 0;
    }

    Records records_;
    Columns columns_;
};

} // namespace sprig::learner

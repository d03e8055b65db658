#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sprig/network.h"

namespace sprig {

/// The adjacency of a network as bit sets, for searching; `Network` is the form for building and reading. A
/// bit set has as many 64-bit words as the number of nodes needs, so the size is not limited. Searches are
/// specialised for `words() == 1`, by far the most frequent case.
class BitNetwork {
  public:
    using Word = std::uint64_t;
    static constexpr std::size_t word_bits = 64;

    BitNetwork() = default;
    explicit BitNetwork(const Network& network) { assign(network); }

    /// Replaces the content and reuses the memory. With `rank`, node n of the network has index rank[n] here.
    void assign(const Network& network, std::span<const NodeId> rank = {});

    [[nodiscard]] std::size_t node_count() const { return nodes_; }
    [[nodiscard]] std::size_t words() const { return words_; }

    /// The heads of the edges of the layer whose tail is `node`.
    [[nodiscard]] std::span<const Word> successors(std::size_t layer, NodeId node) const {
        return row(out_, (layer * nodes_) + node);
    }
    /// The tails of the edges of the layer whose head is `node`.
    [[nodiscard]] std::span<const Word> predecessors(std::size_t layer, NodeId node) const {
        return row(in_, (layer * nodes_) + node);
    }
    /// The nodes of a type.
    [[nodiscard]] std::span<const Word> of_type(std::uint32_t type) const { return row(types_, type); }

    [[nodiscard]] bool has_edge(std::size_t layer, NodeId from, NodeId to) const {
        return test(successors(layer, from), to);
    }
    [[nodiscard]] static bool test(std::span<const Word> bits, NodeId node) {
        return ((bits[node / word_bits] >> (node % word_bits)) & 1U) != 0;
    }

  private:
    [[nodiscard]] std::span<const Word> row(const std::vector<Word>& table, std::size_t index) const {
        return {table.data() + (index * words_), words_};
    }
    void set(std::vector<Word>& table, std::size_t index, NodeId node) const {
        table[(index * words_) + (node / word_bits)] |= Word{1} << (node % word_bits);
    }

    std::size_t nodes_ = 0;
    std::size_t words_ = 0;
    std::vector<Word> out_;
    std::vector<Word> in_;
    std::vector<Word> types_;
};

} // namespace sprig

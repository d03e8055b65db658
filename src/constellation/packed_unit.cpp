#include "constellation/packed_unit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

namespace sprig::constellation {

namespace {

/// How the values of a feature are packed. These numbers are never stored in a file.
enum class Coding : std::uint8_t {
    zeros,   ///< all are +0
    whole,   ///< 8 bytes each
    listed,  ///< a list of up to 256 values, and the place in it of each node's value
    as_node, ///< two features: the displacement to another node, given by its number
};

/// The values of a feature by node.
struct Column {
    const double* first;
    std::size_t stride;
    std::size_t size;

    double operator[](std::size_t node) const { return first[node * stride]; }
};

std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

/// Collects bytes. Each thread keeps its memory.
class ByteWriter {
  public:
    explicit ByteWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) { bytes_.clear(); }

    void byte(std::size_t value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
    void coding(Coding value) { byte(static_cast<std::size_t>(value)); }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) byte(0x80U | (value & 0x7fU));
        byte(value);
    }
    [[nodiscard]] std::size_t length() const { return bytes_.size(); }
    void number(double value) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
    }

  private:
    std::vector<std::uint8_t>& bytes_;
};

/// Reads what a `ByteWriter` wrote. The bytes are never from outside, so they are not checked.
class ByteReader {
  public:
    explicit ByteReader(const std::uint8_t* at) : at_(at) {}

    std::uint8_t byte() { return *at_++; }
    Coding coding() { return static_cast<Coding>(byte()); }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t next = byte();
            value |= std::uint64_t{next & 0x7fU} << shift;
            if (next < 0x80) return value;
        }
    }
    double number() {
        double value = 0;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    const std::uint8_t* skip(std::size_t count) {
        const std::uint8_t* const before = at_;
        at_ += count;
        return before;
    }

  private:
    const std::uint8_t* at_;
};

/// A small set of different values, numbered in the order of their arrival.
class ValueList {
  public:
    /// The number of a value, or nothing if there are too many different ones.
    std::optional<std::uint8_t> number_of(double value) {
        const std::uint64_t bits = bits_of(value);
        for (std::size_t slot = (bits * 0x9e3779b97f4a7c15ULL) >> 55U;; slot = (slot + 1) % slots_.size()) {
            if (slots_[slot] == 0) {
                if (values_.size() == max_values) return std::nullopt;
                values_.push_back(value);
                slots_[slot] = static_cast<std::uint16_t>(values_.size());
            }
            const std::size_t number = slots_[slot] - std::size_t{1};
            if (bits_of(values_[number]) == bits) return static_cast<std::uint8_t>(number);
        }
    }
    [[nodiscard]] const std::vector<double>& values() const { return values_; }

    static constexpr std::size_t max_values = 256;

  private:
    std::array<std::uint16_t, 512> slots_{}; ///< number + 1; 0: free
    std::vector<double> values_;
};

void write_values(ByteWriter& writer, const Column& column) {
    ValueList list;
    std::vector<std::uint8_t> numbers;
    numbers.reserve(column.size);
    for (std::size_t node = 0; node < column.size; ++node) {
        const std::optional<std::uint8_t> number = list.number_of(column[node]);
        if (!number) break;
        numbers.push_back(*number);
    }
    const std::size_t length = list.values().size();
    if (length == 1 && bits_of(list.values().front()) == 0) {
        writer.coding(Coding::zeros);
    } else if (numbers.size() == column.size && (8 * length) + column.size < 8 * column.size) {
        writer.coding(Coding::listed);
        writer.byte(length - 1);
        for (const double value : list.values()) writer.number(value);
        for (const std::uint8_t number : numbers) writer.byte(number);
    } else {
        writer.coding(Coding::whole);
        for (std::size_t node = 0; node < column.size; ++node) writer.number(column[node]);
    }
}

void read_values(ByteReader& reader, double* to, std::size_t size) {
    switch (reader.coding()) {
    case Coding::listed: {
        const std::size_t length = reader.byte() + std::size_t{1};
        std::array<double, ValueList::max_values> values; // NOLINT(*-member-init)
        std::memcpy(values.data(), reader.skip(sizeof(double) * length), sizeof(double) * length);
        const std::uint8_t* const numbers = reader.skip(size);
        for (std::size_t node = 0; node < size; ++node) to[node] = values[numbers[node]];
        return;
    }
    case Coding::whole:
        if (size > 0) std::memcpy(to, reader.skip(sizeof(double) * size), sizeof(double) * size);
        return;
    default:
        std::fill_n(to, size, 0.0);
    }
}

/// Finds nodes by their position.
class NodePlaces {
  public:
    NodePlaces(const Column& x, const Column& y) : x_(x), y_(y), next_(x.size) {
        for (std::size_t node = x.size; node-- > 0;) {
            std::uint16_t& head = heads_[slot_of(x[node])];
            next_[node] = head;
            head = static_cast<std::uint16_t>(node + 1);
        }
    }

    /// A node to which a node has exactly this displacement.
    [[nodiscard]] std::optional<std::size_t> find(std::size_t from, double along_x, double along_y) const {
        const double near = x_[from] + along_x;
        const std::size_t below = slot_of(near - rounding);
        const std::size_t above = slot_of(near + rounding);
        const std::optional<std::size_t> found = find_in(below, from, along_x, along_y);
        return found || above == below ? found : find_in(above, from, along_x, along_y);
    }

  private:
    static constexpr std::size_t slots = 256;
    static constexpr double rounding = 1e-6;

    [[nodiscard]] static std::size_t slot_of(double x) {
        constexpr double far = 1e6;
        return static_cast<std::size_t>(static_cast<std::int64_t>(std::clamp(x, -far, far) * 8) & 0xff);
    }
    [[nodiscard]] std::optional<std::size_t> find_in(std::size_t slot, std::size_t from, double along_x,
                                                     double along_y) const {
        for (std::size_t at = heads_[slot]; at != 0; at = next_[at - 1]) {
            const std::size_t node = at - 1;
            if (bits_of(x_[node] - x_[from]) == bits_of(along_x) &&
                bits_of(y_[node] - y_[from]) == bits_of(along_y))
                return node;
        }
        return std::nullopt;
    }

    Column x_;
    Column y_;
    std::array<std::uint16_t, slots> heads_{}; ///< number of the first node + 1; 0: none
    std::vector<std::uint16_t> next_;
};

constexpr std::size_t max_numbered = 0xffff; // nodes that a displacement can be given by

bool is_displacement(const FeatureSet& set, std::size_t f) {
    using enum Feature;
    if (f + 1 >= set.size()) return false;
    const Feature along_x = set.features[f];
    return (along_x == next_x || along_x == previous_x || along_x == later_x || along_x == earlier_x) &&
           static_cast<int>(set.features[f + 1]) == static_cast<int>(along_x) + 1;
}

std::optional<std::vector<std::uint16_t>> numbers_of(const NodePlaces& places, const Column& along_x,
                                                     const Column& along_y) {
    std::vector<std::uint16_t> numbers;
    numbers.reserve(along_x.size);
    for (std::size_t node = 0; node < along_x.size; ++node) {
        const std::optional<std::size_t> to = places.find(node, along_x[node], along_y[node]);
        if (!to) return std::nullopt;
        numbers.push_back(static_cast<std::uint16_t>(*to));
    }
    return numbers;
}

void write_runs(ByteWriter& writer, const Unit& unit) {
    for (std::size_t node = 0; node < unit.size();) {
        const std::uint32_t type = unit.nodes[node].type;
        std::size_t end = node;
        while (end < unit.size() && unit.nodes[end].type == type) ++end;
        writer.varint(type);
        writer.varint(end - node);
        node = end;
    }
}

void write_places(ByteWriter& writer, const Unit& unit, std::size_t width) {
    for (std::size_t node = 0; node < unit.size(); ++node)
        writer.byte(PlaceGrid::place_of(unit.means[node * width], unit.means[(node * width) + 1]));
}

void write_counts(ByteWriter& writer, const Unit& unit) {
    const bool are_new = std::ranges::all_of(
        unit.nodes, [](const UnitNode& node) { return node.hits == 1 && node.watched == 1; });
    writer.byte(are_new ? 0 : 1);
    if (are_new) return;
    for (const UnitNode& node : unit.nodes) {
        writer.varint(node.hits);
        writer.varint(node.watched);
    }
}

void read_nodes(ByteReader& reader, Unit& unit, std::size_t size) {
    unit.nodes.reserve(size);
    while (unit.nodes.size() < size) {
        const auto type = static_cast<std::uint32_t>(reader.varint());
        unit.nodes.resize(unit.nodes.size() + reader.varint(), UnitNode{type, 1, 1});
    }
    if (reader.byte() == 0) return;
    for (UnitNode& node : unit.nodes) {
        node.hits = reader.varint();
        node.watched = reader.varint();
    }
}

void write_means(ByteWriter& writer, const Unit& unit, const FeatureSet& set) {
    const auto column = [&](std::size_t f) { return Column{unit.means.data() + f, set.size(), unit.size()}; };
    const std::size_t x = set.places[static_cast<std::size_t>(Feature::x)];
    const std::size_t y = set.places[static_cast<std::size_t>(Feature::y)];
    std::optional<NodePlaces> places;
    if (x != no_place && y != no_place && unit.size() < max_numbered) places.emplace(column(x), column(y));
    for (std::size_t f = 0; f < set.size(); ++f) {
        const auto numbers =
            places && is_displacement(set, f) ? numbers_of(*places, column(f), column(f + 1)) : std::nullopt;
        if (!numbers) {
            write_values(writer, column(f));
            continue;
        }
        writer.coding(Coding::as_node);
        for (const std::uint16_t number : *numbers) {
            writer.byte(number & 0xffU);
            if (unit.size() > 256) writer.byte(number >> 8U);
        }
        ++f; // both features are written
    }
}

struct Displacement {
    std::size_t feature;
    const std::uint8_t* numbers;
};

/// Reads the first features of `size` nodes. Displacements follow from positions, which may come later.
void read_means(ByteReader& reader, std::size_t size, std::size_t width, std::size_t x, std::size_t y,
                FeatureColumns& to) {
    std::array<Displacement, feature_kinds> displacements; // NOLINT(*-member-init)
    std::size_t count = 0;
    if (to.size() < width) to.resize(width);
    for (std::size_t f = 0; f < width; ++f) {
        if (to[f].size() < size) to[f].resize(size);
        ByteReader ahead = reader;
        if (ahead.coding() != Coding::as_node) {
            read_values(reader, to[f].data(), size);
            continue;
        }
        reader = ahead;
        displacements[count++] = {f++, reader.skip(size > 256 ? 2 * size : size)};
        if (to[f].size() < size) to[f].resize(size);
    }
    for (const auto& [f, numbers] : std::span(displacements).first(count)) {
        const double* const at_x = to[x].data();
        const double* const at_y = to[y].data();
        for (std::size_t node = 0; node < size; ++node) {
            const std::size_t other =
                size > 256 ? numbers[2 * node] | std::size_t{numbers[(2 * node) + 1]} << 8U : numbers[node];
            to[f][node] = at_x[other] - at_x[node];
            to[f + 1][node] = at_y[other] - at_y[node];
        }
    }
}

} // namespace

PackedUnit::PackedUnit(const Unit& unit, const FeatureSet& set)
    : lineage_(unit.lineage), born_(unit.born), count_(unit.count),
      size_(static_cast<std::uint32_t>(unit.size())) {
    is_near_ = std::ranges::all_of(unit.means, [](double mean) { return std::abs(mean) <= 128; });
    std::vector<std::uint8_t> bytes;
    ByteWriter writer(bytes);
    if (set.has_positions_first()) write_places(writer, unit, set.size());
    write_runs(writer, unit);
    write_counts(writer, unit);
    means_at_ = static_cast<std::uint32_t>(writer.length());
    write_means(writer, unit, set);
    for (std::size_t f = 0; f < set.size(); ++f)
        write_values(writer, {unit.squares.data() + f, set.size(), unit.size()});
    length_ = static_cast<std::uint32_t>(bytes.size());
    bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(length_);
    std::ranges::copy(bytes, bytes_.get());
}

Unit PackedUnit::unpacked(const FeatureSet& set) const {
    Unit unit;
    unit.lineage = lineage_;
    unit.born = born_;
    unit.count = count_;
    const std::size_t width = set.size();
    ByteReader reader(bytes_.get());
    if (set.has_positions_first()) (void)reader.skip(size_);
    read_nodes(reader, unit, size_);
    FeatureColumns columns;
    read_means(reader, size_, width, set.places[static_cast<std::size_t>(Feature::x)],
               set.places[static_cast<std::size_t>(Feature::y)], columns);
    unit.means.resize(size_ * width);
    for (std::size_t f = 0; f < width; ++f)
        for (std::size_t node = 0; node < size_; ++node) unit.means[(node * width) + f] = columns[f][node];
    unit.squares.resize(size_ * width);
    std::vector<double> values(size_);
    for (std::size_t f = 0; f < width; ++f) {
        read_values(reader, values.data(), size_);
        for (std::size_t node = 0; node < size_; ++node) unit.squares[(node * width) + f] = values[node];
    }
    return unit;
}

void PackedUnit::read_features(std::size_t count, FeatureColumns& to) const {
    ByteReader reader(bytes_.get() + means_at_);
    read_means(reader, size_, count, 0, 1, to);
}

} // namespace sprig::constellation

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sprig/error.h"

namespace sprig::learner {

static_assert(std::endian::native == std::endian::little, "packed content is little-endian");

/// Appends numbers and strings to a byte string. `Unpacker` reads them back in the same order.
class Packer {
  public:
    explicit Packer(std::string& bytes) : bytes_(bytes) {}

    void number(double value) { put(value); }
    void number(std::unsigned_integral auto value) { put(std::uint64_t{value}); }
    void raw(std::string_view bytes) { bytes_.append(bytes); }
    /// Variable-length integer: 7 bits per byte, lowest first.
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(0x80 | (value & 0x7f)));
        bytes_.push_back(static_cast<char>(value));
    }
    void count(std::size_t value) { put(std::uint64_t{value}); }
    void text(std::string_view value) {
        varint(value.size());
        bytes_.append(value);
    }

  private:
    template <typename Value>
    void put(const Value& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string& bytes_;
};

/// Reads the output of a `Packer`. Throws Error(bad_input) if it is damaged.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

    void number(double& value) {
        take(value);
        if (!std::isfinite(value)) refuse();
    }
    void number(std::uint64_t& value) { take(value); }
    template <std::unsigned_integral Value>
    void number(Value& value) {
        std::uint64_t wide = 0;
        take(wide);
        value = static_cast<Value>(wide);
        if (value != wide) refuse();
    }
    template <std::unsigned_integral Value = std::uint64_t>
    [[nodiscard]] Value varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (bytes_.empty()) refuse();
            const auto byte = static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte >= 0x80) continue;
            if (static_cast<Value>(value) != value) refuse();
            return static_cast<Value>(value);
        }
        refuse();
    }
    [[nodiscard]] std::size_t varint_below(std::size_t bound) {
        const std::uint64_t value = varint();
        if (value >= bound) refuse();
        return static_cast<std::size_t>(value);
    }
    /// The number of items that follow, each of at least one byte.
    [[nodiscard]] std::size_t varint_count() { return checked_count(varint(), 1); }
    /// The number of items that follow, each of at least `item_bytes`.
    [[nodiscard]] std::size_t count(std::size_t item_bytes) {
        std::uint64_t value = 0;
        take(value);
        return checked_count(value, item_bytes);
    }
    /// Throws if the remaining bytes cannot hold `items` of at least `item_bytes` each.
    [[nodiscard]] std::size_t checked_count(std::uint64_t items, std::size_t item_bytes) const {
        if (items > bytes_.size() / item_bytes) refuse();
        return static_cast<std::size_t>(items);
    }
    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    [[nodiscard]] std::string_view raw(std::size_t size) {
        const std::string_view value = bytes_.substr(0, checked_count(size, 1));
        bytes_.remove_prefix(size);
        return value;
    }
    [[nodiscard]] std::string text() { return std::string(raw(varint_count())); }
    void end() const {
        if (!bytes_.empty()) refuse();
    }

  private:
    [[noreturn]] static void refuse() { throw bad_input("packed content is damaged"); }
    template <typename Value>
    void take(Value& value) {
        if (bytes_.size() < sizeof value) refuse();
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_.remove_prefix(sizeof value);
    }

    std::string_view bytes_;
};

/// The sum of the 8-byte words of packed content, as integers.
[[nodiscard]] inline std::uint64_t sum_of_words(std::string_view packed) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + sizeof sum <= packed.size(); at += sizeof sum) {
        std::uint64_t word = 0;
        std::memcpy(&word, packed.data() + at, sizeof word);
        sum += word;
    }
    return sum;
}

/// Every step is invertible in the sum and in the word, so a change within one word is always detected.
[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t sum = bytes.size();
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        bytes.remove_prefix(size);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15U;
        sum ^= sum >> 32U;
    }
    return sum;
}

/// Appends the checksum of the bytes.
inline void append_checksum(std::string& bytes) {
    Packer(bytes).number(checksum(bytes));
}
/// The bytes before the checksum. Throws Error(bad_input) if the checksum is wrong.
[[nodiscard]] inline std::string_view strip_checksum(std::string_view bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof sum) throw bad_input("packed content is damaged");
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    bytes.remove_suffix(sizeof sum);
    if (sum != checksum(bytes)) throw bad_input("packed content is damaged");
    return bytes;
}

} // namespace sprig::learner

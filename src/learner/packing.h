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

/// Writes numbers, of 8 bytes each, and texts one after the other. `Unpacker` reads them back in that order.
class Packer {
  public:
    explicit Packer(std::string& bytes) : bytes_(bytes) {}

    void number(double value) { put(value); }
    void number(std::unsigned_integral auto value) { put(std::uint64_t{value}); }
    void raw(std::string_view bytes) { bytes_.append(bytes); }
    /// A whole number that is small as a rule, in as few bytes as it needs: 7 bits in each, the last ones
    /// first.
    void small(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(0x80 | (value & 0x7f)));
        bytes_.push_back(static_cast<char>(value));
    }
    /// How many follow.
    void count(std::size_t value) { put(std::uint64_t{value}); }
    void text(std::string_view value) {
        small(value.size());
        bytes_.append(value);
    }

  private:
    template <typename Value>
    void put(const Value& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string& bytes_;
};

/// Reads what a `Packer` wrote; throws Error(bad_input) where it is not that.
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
    [[nodiscard]] Value small() {
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
    [[nodiscard]] std::size_t small_below(std::size_t bound) {
        const std::uint64_t value = small();
        if (value >= bound) refuse();
        return static_cast<std::size_t>(value);
    }
    /// How many follow, of which each takes at least one byte.
    [[nodiscard]] std::size_t small_count() { return room_for(small(), 1); }
    /// How many follow, of which each takes at least so many bytes.
    [[nodiscard]] std::size_t count(std::size_t least) {
        std::uint64_t value = 0;
        take(value);
        return room_for(value, least);
    }
    /// That many things, if there is room for them, of so many bytes each.
    [[nodiscard]] std::size_t room_for(std::uint64_t things, std::size_t least) const {
        if (things > bytes_.size() / least) refuse();
        return static_cast<std::size_t>(things);
    }
    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    [[nodiscard]] std::string_view raw(std::size_t size) {
        const std::string_view value = bytes_.substr(0, room_for(size, 1));
        bytes_.remove_prefix(size);
        return value;
    }
    [[nodiscard]] std::string text() { return std::string(raw(small_count())); }
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

/// The sum of packed numbers, taken as whole ones: tells whether two computations came to the same.
[[nodiscard]] inline std::uint64_t sum_of_words(std::string_view packed) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + sizeof sum <= packed.size(); at += sizeof sum) {
        std::uint64_t word = 0;
        std::memcpy(&word, packed.data() + at, sizeof word);
        sum += word;
    }
    return sum;
}

/// Guards bytes against damage. Every step can be inverted, in the sum as in the word, so that a change
/// within one word is always noticed.
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

/// Appends the checksum of what is there.
inline void append_checksum(std::string& bytes) {
    Packer(bytes).number(checksum(bytes));
}
/// What stands before the checksum. Throws Error(bad_input) if that is another.
[[nodiscard]] inline std::string_view without_checksum(std::string_view bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof sum) throw bad_input("packed content is damaged");
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    bytes.remove_suffix(sizeof sum);
    if (sum != checksum(bytes)) throw bad_input("packed content is damaged");
    return bytes;
}

} // namespace sprig::learner

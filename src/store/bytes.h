#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sprig/error.h"

namespace sprig::store {

static_assert(std::endian::native == std::endian::little, "packed content is little-endian");

/// Writes numbers, of 8 bytes each, and texts one after the other. `Unpacker` reads them back in that order.
class Packer {
  public:
    explicit Packer(std::string& bytes) : bytes_(bytes) {}

    void number(double value) { raw(value); }
    void number(std::unsigned_integral auto value) { raw(std::uint64_t{value}); }
    /// A whole number that is small as a rule, in as few bytes as it needs: 7 bits in each, the last ones
    /// first.
    void small(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(0x80 | (value & 0x7f)));
        bytes_.push_back(static_cast<char>(value));
    }
    /// How many follow.
    void count(std::size_t value) { raw(std::uint64_t{value}); }
    void text(std::string_view value) {
        count(value.size());
        bytes_.append(value);
    }

  private:
    template <typename Value>
    void raw(const Value& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string& bytes_;
};

/// Reads what a `Packer` wrote; throws Error(bad_input) where it is not that.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

    void number(double& value) {
        raw(value);
        if (!std::isfinite(value)) refuse();
    }
    void number(std::uint64_t& value) { raw(value); }
    template <std::unsigned_integral Value>
    void number(Value& value) {
        std::uint64_t wide = 0;
        raw(wide);
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
        raw(value);
        return room_for(value, least);
    }
    /// That many things, if there is room for them, of so many bytes each.
    [[nodiscard]] std::size_t room_for(std::uint64_t things, std::size_t least) const {
        if (things > bytes_.size() / least) refuse();
        return static_cast<std::size_t>(things);
    }
    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    [[nodiscard]] std::string text() {
        const std::size_t size = count(1);
        std::string value(bytes_.substr(0, size));
        bytes_.remove_prefix(size);
        return value;
    }
    void end() const {
        if (!bytes_.empty()) refuse();
    }

  private:
    [[noreturn]] static void refuse() { throw bad_input("packed content is damaged"); }
    template <typename Value>
    void raw(Value& value) {
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
/// Throws Error(bad_input) if what was learned elsewhere comes to something else here.
inline void require_same(std::uint64_t sum_there, std::uint64_t sum_here) {
    if (sum_there != sum_here)
        throw bad_input("a lesson in its journal comes to something else here than where it was learned");
}

} // namespace sprig::store

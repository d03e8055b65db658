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
    /// How many follow, of which each takes at least so many bytes: no more than there can be.
    [[nodiscard]] std::size_t count(std::size_t least) {
        std::uint64_t value = 0;
        raw(value);
        if (value > bytes_.size() / least) refuse();
        return static_cast<std::size_t>(value);
    }
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

} // namespace sprig::store

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

/// Writes numbers and texts one after the other. `Unpacker` reads them back in the same order.
class Packer {
  public:
    explicit Packer(std::string& bytes) : bytes_(bytes) {}

    void number(double value) { raw(value); }
    void number(std::uint64_t value) { raw(value); }
    void number(std::uint32_t value) { raw(value); }
    void number(std::uint8_t value) { raw(value); }
    /// How many follow.
    void count(std::size_t value) { raw(static_cast<std::uint32_t>(value)); }
    void numbers(const double* values, std::size_t size) {
        bytes_.append(reinterpret_cast<const char*>(values), size * sizeof(double));
    }
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
    void number(std::uint32_t& value) { raw(value); }
    void number(std::uint8_t& value) { raw(value); }
    /// How many follow, of which each takes at least so many bytes: no more than there can be.
    [[nodiscard]] std::size_t count(std::size_t least) {
        std::uint32_t value = 0;
        raw(value);
        if (value > bytes_.size() / least) refuse();
        return value;
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

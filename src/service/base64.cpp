#include "service/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::service {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> digit_table() {
    std::array<std::uint8_t, 256> table{};
    table.fill(no_digit);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return table;
}
constexpr std::array<std::uint8_t, 256> digits = digit_table();

} // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) group = (group << 8U) | (j < count ? bytes[i + j] : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= count ? alphabet[(group >> (6 * (3 - j))) & 63U] : '=';
    }
    return text;
}

std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view name) {
    const auto refuse = [&](const std::string& reason) {
        return bad_input(fmt::format("{} is not base64: {}", name, reason));
    };
    if (text.size() % 4 != 0)
        throw refuse(fmt::format("it has {} characters, which is not a multiple of 4", text.size()));
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::size_t count = 4; // digits of this group
        if (i + 4 == text.size())
            while (count > 2 && text[i + count - 1] == '=') --count;
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const std::uint8_t digit = j < count ? digits[static_cast<unsigned char>(text[i + j])] : 0;
            if (digit == no_digit) throw refuse(fmt::format("character {} is not a digit of it", i + j + 1));
            group = (group << 6U) | digit;
        }
        if ((count == 2 && (group & 0xffffU) != 0) || (count == 3 && (group & 0xffU) != 0))
            throw refuse("its last digit has bits that belong to no byte");
        for (std::size_t j = 0; j + 1 < count; ++j)
            bytes.push_back(static_cast<std::uint8_t>(group >> (8 * (2 - j))));
    }
    return bytes;
}

} // namespace sprig::service

#include "glyphs/characters.h"

namespace sprig::glyphs {

std::u32string_view letters_and_digits() {
    return U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
}

std::u32string_view letters_and_signs() {
    return U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
           U"ΔΛΞΣΦΨΩαβδεζηθλμξπςσφχω"
           U"!#$%&()*+/<=>?@~\\£¥€§©¶±÷«ßæøðþ¿¬";
}

std::string utf8(char32_t character) {
    const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    const auto tail = [&](int shift) { return byte(0x80U | ((character >> shift) & 0x3FU)); };
    if (character < 0x80U) return {byte(character)};
    if (character < 0x800U) return {byte(0xC0U | (character >> 6U)), tail(0)};
    if (character < 0x10000U) return {byte(0xE0U | (character >> 12U)), tail(6), tail(0)};
    return {byte(0xF0U | (character >> 18U)), tail(12), tail(6), tail(0)};
}

std::string utf8(std::u32string_view characters) {
    std::string text;
    for (const char32_t character : characters) text += utf8(character);
    return text;
}

} // namespace sprig::glyphs

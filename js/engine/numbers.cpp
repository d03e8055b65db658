// strtod and snprintf, as far as the engine uses them, in place of emscripten's (--wrap). Those compute with
// long double, which has 128 bits in WebAssembly and takes software: 10,600 bytes with gzip.

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// The value of a decimal number, read by JavaScript, which rounds correctly.
extern "C" __attribute__((import_module("env"), import_name("number_of"))) double
sprig_number_of(const char* text, std::size_t size);

namespace {

const char* after_digits(const char* text) {
    while (*text >= '0' && *text <= '9') ++text;
    return text;
}

/// The end of the number that the text begins with; the text itself if there is none.
const char* end_of_number(const char* text) {
    const char* const whole = *text == '-' || *text == '+' ? text + 1 : text;
    const char* end = after_digits(whole);
    bool has_digits = end != whole;
    if (*end == '.') {
        const char* const fraction = end + 1;
        end = after_digits(fraction);
        has_digits = has_digits || end != fraction;
    }
    if (!has_digits) return text;
    if (*end != 'e' && *end != 'E') return end;
    const char* const exponent = end[1] == '-' || end[1] == '+' ? end + 2 : end + 1;
    const char* const last = after_digits(exponent);
    return last == exponent ? end : last;
}

/// Whether the text begins with this word, in small or capital letters.
bool begins_with(const char* text, std::string_view word) {
    for (const char letter : word)
        if ((*text++ | 0x20) != letter) return false;
    return true;
}

} // namespace

/// Without white space and hexadecimal numbers; errno is left alone.
extern "C" double __wrap_strtod(const char* text, char** end) {
    const bool is_negative = *text == '-';
    const char* const word = is_negative || *text == '+' ? text + 1 : text;
    double value = 0;
    const char* last = text;
    if (begins_with(word, "inf")) {
        value = is_negative ? -__builtin_inf() : __builtin_inf();
        last = word + (begins_with(word, "infinity") ? 8 : 3);
    } else if (begins_with(word, "nan")) {
        value = __builtin_nan("");
        last = word + 3;
    } else {
        last = end_of_number(text);
        if (last != text) value = sprig_number_of(text, static_cast<std::size_t>(last - text));
    }
    if (end != nullptr) *end = const_cast<char*>(last);
    return value;
}

/// Only %x and %X, as %04x or %.4X: it is used to write characters in JSON and in its messages.
extern "C" int __wrap_snprintf(char* to, std::size_t size, const char* format, ...) {
    std::size_t written = 0;
    const auto put = [&](char letter) {
        if (written + 1 < size) to[written] = letter;
        ++written;
    };
    va_list arguments;
    va_start(arguments, format);
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            put(*format);
            continue;
        }
        do ++format;
        while (*format == '.' || *format == '0' || *format == '4');
        if (*format != 'x' && *format != 'X') __builtin_trap();
        const char* const digits = *format == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
        const unsigned number = va_arg(arguments, unsigned);
        for (int shift = number > 0xffff ? 28 : 12; shift >= 0; shift -= 4)
            put(digits[(number >> shift) & 0xf]);
    }
    va_end(arguments);
    if (size > 0) to[written < size ? written : size - 1] = '\0';
    return static_cast<int>(written);
}

#include "store/squeeze.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "sprig/error.h"

namespace sprig::store {

namespace {

using Word = std::uint64_t;
constexpr std::size_t word_size = sizeof(Word);

/// What fits onto one page of the file takes one page either way.
constexpr std::size_t short_enough = 8000;
constexpr char is_plain = 0;
constexpr char is_squeezed = 1;

// For every word one byte that says how many words ago it was there, 0 if it was not: then it follows. From
// `far` on, the byte and the next one say it together.
constexpr std::size_t far = 128;
constexpr std::size_t farthest = ((256 - far) << 8U) - 1;

constexpr unsigned table_bits = 12;
constexpr Word multiplier = 0x9e3779b97f4a7c15; ///< spreads words over the table

[[noreturn]] void refuse() {
    throw bad_input("packed content is damaged");
}

Word word_at(const char* at) {
    Word word = 0;
    std::memcpy(&word, at, word_size);
    return word;
}

} // namespace

std::string squeezed(std::string_view bytes) {
    std::string result;
    if (bytes.size() <= short_enough) {
        result.reserve(bytes.size() + 1 + word_size);
        result.push_back(is_plain);
        return result.append(bytes);
    }
    const std::size_t count = bytes.size() / word_size;
    result.resize(1 + word_size + (count * (word_size + 1)) + word_size); // no longer than this
    char* to = result.data();
    *to++ = is_squeezed;
    const Word size = bytes.size();
    std::memcpy(to, &size, word_size);
    to += word_size;
    std::array<std::uint32_t, std::size_t{1} << table_bits> latest = {}; // counted from 1
    for (std::size_t i = 0; i < count; ++i) {
        const char* from = bytes.data() + (i * word_size);
        const Word word = word_at(from);
        std::uint32_t& seen = latest[(word * multiplier) >> (64 - table_bits)];
        const std::size_t ago = i + 1 - seen;
        if (seen != 0 && ago <= farthest && word_at(from - (ago * word_size)) == word) {
            if (ago >= far) *to++ = static_cast<char>(far + (ago >> 8U));
            *to++ = static_cast<char>(ago & 0xffU);
        } else {
            *to++ = 0;
            std::memcpy(to, from, word_size);
            to += word_size;
        }
        seen = static_cast<std::uint32_t>(i + 1);
    }
    const std::size_t rest = bytes.size() % word_size;
    std::memcpy(to, bytes.data() + (count * word_size), rest);
    result.resize(static_cast<std::size_t>(to + rest - result.data()));
    return result;
}

std::string unsqueezed(std::string_view bytes) {
    if (bytes.empty()) refuse();
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    if (kind == is_plain) return std::string(bytes);
    if (kind != is_squeezed || bytes.size() < word_size) refuse();
    const Word size = word_at(bytes.data());
    bytes.remove_prefix(word_size);
    if (size / word_size > bytes.size()) refuse(); // every word takes a byte
    std::string result;
    result.reserve(size);
    const auto take = [&](std::size_t many) {
        if (bytes.size() < many) refuse();
        const char* at = bytes.data();
        bytes.remove_prefix(many);
        return at;
    };
    while (result.size() + word_size <= size) {
        std::size_t ago = static_cast<unsigned char>(*take(1));
        if (ago == 0) {
            result.append(take(word_size), word_size);
            continue;
        }
        if (ago >= far) ago = ((ago - far) << 8U) | static_cast<unsigned char>(*take(1));
        if (ago == 0 || ago > result.size() / word_size) refuse();
        const Word word = word_at(result.data() + result.size() - (ago * word_size));
        result.append(reinterpret_cast<const char*>(&word), word_size);
    }
    result.append(take(size - result.size()), size - result.size());
    if (!bytes.empty()) refuse();
    return result;
}

} // namespace sprig::store

#include "core/keyed.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <Random123/philox.h>

namespace sprig::random {

std::uint64_t mix(std::uint64_t seed, std::uint64_t word) {
    using Philox = r123::Philox2x64;
    // "sprig" in ASCII: an arbitrary constant that other programs are unlikely to use.
    constexpr std::uint64_t key = 0x7370726967;
    return Philox{}(Philox::ctr_type{{seed, word}}, Philox::ukey_type{{key}})[0];
}

std::uint64_t mix(std::initializer_list<std::uint64_t> words) {
    std::uint64_t state = words.size();
    for (const std::uint64_t word : words) state = mix(state, word);
    return state;
}

std::uint64_t mix(std::string_view text) {
    std::uint64_t state = text.size();
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        word = (word << 8U) | static_cast<unsigned char>(text[i]);
        if (i % 8 == 7 || i + 1 == text.size()) {
            state = mix(state, word);
            word = 0;
        }
    }
    return state;
}

double uniform(std::uint64_t key) {
    // The upper 53 bits: as many as a double holds.
    return static_cast<double>(mix(key, 0) >> 11U) * 0x1p-53;
}

void shuffle(std::vector<std::size_t>& numbers, std::uint64_t seed, std::uint64_t purpose) {
    std::vector<std::pair<std::uint64_t, std::size_t>> keyed;
    keyed.reserve(numbers.size());
    for (const std::size_t i : numbers) keyed.emplace_back(mix({seed, purpose, i}), i);
    std::ranges::sort(keyed);
    std::transform(keyed.begin(), keyed.end(), numbers.begin(), [](const auto& k) { return k.second; });
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    shuffle(numbers, seed, mix("the order of a stream"));
    return numbers;
}

} // namespace sprig::random

#include "lab/protocol/context.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

/// Prevents a mistake such as 0-99999999 from filling the memory.
constexpr std::uint64_t max_seeds = 1000;

std::uint64_t parse_number(std::string_view text, std::string_view whole) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, number);
    if (problem == std::errc::result_out_of_range)
        throw usage_error(fmt::format("the seed {} is too large: a seed has at most 64 bits", text));
    if (problem != std::errc{} || stopped != end)
        throw usage_error(fmt::format("seeds are written as 0-9, 3 or 0,2,5-7, not as '{}'", whole));
    return number;
}

struct Range {
    std::uint64_t first;
    std::uint64_t last;
};

Range parse_range(std::string_view text, std::string_view whole) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        const std::uint64_t number = parse_number(text, whole);
        return {number, number};
    }
    const Range range = {parse_number(text.substr(0, dash), whole),
                         parse_number(text.substr(dash + 1), whole)};
    if (range.first > range.last) throw usage_error(fmt::format("the range of seeds {} is reversed", text));
    return range;
}

} // namespace

std::vector<std::uint64_t> parse_seeds(std::string_view text) {
    std::vector<std::uint64_t> seeds;
    std::set<std::uint64_t> named;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const Range range = parse_range(text.substr(begin, comma - begin), text);
        if (range.last - range.first >= max_seeds - seeds.size())
            throw usage_error(fmt::format("'{}' names more than {} seeds", text, max_seeds));
        // Counted from the first: the last may be the largest 64-bit number.
        for (std::uint64_t i = 0; i <= range.last - range.first; ++i) {
            const std::uint64_t seed = range.first + i;
            if (!named.insert(seed).second)
                throw usage_error(fmt::format("'{}' names the seed {} twice", text, seed));
            seeds.push_back(seed);
        }
        begin = comma + 1;
    }
    return seeds;
}

} // namespace sprig::lab

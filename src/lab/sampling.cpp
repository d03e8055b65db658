#include "lab/sampling.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "random/keyed.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

/// Other uses of the same seed name other purposes, and get other numbers.
void shuffle(std::vector<std::size_t>& numbers, std::uint64_t seed, std::uint64_t purpose) {
    std::vector<std::pair<std::uint64_t, std::size_t>> keyed;
    keyed.reserve(numbers.size());
    for (const std::size_t i : numbers) keyed.emplace_back(random::mix({seed, purpose, i}), i);
    std::sort(keyed.begin(), keyed.end());
    std::transform(keyed.begin(), keyed.end(), numbers.begin(), [](const auto& k) { return k.second; });
}

std::vector<std::size_t> draw_classes(const Dataset& data, std::uint64_t seed, std::size_t count) {
    std::vector<std::size_t> classes(data.classes().size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    if (count == 0) return classes;
    if (count > classes.size())
        throw usage_error(fmt::format("{} classes are to be drawn, but there are {}", count, classes.size()));
    shuffle(classes, seed, random::mix("the order of classes"));
    classes.resize(count);
    return classes;
}

} // namespace

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    shuffle(numbers, seed, random::mix("the order of a stream"));
    return numbers;
}

ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images) {
    ImagesByClass result(data.classes().size());
    for (const std::size_t i : images) {
        if (data.label(i) >= 0) result[static_cast<std::size_t>(data.label(i))].push_back(i);
    }
    return result;
}

Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
          std::size_t stream_per_class, std::size_t held_out_per_class, std::size_t drawn_classes) {
    const std::size_t needed = stream_per_class + held_out_per_class;
    ImagesByClass images = by_class(data, pool);
    Draw result;
    result.classes = draw_classes(data, seed, drawn_classes);
    for (const std::size_t c : result.classes) {
        std::vector<std::size_t>& of_class = images[c];
        if (of_class.size() < needed) {
            throw usage_error(fmt::format("the pool has {} images of class {}, but {} are needed: {} for the "
                                          "stream and {} held out",
                                          of_class.size(), data.classes()[c], needed, stream_per_class,
                                          held_out_per_class));
        }
        shuffle(of_class, seed, random::mix("the order of a pool"));
        const auto split = of_class.begin() + static_cast<std::ptrdiff_t>(stream_per_class);
        const auto end = of_class.begin() + static_cast<std::ptrdiff_t>(needed);
        result.stream.emplace_back(of_class.begin(), split);
        result.held_out.emplace_back(split, end);
    }
    return result;
}

} // namespace sprig::lab

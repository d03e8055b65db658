#include "lab/sampling.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "random/keyed.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

void shuffle(std::vector<std::size_t>& images, std::uint64_t seed) {
    // Other uses of the same seed name other purposes, and get other numbers.
    const std::uint64_t purpose = random::mix("the order of a pool");
    std::vector<std::pair<std::uint64_t, std::size_t>> keyed;
    keyed.reserve(images.size());
    for (const std::size_t i : images) keyed.emplace_back(random::mix({seed, purpose, i}), i);
    std::sort(keyed.begin(), keyed.end());
    std::transform(keyed.begin(), keyed.end(), images.begin(), [](const auto& k) { return k.second; });
}

} // namespace

ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images) {
    ImagesByClass result(data.classes().size());
    for (const std::size_t i : images) {
        if (data.label(i) >= 0) result[static_cast<std::size_t>(data.label(i))].push_back(i);
    }
    return result;
}

Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
          std::size_t stream_per_class, std::size_t held_out_per_class) {
    const std::size_t needed = stream_per_class + held_out_per_class;
    ImagesByClass images = by_class(data, pool);
    Draw result;
    for (std::size_t c = 0; c < images.size(); ++c) {
        std::vector<std::size_t>& of_class = images[c];
        if (of_class.size() < needed) {
            throw usage_error(fmt::format("the pool has {} images of class {}, but {} are needed: {} for the "
                                          "stream and {} held out",
                                          of_class.size(), data.classes()[c], needed, stream_per_class,
                                          held_out_per_class));
        }
        shuffle(of_class, seed);
        const auto split = of_class.begin() + static_cast<std::ptrdiff_t>(stream_per_class);
        const auto end = of_class.begin() + static_cast<std::ptrdiff_t>(needed);
        result.stream.emplace_back(of_class.begin(), split);
        result.held_out.emplace_back(split, end);
    }
    return result;
}

} // namespace sprig::lab

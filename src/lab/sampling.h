#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/data.h"

namespace sprig::lab {

/// Indices of images in a data set, by class.
using ImagesByClass = std::vector<std::vector<std::size_t>>;

/// Sorts images by their class; those without a label are left out.
[[nodiscard]] ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images);

/// The numbers from 0 on in an order that hangs on the seed: the same one everywhere.
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

/// What one seed takes from a pool.
struct Draw {
    ImagesByClass stream;
    ImagesByClass held_out;           ///< none of them is in the stream
    std::vector<std::size_t> classes; ///< which class comes in which place of the two
};

/// Of each class the images in an order that depends on the seed: the first ones are the stream, the next
/// ones held out. An image's place in the order hangs on the seed and on its own index alone, so that a pool
/// with some images taken away gives the others in the same order. With `drawn_classes` there are only so
/// many classes, which ones and in what order hangs on the seed; 0: all in their order. Throws Error(usage)
/// if a class has too few images, or there are too few classes.
[[nodiscard]] Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
                        std::size_t stream_per_class, std::size_t held_out_per_class,
                        std::size_t drawn_classes = 0);

} // namespace sprig::lab

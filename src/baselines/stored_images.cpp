#include "baselines/stored_images.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::baselines {

namespace {

constexpr std::size_t most_classes = std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;

} // namespace

StoredImages::StoredImages(const Task& task) : width_(task.width) {
    if (task.classes <= most_classes) return;
    throw usage_error(
        fmt::format("stored images have a label of one byte: {} classes are too many, {} the most",
                    task.classes, most_classes));
}

void StoredImages::add(const Samples& images, std::size_t label) {
    pixels_.resize(pixels_.size() + images.values().size());
    to_grey(images.values(), std::span(pixels_).last(images.values().size()));
    labels_.insert(labels_.end(), images.size(), static_cast<std::uint8_t>(label));
}

Kept StoredImages::kept() const {
    return {.data = pixels_.size() + labels_.size(), .images = labels_.size()};
}

void to_grey(std::span<const float> pixels, std::span<std::uint8_t> grey) {
    std::ranges::transform(pixels, grey.begin(), [](float pixel) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(pixel, 0.0F, 1.0F) * 255));
    });
}

} // namespace sprig::baselines

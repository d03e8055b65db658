#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sprig/data.h"

namespace sprig {

ImageView Dataset::image(std::size_t index) const {
    const Item& item = items_[index];
    return {pixels_.data() + item.offset, item.width, item.height};
}

std::string Dataset::name(std::size_t index) const {
    const Item& item = items_[index];
    return item.name.empty() ? fmt::format("{}:{}", base_, first_number_ + index) : item.name;
}

std::string Dataset::label_name(std::size_t index) const {
    const int label = items_[index].label;
    return label < 0 ? "?" : classes_[static_cast<std::size_t>(label)];
}

void Dataset::reserve(std::size_t images, std::size_t pixels) {
    items_.reserve(images);
    pixels_.reserve(pixels);
}

void Dataset::number_from(std::string base, std::size_t first) {
    base_ = std::move(base);
    first_number_ = first;
}

void Dataset::add(ImageView image, int label, std::string name) {
    items_.push_back({pixels_.size(), image.width, image.height, label, std::move(name)});
    pixels_.insert(pixels_.end(), image.pixels, image.pixels + image.size());
}

bool TopologyRule::keeps(std::string_view label, int components_seen, int holes_seen) const {
    if (components_seen != components) return false;
    return std::all_of(holes.begin(), holes.end(),
                       [&](const auto& rule) { return rule.first != label || rule.second == holes_seen; });
}

} // namespace sprig

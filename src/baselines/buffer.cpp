#include "baselines/buffer.h"

#include <algorithm>
#include <cmath>

#include "random/keyed.h"

namespace sprig::baselines {

std::size_t Buffer::below(std::size_t count) const {
    static const std::uint64_t purpose = random::mix("the place in a buffer");
    const double at = random::uniform(random::mix({seed_, purpose, offered_}));
    return static_cast<std::size_t>(std::floor(at * static_cast<double>(count)));
}

std::size_t Buffer::balanced_place(std::size_t label) const {
    const std::vector<std::size_t>& labels = past_.labels;
    const auto count = [&](std::size_t of) { return std::ranges::count(labels, of); };
    std::ptrdiff_t most = 0;
    for (const std::size_t other : labels) most = std::max(most, count(other));
    // A class that has its share already renews itself; else one of the largest classes gives way.
    const bool has_its_share = count(label) == most;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (has_its_share ? labels[i] == label : count(labels[i]) == most) places.push_back(i);
    }
    return places[below(places.size())];
}

std::size_t Buffer::place_for(std::size_t label) const {
    if (size() < capacity_) return size();
    if (policy_ == Policy::balanced) return balanced_place(label);
    return std::min(below(offered_ + 1), capacity_);
}

void Buffer::offer(std::span<const float> image, std::size_t label, std::span<const float> note) {
    if (capacity_ == 0) return;
    if (empty()) {
        past_ = Labelled(image.size());
        notes_ = Samples(note.size());
    }
    const std::size_t place = place_for(label);
    ++offered_;
    if (place == capacity_) return;
    if (place == size()) {
        past_.add(image, label);
        notes_.add(note);
        return;
    }
    past_.images.replace(place, image);
    past_.labels[place] = label;
    notes_.replace(place, note);
}

Kept Buffer::kept() const {
    return {0, past_.bytes() + (notes_.values().size() * sizeof(float)), size()};
}

} // namespace sprig::baselines

#include "learner/storage.h"

#include <algorithm>

#include "learner/packing.h"

namespace sprig::learner {

namespace {

/// Sets or removes an entry and returns the old value.
template <typename Map, typename Key, typename Entry>
std::optional<Entry> exchange(Map& map, const Key& key, std::optional<Entry> value) {
    std::optional<Entry> old;
    const auto found = map.find(key);
    if (found != map.end()) old = std::move(found->second);
    if (value) {
        map.insert_or_assign(key, std::move(*value));
    } else if (found != map.end()) {
        map.erase(found);
    }
    return old;
}

} // namespace

std::optional<ClassId> Content::find_class(std::string_view label) const {
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [&](const auto& entry) { return entry.second.label == label; });
    if (found == classes.end()) return {};
    return found->first;
}

Delta apply(Content& content, Delta delta) {
    Delta inverse;
    inverse.lesson = std::exchange(content.header.lessons, delta.lesson);
    inverse.steps = std::exchange(content.header.steps, delta.steps);
    for (auto& [id, entry] : delta.classes)
        inverse.classes.emplace_back(id, exchange(content.classes, id, std::move(entry)));
    for (auto& [lineage, entry] : delta.units)
        inverse.units.emplace_back(lineage, exchange(content.units, lineage, std::move(entry)));
    // An entry may change more than once, so the inverse applies the changes in reverse order.
    std::reverse(inverse.classes.begin(), inverse.classes.end());
    std::reverse(inverse.units.begin(), inverse.units.end());
    inverse.events = std::move(delta.events);
    return inverse;
}

std::uint64_t digest_of(const Delta& delta) {
    std::uint64_t sum = delta.steps;
    for (const auto& [id, entry] : delta.classes) sum += id + (entry ? sum_of_words(entry->packed) : 1);
    for (const auto& [lineage, entry] : delta.units)
        sum += lineage + (entry ? sum_of_words(entry->packed) : 1);
    return sum;
}

} // namespace sprig::learner

#include "constellation/features.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "constellation/layout.h"

namespace sprig::constellation {

namespace {

struct Entry {
    Feature feature;
    double weight;
    double spread;
};

} // namespace

FeatureSet::FeatureSet(const ConstellationParams& p) {
    using enum Feature;
    std::vector<Entry> entries;
    for (const Feature f : {x, y}) entries.push_back({f, p.position_weight, p.position_spread});
    for (const Feature f : {next_x, next_y, previous_x, previous_y})
        entries.push_back({f, p.neighbour_weight, p.displacement_spread});
    for (const Feature f : {later_x, later_y, earlier_x, earlier_y})
        entries.push_back({f, p.survivor_weight, p.displacement_spread});
    entries.push_back({persistence, p.persistence_weight, p.persistence_spread});
    entries.push_back({sharpness, p.sharpness_weight, p.sharpness_spread});
    std::erase_if(entries, [](const Entry& e) { return e.weight == 0; });
    std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) { return a.weight > b.weight; });
    for (const Entry& e : entries) {
        const int quarters = static_cast<int>(std::lround(4 * e.weight));
        if (groups.empty() || groups.back().quarters != quarters)
            groups.push_back({features.size(), features.size(), quarters});
        features.push_back(e.feature);
        weights.push_back(e.weight);
        prior_sums.push_back(p.prior_weight * (e.spread * e.spread));
        total_weight += e.weight;
        groups.back().end = features.size();
    }
    places = places_in(features);
    const auto has = [this](const auto& layout) {
        return std::ranges::equal(features, layout.features) && std::ranges::equal(groups, layout.groups);
    };
    if (has(StandardLayout{})) known_layout = KnownLayout::standard;
    if (has(PaperLayout{})) known_layout = KnownLayout::paper;
}

} // namespace sprig::constellation

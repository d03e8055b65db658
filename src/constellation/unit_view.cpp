#include "constellation/unit_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/elementary.h"

namespace sprig::constellation {

namespace {

std::optional<std::size_t> index_of(Feature feature, const FeatureSet& set) {
    const auto found = std::find(set.features.begin(), set.features.end(), feature);
    if (found == set.features.end()) return std::nullopt;
    return static_cast<std::size_t>(found - set.features.begin());
}

} // namespace

UnitView view_of(const Unit& unit, const std::string& label, const UnitContext& context,
                 const std::shared_ptr<const Schema>& schema) {
    const FeatureSet& set = context.set;
    UnitView view{.lineage = unit.lineage,
                  .target = {},
                  .label = label,
                  .born = unit.born,
                  .active = unit.count,
                  .pattern = Network(schema),
                  .own_nodes = unit.size()};
    for (std::size_t node = 0; node < unit.size(); ++node) {
        const auto mean = [&](Feature feature) {
            const std::optional<std::size_t> f = index_of(feature, set);
            return f ? unit.means[(node * set.size()) + *f] : 0.0;
        };
        const auto spread = [&](Feature feature) {
            const std::optional<std::size_t> f = index_of(feature, set);
            return f ? std::sqrt(unit.square_scale(node, *f, context.params, set)) : 0.0;
        };
        const std::array position = {mean(Feature::x), mean(Feature::y)};
        std::vector<double> attributes(schema->attributes.size(), 0.0);
        attributes[static_cast<std::size_t>(NodeAttribute::persistence)] =
            elementary::expm1(mean(Feature::persistence));
        attributes[static_cast<std::size_t>(NodeAttribute::sharpness)] = mean(Feature::sharpness);
        view.pattern.add_node(unit.nodes[node].type, position, attributes);
        view.nodes.push_back({.presence = presence_of(unit.nodes[node]),
                              .spread = {spread(Feature::x), spread(Feature::y)},
                              .to_next = {mean(Feature::next_x), mean(Feature::next_y)},
                              .to_previous = {mean(Feature::previous_x), mean(Feature::previous_y)}});
    }
    return view;
}

} // namespace sprig::constellation

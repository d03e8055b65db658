#include <span>

#include "modeller/class_model.h"

namespace sprig::modeller {

UnitView view_of(const ClassModel& model, UnitId id, const std::shared_ptr<const Schema>& schema) {
    const Unit& unit = model.unit(id);
    const auto dimensions = static_cast<std::size_t>(schema->dimensions);
    const auto coordinates = [&](const Point& point) { return std::span(point.at).first(dimensions); };
    const std::vector<double> no_attributes(schema->attributes.size(), 0.0);
    Network pattern(schema);
    for (const NodeRecord& node : unit.nodes) {
        pattern.add_node(node.type, coordinates(node.mean), no_attributes);
    }
    for (const NodeSlot anchor : unit.anchors) {
        const NodeRecord& node = model.record(anchor);
        pattern.add_node(node.type, coordinates(node.mean), no_attributes);
    }
    for (const match::Pattern::Edge& edge : unit.pattern.edges()) {
        pattern.add_edge({edge.from, edge.to, edge.layer, 0, 0}, coordinates(edge.displacement));
    }
    UnitView view{.lineage = unit.lineage,
                  .target = {},
                  .label = model.label(),
                  .polarity = unit.polarity,
                  .depth = unit.depth,
                  .born = unit.born,
                  .active = unit.active,
                  .inactive = unit.inactive,
                  .pattern = std::move(pattern),
                  .own_nodes = unit.nodes.size()};
    if (unit.target != no_unit) view.target = model.unit(unit.target).lineage;
    return view;
}

} // namespace sprig::modeller

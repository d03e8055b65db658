#include "cli/models.h"

namespace sprig::cli {

namespace {

Json numbers(std::span<const double> values) {
    Json json = std::vector<double>(values.begin(), values.end());
    return json;
}

Json node_json(const UnitView& unit, NodeId node) {
    const Network& pattern = unit.pattern;
    Json json = {{"type", pattern.schema().node_types[pattern.type(node)]},
                 {"at", numbers(pattern.position(node))},
                 {"own", node < unit.own_nodes}};
    if (node >= unit.nodes.size()) return json;
    // Only these nodes have attributes.
    for (std::size_t a = 0; a < pattern.schema().attributes.size(); ++a)
        json[pattern.schema().attributes[a]] = pattern.attribute(node, a);
    const NodeView& view = unit.nodes[node];
    json["presence"] = view.presence;
    json["spread"] = view.spread;
    json["to_next"] = view.to_next;
    json["to_previous"] = view.to_previous;
    return json;
}

Json edge_json(const Network& pattern, EdgeId id) {
    const Edge& edge = pattern.edge(id);
    return {{"from", edge.from},
            {"to", edge.to},
            {"layer", pattern.schema().layers[edge.layer]},
            {"displacement", numbers(pattern.displacement(id))}};
}

Json classes_json(const Model& model, const std::vector<UnitView>& units) {
    Json classes = Json::array();
    const std::vector<std::string> labels = model.learner().classes();
    for (std::size_t c = 0; c < labels.size(); ++c) {
        std::size_t positive = 0;
        std::size_t negative = 0;
        for (const UnitView& unit : units) {
            if (unit.label == labels[c]) ++(unit.polarity == Polarity::positive ? positive : negative);
        }
        classes.push_back({{"label", labels[c]},
                           {"samples", model.samples()[c]},
                           {"units", positive + negative},
                           {"positive", positive},
                           {"negative", negative}});
    }
    return classes;
}

Json facts_json(const Model& model) {
    const ModelFacts& facts = model.facts();
    const ModelSize size = model.learner().model_size();
    return {{"learner", facts.learner},
            {"preset", facts.preset},
            {"free_pose", facts.free_pose},
            {"seed", facts.seed},
            {"method", facts.method},
            {"written_by", facts.written_by},
            {"parameters", Json::parse(facts.parameters)},
            {"front_end", Json::parse(facts.front_end)},
            {"lessons", facts.lessons},
            {"undoable", facts.undoable},
            {"digest", hexadecimal(model.learner().digest())},
            {"file_bytes", facts.bytes},
            {"model_bytes", size.bytes},
            {"nodes", size.nodes},
            {"singletons", size.singletons},
            {"events", facts.event_totals}};
}

} // namespace

Json json_of(const Model& model, const UnitView& unit, Patterns patterns) {
    Json json = {{"unit", hexadecimal(unit.lineage)},
                 {"class", unit.label},
                 {"target", unit.target ? Json(hexadecimal(*unit.target)) : Json(nullptr)},
                 {"polarity", unit.polarity == Polarity::positive ? "positive" : "negative"},
                 {"depth", unit.depth},
                 {"born", unit.born},
                 {"age", age_of(model, unit)},
                 {"active", unit.active},
                 {"inactive", unit.inactive},
                 {"own_nodes", unit.own_nodes}};
    if (patterns == Patterns::no) return json;
    json["nodes"] = Json::array();
    for (NodeId n = 0; n < unit.pattern.node_count(); ++n) json["nodes"].push_back(node_json(unit, n));
    json["edges"] = Json::array();
    for (EdgeId e = 0; e < unit.pattern.edge_count(); ++e)
        json["edges"].push_back(edge_json(unit.pattern, e));
    return json;
}

Json json_of(const std::vector<LoggedEvent>& events) {
    Json json = Json::array();
    for (const LoggedEvent& logged : events) {
        json.push_back(
            {{"lesson", logged.lesson},
             {"kind", event_name(logged.event.kind)},
             {"unit", hexadecimal(logged.event.unit)},
             {"target", logged.event.target ? Json(hexadecimal(*logged.event.target)) : Json(nullptr)}});
    }
    return json;
}

Json json_of(const Model& model, Patterns patterns) {
    const std::vector<UnitView> units = model.learner().units();
    Json json = facts_json(model);
    json["classes"] = classes_json(model, units);
    json["units"] = Json::array();
    for (const UnitView& unit : units) json["units"].push_back(json_of(model, unit, patterns));
    json["history"] = json_of(model.events());
    return json;
}

} // namespace sprig::cli

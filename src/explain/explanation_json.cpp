#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_object.h"
#include "explain/ghost.h"

namespace sprig {

namespace {

using Json = nlohmann::ordered_json;

std::string hex(Lineage lineage) {
    return fmt::format("{:016x}", lineage);
}

/// A label may contain any bytes; those that are not UTF-8 are replaced, so that the rest can be parsed.
std::string dump(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string type_name(const Network& network, NodeId node) {
    return network.schema().node_types[network.type(node)];
}

/// The properties of a unit that do not depend on an observation.
Json unit_record_json(const UnitView& unit) {
    return json_object({{"lineage", hex(unit.lineage)},
                        {"target", unit.target ? Json(hex(*unit.target)) : Json(nullptr)},
                        {"polarity", unit.polarity == Polarity::positive ? "positive" : "negative"},
                        {"depth", unit.depth},
                        {"born", unit.born},
                        {"active", unit.active},
                        {"observations", unit.observations()}});
}

Json pattern_node_json(const UnitView& unit, NodeId node) {
    Json json = json_object({{"type", type_name(unit.pattern, node)}, {"at", unit.pattern.position(node)}});
    if (node >= unit.own_nodes) json["anchor"] = true;
    if (node < unit.nodes.size()) {
        json["presence"] = unit.nodes[node].presence;
        json["spread"] = unit.nodes[node].spread;
    }
    return json;
}

Json unit_json(const UnitView& unit, const std::vector<std::size_t>& children, const GlobalExplanation& all) {
    Json json = unit_record_json(unit);
    json["mature"] = unit.observations() >= all.maturity;
    json["conditioned_by"] = Json::array();
    for (const std::size_t child : children) json["conditioned_by"].push_back(hex(all.units[child].lineage));
    json["nodes"] = Json::array();
    for (NodeId node = 0; node < unit.pattern.node_count(); ++node)
        json["nodes"].push_back(pattern_node_json(unit, node));
    json["edges"] = Json::array();
    for (EdgeId id = 0; id < unit.pattern.edge_count(); ++id) {
        const Edge& edge = unit.pattern.edge(id);
        json["edges"].push_back(json_object({{"layer", unit.pattern.schema().layers[edge.layer]},
                                             {"from", edge.from},
                                             {"to", edge.to},
                                             {"by", unit.pattern.displacement(id)}}));
    }
    return json;
}

Json summary_json(const ClassSummary& summary, const GlobalExplanation& all) {
    Json json = json_object({{"observations", summary.observations},
                             {"positive", summary.positive},
                             {"negative", summary.negative},
                             {"by_depth", summary.by_depth},
                             {"mature", Json::array()},
                             {"roots", Json::array()},
                             {"units", Json::array()}});
    for (const std::size_t unit : summary.mature) json["mature"].push_back(hex(all.units[unit].lineage));
    for (const std::size_t unit : summary.roots) json["roots"].push_back(hex(all.units[unit].lineage));
    for (std::size_t u = 0; u < all.units.size(); ++u)
        if (all.units[u].label == summary.label)
            json["units"].push_back(unit_json(all.units[u], all.children[u], all));
    return json;
}

/// A unit with its contribution, and where each node was expected and found.
Json scored_unit_json(const ScoredUnit& part) {
    Json json = unit_record_json(part.unit);
    json["present"] = part.contribution.present;
    json["value"] = part.contribution.value;
    if (part.contribution.log_likelihood) {
        json["explained"] = *part.contribution.log_likelihood;
        json["log_weight"] = part.contribution.log_weight;
        json["share"] = part.share;
    }
    const FoundPose& pose = part.contribution.pose;
    if (pose.turned != 0) json["turned"] = pose.turned;
    if (pose.left_right || pose.top_bottom)
        json["mirrored"] = json_object({{"left_right", pose.left_right}, {"top_bottom", pose.top_bottom}});
    json["nodes"] = Json::array();
    for (NodeId node = 0; node < part.unit.own_nodes; ++node) {
        Json one = json_object({{"type", type_name(part.unit.pattern, node)},
                                {"expected_at", part.unit.pattern.position(node)}});
        const bool placed =
            node < part.contribution.placed.size() && part.contribution.placed[node] != no_node;
        one["placed"] = placed ? Json(part.contribution.placed[node]) : Json(nullptr);
        if (node < part.contribution.node_values.size()) one["value"] = part.contribution.node_values[node];
        json["nodes"].push_back(std::move(one));
    }
    return json;
}

Json by_label(const LocalExplanation& all, double best, double other) {
    Json json = Json::object();
    json[all.best->label] = best;
    if (all.other) json[all.other->label] = other;
    return json;
}

/// Without nodes if the whole unit is added.
Json addition_json(const LocalExplanation& all, const Addition& added) {
    Json json = json_object({{"unit", hex(added.unit)}});
    const ScoredUnit* unit = explain::unit_of(added, all);
    if (unit == nullptr) return json;
    json["class"] = unit->unit.label;
    if (added.nodes.empty()) return json;
    json["nodes"] = Json::array();
    for (const NodeId node : added.nodes)
        json["nodes"].push_back(json_object({{"node", node},
                                             {"type", type_name(unit->unit.pattern, node)},
                                             {"expected_at", unit->unit.pattern.position(node)}}));
    json["ghost"] = explain::ghost_of(added, *unit);
    return json;
}

Json change_json(const LocalExplanation& all, const Change& change) {
    Json json = json_object({{"to", all.other->label},
                             {"found", change.found()},
                             {"smallest", change.is_proven_smallest()},
                             {"at_least", change.size_lower_bound},
                             {"added", Json::array()},
                             {"scores", Json::object()}});
    for (const Addition& added : change.added) json["added"].push_back(addition_json(all, added));
    for (std::size_t k = 0; k < all.classes.size(); ++k) json["scores"][all.classes[k]] = change.scores[k];
    return json;
}

} // namespace

std::string to_json(const GlobalExplanation& explanation) {
    Json json = json_object({{"learner", explanation.learner},
                             {"steps", explanation.steps},
                             {"maturity", explanation.maturity},
                             {"classes", Json::object()}});
    for (const ClassSummary& summary : explanation.classes)
        json["classes"][summary.label] = summary_json(summary, explanation);
    return dump(json);
}

std::string to_json(const LocalExplanation& explanation) {
    const LocalExplanation& all = explanation;
    Json json = json_object({{"learner", all.learner},
                             {"answer", all.best ? Json(all.best->label) : Json(nullptr)},
                             {"compared_with", all.other ? Json(all.other->label) : Json(nullptr)},
                             {"margin", all.prediction.margin}});
    if (all.prediction.fit) json["explained"] = *all.prediction.fit;
    json["classes"] = Json::object();
    for (std::size_t k = 0; k < all.classes.size(); ++k)
        json["classes"][all.classes[k]] = json_object(
            {{"score", all.prediction.scores[k]}, {"probability", all.prediction.probabilities[k]}});
    json["units"] = Json::object();
    for (const std::optional<ScoredClass>* part : {&all.best, &all.other}) {
        if (!*part) continue;
        Json& units = json["units"][(*part)->label] = Json::array();
        for (const ScoredUnit& one : (*part)->units) units.push_back(scored_unit_json(one));
    }
    json["elements"] = Json::array();
    for (const Element& element : all.elements)
        json["elements"].push_back(json_object({{"node", element.node},
                                                {"type", type_name(all.network, element.node)},
                                                {"at", all.network.position(element.node)},
                                                {"for", by_label(all, element.for_best, element.for_other)},
                                                {"decides", element.margin_effect()}}));
    json["decisive"] = Json::array();
    for (std::size_t i = 0; i < all.decisive_count; ++i) json["decisive"].push_back(all.elements[i].node);
    if (all.other)
        json["scores_without_decisive"] = by_label(all, all.best_score_without, all.other_score_without);
    if (all.change) json["change"] = change_json(all, *all.change);
    json["network"] = Json::parse(to_json(all.network));
    return dump(json);
}

} // namespace sprig

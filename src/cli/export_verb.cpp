#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/inspect_report.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "draw/svg.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

// Identifiers in the graph. Classes are numbered, because a label may contain any characters.
std::string class_id(std::size_t index) {
    return fmt::format("class{}", index);
}
std::string unit_id(Lineage lineage) {
    return "unit" + hexadecimal(lineage);
}
std::string node_id(const UnitView& unit, NodeId node) {
    return fmt::format("{}.{}", unit_id(unit.lineage), node);
}

/// The unit or class that a unit conditions.
std::string target_id(const Model& model, const UnitView& unit) {
    if (unit.target) return unit_id(*unit.target);
    const std::vector<std::string> classes = model.learner().classes();
    return class_id(static_cast<std::size_t>(std::ranges::find(classes, unit.label) - classes.begin()));
}

struct Key {
    const char* name;
    const char* type;
};
constexpr std::array node_keys = {
    Key{"kind", "string"},     Key{"label", "string"},  Key{"class", "string"},    Key{"unit", "string"},
    Key{"polarity", "string"}, Key{"depth", "int"},     Key{"born", "long"},       Key{"age", "long"},
    Key{"active", "long"},     Key{"inactive", "long"}, Key{"samples", "long"},    Key{"type", "string"},
    Key{"x", "double"},        Key{"y", "double"},      Key{"presence", "double"}, Key{"spread_x", "double"},
    Key{"spread_y", "double"}};
constexpr std::array edge_keys = {Key{"relation", "string"}, Key{"dx", "double"}, Key{"dy", "double"}};

/// Writes the elements of a GraphML file.
class GraphMl {
  public:
    GraphMl() {
        for (const Key& key : node_keys) add_key(key, "node");
        for (const Key& key : edge_keys) add_key(key, "edge");
        text_ += "  <graph id=\"model\" edgedefault=\"directed\">\n";
    }

    void begin_node(const std::string& id) { text_ += fmt::format("    <node id=\"{}\">\n", id); }
    void end_node() { text_ += "    </node>\n"; }
    void begin_edge(const std::string& from, const std::string& to) {
        text_ += fmt::format("    <edge id=\"e{}\" source=\"{}\" target=\"{}\">\n", edges_++, from, to);
        of_ = "edge";
    }
    void end_edge() {
        text_ += "    </edge>\n";
        of_ = "node";
    }
    void data(const char* key, const std::string& text) {
        text_ += fmt::format("      <data key=\"{}_{}\">{}</data>\n", of_, key, draw::escape(text));
    }
    void data(const char* key, double value) { data(key, fmt::format("{}", value)); }
    void data(const char* key, std::uint64_t value) { data(key, fmt::format("{}", value)); }

    [[nodiscard]] std::string finish() && { return std::move(text_) + "  </graph>\n</graphml>\n"; }

  private:
    void add_key(const Key& key, const char* of) {
        text_ += fmt::format("  <key id=\"{0}_{1}\" for=\"{0}\" attr.name=\"{1}\" attr.type=\"{2}\"/>\n", of,
                             key.name, key.type);
    }

    std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    const char* of_ = "node"; ///< the current element
    std::size_t edges_ = 0;
};

void write_classes(GraphMl& graph, const Model& model) {
    const std::vector<std::string> labels = model.learner().classes();
    for (std::size_t c = 0; c < labels.size(); ++c) {
        graph.begin_node(class_id(c));
        graph.data("kind", "class");
        graph.data("label", labels[c]);
        graph.data("class", labels[c]);
        graph.data("samples", model.samples()[c]);
        graph.end_node();
    }
}

void write_unit(GraphMl& graph, const Model& model, const UnitView& unit) {
    graph.begin_node(unit_id(unit.lineage));
    graph.data("kind", "unit");
    graph.data("label", hexadecimal(unit.lineage).substr(0, 6));
    graph.data("class", unit.label);
    graph.data("unit", hexadecimal(unit.lineage));
    graph.data("polarity", polarity_name(unit.polarity));
    graph.data("depth", std::uint64_t{unit.depth});
    graph.data("born", unit.born);
    graph.data("age", age_of(model, unit));
    graph.data("active", unit.active);
    graph.data("inactive", unit.inactive);
    graph.end_node();
    graph.begin_edge(unit_id(unit.lineage), target_id(model, unit));
    graph.data("relation", "conditions");
    graph.end_edge();
}

void write_node(GraphMl& graph, const UnitView& unit, NodeId node) {
    const Network& pattern = unit.pattern;
    const bool own = node < unit.own_nodes;
    graph.begin_node(node_id(unit, node));
    graph.data("kind", own ? "node" : "anchor");
    graph.data("label", pattern.schema().node_types[pattern.type(node)]);
    graph.data("class", unit.label);
    graph.data("unit", hexadecimal(unit.lineage));
    graph.data("type", pattern.schema().node_types[pattern.type(node)]);
    graph.data("x", pattern.coordinate(node, 0));
    graph.data("y", pattern.coordinate(node, 1));
    if (node < unit.nodes.size()) {
        graph.data("presence", unit.nodes[node].presence);
        graph.data("spread_x", unit.nodes[node].spread[0]);
        graph.data("spread_y", unit.nodes[node].spread[1]);
    }
    graph.end_node();
    graph.begin_edge(unit_id(unit.lineage), node_id(unit, node));
    graph.data("relation", own ? "has" : "is anchored at");
    graph.end_edge();
}

void write_relations(GraphMl& graph, const UnitView& unit) {
    for (EdgeId e = 0; e < unit.pattern.edge_count(); ++e) {
        const Edge& edge = unit.pattern.edge(e);
        graph.begin_edge(node_id(unit, edge.from), node_id(unit, edge.to));
        graph.data("relation", unit.pattern.schema().layers[edge.layer]);
        graph.data("dx", unit.pattern.displacement(e)[0]);
        graph.data("dy", unit.pattern.displacement(e)[1]);
        graph.end_edge();
    }
}

/// Quotes a string for the dot language. Control characters become spaces.
std::string dot_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

void add_cluster(std::string& text, const UnitView& unit) {
    const bool positive = unit.polarity == Polarity::positive;
    const std::string id = unit_id(unit.lineage);
    const std::string title =
        fmt::format("{} {} of class {}, observed {} times", polarity_name(unit.polarity),
                    hexadecimal(unit.lineage).substr(0, 6), unit.label, unit.observations());
    text += fmt::format("  subgraph cluster_{} {{\n    label = {};\n    color = {};\n", id, dot_quoted(title),
                        positive ? "black" : "red");
    text += fmt::format("    {} [shape = point];\n", id);
    const Network& pattern = unit.pattern;
    for (NodeId n = 0; n < pattern.node_count(); ++n) {
        text += fmt::format(
            "    {} [label = {}, style = {}, tooltip = \"{:.2f}, {:.2f}\"];\n", dot_quoted(node_id(unit, n)),
            dot_quoted(pattern.schema().node_types[pattern.type(n)]), n < unit.own_nodes ? "solid" : "dashed",
            pattern.coordinate(n, 0), pattern.coordinate(n, 1));
    }
    for (const Edge& edge : pattern.edges()) {
        text +=
            fmt::format("    {} -> {} [color = gray, tooltip = {}];\n", dot_quoted(node_id(unit, edge.from)),
                        dot_quoted(node_id(unit, edge.to)), dot_quoted(pattern.schema().layers[edge.layer]));
    }
    text += "  }\n";
}

/// A model as one directed graph of classes, units and pattern nodes, for networkx, Gephi and yEd. A unit has
/// an edge to the unit or class it conditions and to each of its nodes; nodes have the edges of the pattern,
/// by layer.
std::string graphml_of(const Model& model) {
    GraphMl graph;
    write_classes(graph, model);
    for (const UnitView& unit : model.learner().units()) {
        write_unit(graph, model, unit);
        for (NodeId n = 0; n < unit.pattern.node_count(); ++n) write_node(graph, unit, n);
        write_relations(graph, unit);
    }
    return std::move(graph).finish();
}

/// A model for Graphviz: units are boxes that contain their nodes, with arrows to what they condition.
std::string dot_of(const std::string& name, const Model& model) {
    std::string text = fmt::format("digraph {} {{\n  rankdir = BT;\n  compound = true;\n"
                                   "  node [shape = ellipse, fontsize = 10];\n",
                                   dot_quoted(name));
    const std::vector<std::string> labels = model.learner().classes();
    for (std::size_t c = 0; c < labels.size(); ++c)
        text +=
            fmt::format("  {} [label = {}, shape = box];\n", class_id(c), dot_quoted("class " + labels[c]));
    const std::vector<UnitView> units = model.learner().units();
    for (const UnitView& unit : units) add_cluster(text, unit);
    for (const UnitView& unit : units) {
        text += fmt::format("  {} -> {} [ltail = cluster_{}{}{}];\n", unit_id(unit.lineage),
                            target_id(model, unit), unit_id(unit.lineage),
                            unit.target ? ", lhead = cluster_" + unit_id(*unit.target) : "",
                            unit.polarity == Polarity::negative ? ", color = red, arrowhead = tee" : "");
    }
    return text + "}\n";
}

struct ExportOptions {
    std::string model;
    std::string to;
    std::string output;
    std::optional<std::uint64_t> maturity;
};

void require_ending(const ExportOptions& options) {
    if (options.to == "bytes") return; // any name is allowed
    const std::string ending = "." + options.to;
    if (options.output.size() <= ending.size() || !options.output.ends_with(ending))
        throw usage_error(fmt::format("with --to {} the output file must end in {}, not '{}'", options.to,
                                      ending, options.output));
}

std::string export_text(const ExportOptions& options) {
    const Model model = Model::load(options.model);
    if (options.to == "graphml") return graphml_of(model);
    if (options.to == "dot") return dot_of(options.model, model);
    if (options.to == "bytes") return model.to_bytes();
    if (options.to == "svg") return draw_mature_units(options.model, model, options.maturity);
    return json_text(json_of(model, Patterns::yes));
}

/// Writes a model file that can be learned into.
void export_file(const ExportOptions& options) {
    if (options.output.empty()) throw usage_error("--to file writes a model file: add -o NEW.sprig");
    Model::load(options.model).save(options.output);
    print_message(fmt::format("sprig: wrote {} to {}", options.model, options.output));
}

void export_model(const ExportOptions& options) {
    if (options.to == "file") {
        export_file(options);
        return;
    }
    if (options.output.empty()) {
        print(export_text(options));
        return;
    }
    require_ending(options);
    write_file_atomically(options.output, export_text(options));
    print_message(fmt::format("sprig: wrote {} to {}", options.model, options.output));
}

} // namespace

void add_export_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("export", "Convert a model to another format");
    verb->group(model_verbs);
    auto options = std::make_shared<ExportOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("--to", options->to,
                     "Output format: json (all data), graphml or dot (graphs), svg (drawing of the units), "
                     "bytes (canonical bytes form) or file (model file)")
        ->required()
        ->check(CLI::IsMember({"json", "graphml", "dot", "svg", "bytes", "file"}));
    verb->add_option("-o,--output", options->output, "Output file (default: standard output)")
        ->type_name("FILE");
    add_maturity_option(*verb, options->maturity);
    verb->footer("\nExamples:\n  sprig export digits.sprig --to json -o digits.json\n"
                 "  sprig export digits.sprig --to graphml -o digits.graphml\n"
                 "  sprig export digits.sprig --to dot | dot -Tpdf > digits.pdf\n"
                 "  sprig export digits.sprig --to bytes -o digits.bytes");
    verb->callback([options] { export_model(*options); });
}

} // namespace sprig::cli

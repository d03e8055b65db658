#include "cli/inspect_report.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

std::string kibibytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
}

/// Totals over some units.
struct Group {
    std::uint64_t units = 0;
    std::uint64_t negative = 0;
    std::uint64_t singletons = 0;
    std::uint64_t nodes = 0;
    std::uint64_t edges = 0;
    std::uint64_t observations = 0;
    std::uint64_t youngest = 0;
    std::uint64_t oldest = 0;

    void add(const UnitView& unit, std::uint64_t age) {
        youngest = units == 0 ? age : std::min(youngest, age);
        oldest = std::max(oldest, age);
        ++units;
        negative += unit.polarity == Polarity::negative ? 1 : 0;
        singletons += unit.observations() <= 1 ? 1 : 0;
        nodes += unit.own_nodes;
        edges += unit.pattern.edge_count();
        observations += unit.observations();
    }
    /// A sum divided by the number of units.
    [[nodiscard]] std::string mean(std::uint64_t sum) const {
        if (units == 0) return "-";
        return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(units));
    }
    [[nodiscard]] std::string age(std::uint64_t value) const { return units == 0 ? "-" : with_commas(value); }
};

std::string model_heading(const std::string& name, const Model& model) {
    const ModelFacts& facts = model.facts();
    const ModelSize size = model.learner().model_size();
    std::string text = fmt::format("{}: {}", name, learner_and_preset(facts));
    // The bytes form does not contain the program's version.
    text += facts.written_by.empty() ? "\n" : fmt::format(", written by {}\n", facts.written_by);
    text += fmt::format("{}, of which {} can be undone; {}, {} with {}\n", counted(facts.lessons, "lesson"),
                        with_commas(facts.undoable),
                        counted(model.learner().classes().size(), "class", "classes"),
                        counted(size.total(), "unit"), counted(size.nodes, "node"));
    return text + fmt::format("model size {}, file size {}; digest {}\n", kibibytes(size.bytes),
                              kibibytes(facts.bytes), hexadecimal(model.learner().digest()));
}

std::string class_table(const Model& model, const std::vector<UnitView>& units) {
    Table table({"class", "samples", "units", "negative", "seen once", "nodes", "youngest", "oldest"});
    const auto add = [&](const std::string& label, std::uint64_t samples, const Group& group) {
        table.add({label, with_commas(samples), with_commas(group.units), with_commas(group.negative),
                   with_commas(group.singletons), with_commas(group.nodes), group.age(group.youngest),
                   group.age(group.oldest)});
    };
    const std::vector<std::string> labels = model.learner().classes();
    Group all;
    std::uint64_t samples = 0;
    for (std::size_t c = 0; c < labels.size(); ++c) {
        Group group;
        for (const UnitView& unit : units) {
            if (unit.label != labels[c]) continue;
            group.add(unit, age_of(model, unit));
            all.add(unit, age_of(model, unit));
        }
        samples += model.samples()[c];
        add(labels[c], model.samples()[c], group);
    }
    add("all", samples, all);
    return table.text(true);
}

std::string depth_table(const Model& model, const std::vector<UnitView>& units) {
    std::map<std::pair<std::uint32_t, Polarity>, Group> groups;
    for (const UnitView& unit : units) groups[{unit.depth, unit.polarity}].add(unit, age_of(model, unit));
    Table table({"depth", "polarity", "units", "mean nodes", "mean edges", "mean observations", "youngest",
                 "oldest"});
    for (const auto& [kind, group] : groups) {
        table.add({fmt::format("{}", kind.first), polarity_name(kind.second), with_commas(group.units),
                   group.mean(group.nodes), group.mean(group.edges), group.mean(group.observations),
                   group.age(group.youngest), group.age(group.oldest)});
    }
    return table.text();
}

std::string event_table(const ModelFacts& facts) {
    Table table({"event", "count"});
    for (const auto& [kind, count] : facts.event_totals)
        if (count > 0) table.add({kind, with_commas(count)});
    return table.text();
}

std::string node_table(const UnitView& unit) {
    const bool weighs = !unit.nodes.empty();
    std::vector<std::string> header = {"node", "type", "x", "y"};
    if (weighs) header.insert(header.end(), {"presence", "spread x", "spread y"});
    header.emplace_back("role");
    Table table(header);
    const Network& pattern = unit.pattern;
    for (NodeId n = 0; n < pattern.node_count(); ++n) {
        std::vector<std::string> row = {fmt::format("{}", n), pattern.schema().node_types[pattern.type(n)],
                                        fmt::format("{:.2f}", pattern.coordinate(n, 0)),
                                        fmt::format("{:.2f}", pattern.coordinate(n, 1))};
        if (weighs && n < unit.nodes.size()) {
            const NodeView& view = unit.nodes[n];
            for (const double value : {view.presence, view.spread[0], view.spread[1]})
                row.push_back(fmt::format("{:.3f}", value));
        }
        row.resize(header.size() - 1);
        row.emplace_back(n < unit.own_nodes ? "own" : "anchor");
        table.add(std::move(row));
    }
    return table.text();
}

std::string unit_table(const Model& model, std::span<const UnitView> units) {
    Table table({"unit", "depth", "polarity", "active", "inactive", "own nodes", "age"});
    for (const UnitView& unit : units) {
        table.add({hexadecimal(unit.lineage), fmt::format("{}", unit.depth), polarity_name(unit.polarity),
                   with_commas(unit.active), with_commas(unit.inactive), with_commas(unit.own_nodes),
                   with_commas(age_of(model, unit))});
    }
    return table.text();
}

std::string history_table(const UnitDetails& details) {
    Table table({"lesson", "event", "unit"});
    for (const LoggedEvent& logged : details.history) {
        table.add({with_commas(logged.lesson), std::string(event_name(logged.event.kind)),
                   logged.event.unit == details.unit.lineage ? "this unit" : hexadecimal(logged.event.unit)});
    }
    return table.text();
}

const UnitView* find_lineage(const std::vector<UnitView>& units, Lineage lineage) {
    const auto found = std::ranges::find(units, lineage, &UnitView::lineage);
    return found == units.end() ? nullptr : &*found;
}

const UnitView& find_by_prefix(const std::string& name, const std::vector<UnitView>& units,
                               std::string_view id) {
    const UnitView* found = nullptr;
    for (const UnitView& unit : units) {
        if (id.empty() || !hexadecimal(unit.lineage).starts_with(id)) continue;
        if (found != nullptr)
            throw usage_error(
                fmt::format("several units of '{}' begin with '{}': give more digits", name, id));
        found = &unit;
    }
    if (found == nullptr)
        throw usage_error(
            fmt::format("'{}' has no unit '{}'; 'sprig inspect {} --json' lists its units", name, id, name));
    return *found;
}

} // namespace

std::string model_report(const std::string& name, const Model& model) {
    const std::vector<UnitView> units = model.learner().units();
    std::string text = model_heading(name, model);
    if (model.learner().classes().empty()) return text;
    text += "\n" + class_table(model, units);
    text += "\n" + depth_table(model, units);
    text += "\n" + event_table(model.facts());
    return text + fmt::format("\nAges are counted in lessons of {}.\n",
                              model.facts().learner == "constellation" ? "the unit's class" : "the model");
}

UnitDetails find_unit(const std::string& name, const Model& model, std::string_view id) {
    const std::vector<UnitView> units = model.learner().units();
    UnitDetails details{.unit = find_by_prefix(name, units, id), .below = {}, .above = {}, .history = {}};
    for (const UnitView* at = &details.unit; at != nullptr && at->target;) {
        at = find_lineage(units, *at->target); // a loaded model has no cycles
        if (at != nullptr) details.below.push_back(*at);
    }
    const Lineage lineage = details.unit.lineage;
    for (const UnitView& unit : units)
        if (unit.target == lineage) details.above.push_back(unit);
    for (const LoggedEvent& logged : model.events())
        if (logged.event.unit == lineage || logged.event.target == lineage) details.history.push_back(logged);
    return details;
}

std::string unit_report(const Model& model, const UnitDetails& details) {
    const UnitView& unit = details.unit;
    std::string text = fmt::format("unit {} of class {}: {}, depth {}\n", hexadecimal(unit.lineage),
                                   unit.label, polarity_name(unit.polarity), unit.depth);
    text +=
        fmt::format("created in lesson {}{}, {} ago; active in {}, inactive in {}\n", with_commas(unit.born),
                    model.facts().learner == "constellation" ? " of its class" : "",
                    counted(age_of(model, unit), "lesson"), counted(unit.active, "observation"),
                    with_commas(unit.inactive));
    text += fmt::format("{}, {}, {}\n\n", counted(unit.own_nodes, "own node"),
                        counted(unit.pattern.node_count() - unit.own_nodes, "anchor"),
                        counted(unit.pattern.edge_count(), "edge"));
    text += node_table(unit);
    if (!details.below.empty())
        text += "\nUnits that it conditions, down to the class\n" + unit_table(model, details.below);
    if (!details.above.empty()) text += "\nUnits that condition it\n" + unit_table(model, details.above);
    if (!details.history.empty())
        text += "\nHistory of this unit and of the units that condition it\n" + history_table(details);
    return text;
}

std::string draw_unit_chain(const UnitDetails& details) {
    std::vector<UnitView> units = {details.unit};
    units.insert(units.end(), details.below.begin(), details.below.end());
    UnitSheetOptions options;
    options.title =
        fmt::format("Unit {} of class {}{}", hexadecimal(details.unit.lineage), details.unit.label,
                    details.below.empty() ? "" : ", and the units it conditions");
    options.per_class = units.size();
    options.panel = 280;
    return draw_units(units, options);
}

namespace {

/// The mature units; for a class without any, its most observed unit.
std::vector<UnitView> mature_or_best(const std::vector<UnitView>& units) {
    std::map<std::string_view, std::uint64_t> most; // observations of a unit, by class
    for (const UnitView& unit : units) {
        std::uint64_t& of_class = most[unit.label];
        of_class = std::max(of_class, unit.observations());
    }
    std::vector<UnitView> shown;
    for (const UnitView& unit : units) {
        if (unit.observations() >= std::min(default_maturity, most[unit.label])) shown.push_back(unit);
    }
    return shown;
}

} // namespace

std::string draw_mature_units(const std::string& name, const Model& model,
                              std::optional<std::uint64_t> maturity) {
    std::vector<UnitView> units = model.learner().units();
    if (maturity) {
        std::erase_if(units, [&](const UnitView& unit) { return unit.observations() < *maturity; });
    } else {
        units = mature_or_best(units);
    }
    if (units.empty()) {
        throw usage_error(maturity ? fmt::format("'{}' has no unit with at least {}; "
                                                 "give a lower --maturity",
                                                 name, counted(*maturity, "observation"))
                                   : fmt::format("'{}' has no unit to draw yet", name));
    }
    UnitSheetOptions options;
    options.title = fmt::format("Units of {}: {}, {}", name, learner_and_preset(model.facts()),
                                counted(model.facts().lessons, "lesson"));
    options.per_class = units.size();
    return draw_units(units, options);
}

} // namespace sprig::cli

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

/// Some units taken together.
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
    /// So many of something for each unit.
    [[nodiscard]] std::string mean(std::uint64_t sum) const {
        if (units == 0) return "-";
        return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(units));
    }
    [[nodiscard]] std::string age(std::uint64_t value) const { return units == 0 ? "-" : with_commas(value); }
};

std::string head_of(const std::string& name, const Model& model) {
    const ModelFacts& facts = model.facts();
    const Census census = model.learner().census();
    std::string text = fmt::format("{}: {}", name, kind_in_words(facts));
    // A model as bytes does not say which program wrote it.
    text += facts.written_by.empty() ? "\n" : fmt::format(", written by {}\n", facts.written_by);
    text += fmt::format("{}, of which {} can be undone; {}, {} with {}\n", counted(facts.lessons, "lesson"),
                        with_commas(facts.undoable),
                        counted(model.learner().classes().size(), "class", "classes"),
                        counted(census.total(), "unit"), counted(census.nodes, "node"));
    return text + fmt::format("{} of model in {} of file; digest {}\n", kibibytes(census.bytes),
                              kibibytes(facts.bytes), hexadecimal(model.learner().digest()));
}

std::string classes_of(const Model& model, const std::vector<UnitView>& units) {
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

std::string depths_of(const Model& model, const std::vector<UnitView>& units) {
    std::map<std::pair<std::uint32_t, Polarity>, Group> groups;
    for (const UnitView& unit : units) groups[{unit.depth, unit.polarity}].add(unit, age_of(model, unit));
    Table table(
        {"depth", "polarity", "units", "nodes each", "edges each", "seen each", "youngest", "oldest"});
    for (const auto& [kind, group] : groups) {
        table.add({fmt::format("{}", kind.first), in_words(kind.second), with_commas(group.units),
                   group.mean(group.nodes), group.mean(group.edges), group.mean(group.observations),
                   group.age(group.youngest), group.age(group.oldest)});
    }
    return table.text();
}

std::string events_of(const ModelFacts& facts) {
    Table table({"units were", "so often"});
    for (const auto& [kind, count] : facts.event_totals)
        if (count > 0) table.add({kind, with_commas(count)});
    return table.text();
}

std::string node_table(const UnitView& unit) {
    const bool weighs = !unit.nodes.empty();
    std::vector<std::string> header = {"node", "type", "x", "y"};
    if (weighs) header.insert(header.end(), {"presence", "spread x", "spread y"});
    header.emplace_back("of");
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
        row.emplace_back(n < unit.own_nodes ? "its own" : "an anchor");
        table.add(std::move(row));
    }
    return table.text();
}

std::string unit_table(const Model& model, std::span<const UnitView> units) {
    Table table({"unit", "depth", "polarity", "active", "inactive", "own nodes", "age"});
    for (const UnitView& unit : units) {
        table.add({hexadecimal(unit.lineage), fmt::format("{}", unit.depth), in_words(unit.polarity),
                   with_commas(unit.active), with_commas(unit.inactive), with_commas(unit.own_nodes),
                   with_commas(age_of(model, unit))});
    }
    return table.text();
}

std::string history_table(const UnitDossier& dossier) {
    Table table({"lesson", "event", "unit"});
    for (const LoggedEvent& logged : dossier.history) {
        table.add({with_commas(logged.lesson), std::string(event_name(logged.event.kind)),
                   logged.event.unit == dossier.unit.lineage ? "it" : hexadecimal(logged.event.unit)});
    }
    return table.text();
}

const UnitView* unit_called(const std::vector<UnitView>& units, Lineage lineage) {
    const auto found = std::ranges::find(units, lineage, &UnitView::lineage);
    return found == units.end() ? nullptr : &*found;
}

/// The one unit whose name begins so.
const UnitView& only_unit(const std::string& name, const std::vector<UnitView>& units, std::string_view id) {
    const UnitView* found = nullptr;
    for (const UnitView& unit : units) {
        if (id.empty() || !hexadecimal(unit.lineage).starts_with(id)) continue;
        if (found != nullptr)
            throw usage_error(
                fmt::format("several units of '{}' begin with '{}': add more of its digits", name, id));
        found = &unit;
    }
    if (found == nullptr)
        throw usage_error(
            fmt::format("'{}' has no unit '{}'; 'sprig inspect {} --json' lists them", name, id, name));
    return *found;
}

} // namespace

std::string model_report(const std::string& name, const Model& model) {
    const std::vector<UnitView> units = model.learner().units();
    std::string text = head_of(name, model);
    if (model.learner().classes().empty()) return text;
    text += "\n" + classes_of(model, units);
    text += "\n" + depths_of(model, units);
    text += "\n" + events_of(model.facts());
    return text + fmt::format("\nages: in lessons of {}\n",
                              model.facts().learner == "constellation" ? "the unit's class" : "the model");
}

UnitDossier find_unit(const std::string& name, const Model& model, std::string_view id) {
    const std::vector<UnitView> units = model.learner().units();
    UnitDossier dossier{.unit = only_unit(name, units, id), .below = {}, .above = {}, .history = {}};
    for (const UnitView* at = &dossier.unit; at != nullptr && at->target;) {
        at = unit_called(units, *at->target); // a model that was read has no circles
        if (at != nullptr) dossier.below.push_back(*at);
    }
    const Lineage lineage = dossier.unit.lineage;
    for (const UnitView& unit : units)
        if (unit.target == lineage) dossier.above.push_back(unit);
    for (const LoggedEvent& logged : model.events())
        if (logged.event.unit == lineage || logged.event.target == lineage) dossier.history.push_back(logged);
    return dossier;
}

std::string unit_report(const Model& model, const UnitDossier& dossier) {
    const UnitView& unit = dossier.unit;
    std::string text = fmt::format("unit {} of class {}: {}, depth {}\n", hexadecimal(unit.lineage),
                                   unit.label, in_words(unit.polarity), unit.depth);
    text += fmt::format("born in lesson {}{}, {} ago; active in {}, inactive in {}\n", with_commas(unit.born),
                        model.facts().learner == "constellation" ? " of its class" : "",
                        counted(age_of(model, unit), "lesson"), counted(unit.active, "observation"),
                        with_commas(unit.inactive));
    text += fmt::format("{} of its own, {}, {}\n\n", counted(unit.own_nodes, "node"),
                        counted(unit.pattern.node_count() - unit.own_nodes, "anchor"),
                        counted(unit.pattern.edge_count(), "edge"));
    text += node_table(unit);
    if (!dossier.below.empty())
        text += "\nWhat it conditions, down to the class\n" + unit_table(model, dossier.below);
    if (!dossier.above.empty()) text += "\nWhat conditions it\n" + unit_table(model, dossier.above);
    if (!dossier.history.empty())
        text += "\nWhat happened to it, and to what conditions it\n" + history_table(dossier);
    return text;
}

std::string draw_dossier(const UnitDossier& dossier) {
    std::vector<UnitView> units = {dossier.unit};
    units.insert(units.end(), dossier.below.begin(), dossier.below.end());
    UnitSheetOptions options;
    options.title = fmt::format("Unit {} of class {}{}", hexadecimal(dossier.unit.lineage),
                                dossier.unit.label, dossier.below.empty() ? "" : ", and what it conditions");
    options.per_class = units.size();
    options.panel = 280;
    return draw_units(units, options);
}

namespace {

/// Young as a class may be, it has something to show.
std::vector<UnitView> mature_or_best(const std::vector<UnitView>& units) {
    std::map<std::string_view, std::uint64_t> most; // observations of a unit, by class
    for (const UnitView& unit : units) {
        std::uint64_t& of_class = most[unit.label];
        of_class = std::max(of_class, unit.observations());
    }
    std::vector<UnitView> shown;
    for (const UnitView& unit : units) {
        if (unit.observations() >= std::min(usual_maturity, most[unit.label])) shown.push_back(unit);
    }
    return shown;
}

} // namespace

std::string draw_mature(const std::string& name, const Model& model, std::optional<std::uint64_t> maturity) {
    std::vector<UnitView> units = model.learner().units();
    if (maturity) {
        std::erase_if(units, [&](const UnitView& unit) { return unit.observations() < *maturity; });
    } else {
        units = mature_or_best(units);
    }
    if (units.empty()) {
        throw usage_error(maturity ? fmt::format("'{}' has no unit that was observed at least {}; "
                                                 "--maturity asks for less",
                                                 name, counted(*maturity, "time"))
                                   : fmt::format("'{}' has no unit to draw yet", name));
    }
    UnitSheetOptions options;
    options.title = fmt::format("What {} knows: {}, {}", name, kind_in_words(model.facts()),
                                counted(model.facts().lessons, "lesson"));
    options.per_class = units.size();
    return draw_units(units, options);
}

} // namespace sprig::cli

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace sprig::cli {

namespace {

/// The differences of two models.
struct ModelDiff {
    /// A property with different values.
    struct Fact {
        std::string name;
        std::string first;
        std::string second;
    };
    struct Class {
        std::string label;
        std::optional<std::uint64_t>
            first; ///< number of samples; nullopt if the model does not have the class
        std::optional<std::uint64_t> second;
        std::vector<Lineage> added; ///< units of the second model only
        std::vector<Lineage> removed;
        std::vector<Lineage> changed;
    };
    std::vector<Fact> facts; ///< only those that differ
    std::vector<Class>
        classes; ///< only those that differ; in the order of the first model, then of the second

    [[nodiscard]] bool is_empty() const { return facts.empty() && classes.empty(); }
};

void add_fact(ModelDiff& diff, const std::string& name, const std::string& first, const std::string& second) {
    if (first != second) diff.facts.push_back({name, first, second});
}

/// Compares the values of two JSON objects.
void compare_values(ModelDiff& diff, const std::string& first, const std::string& second) {
    const Json a = Json::parse(first);
    const Json b = Json::parse(second);
    for (const auto& [key, value] : a.items())
        add_fact(diff, key, value.dump(), b.contains(key) ? b[key].dump() : "-");
    for (const auto& [key, value] : b.items())
        if (!a.contains(key)) add_fact(diff, key, "-", value.dump());
}

void compare_heads(ModelDiff& diff, const Model& first, const Model& second) {
    const ModelFacts& a = first.facts();
    const ModelFacts& b = second.facts();
    add_fact(diff, "learner", a.learner, b.learner);
    add_fact(diff, "preset", a.preset, b.preset);
    add_fact(diff, "seed", fmt::format("{}", a.seed), fmt::format("{}", b.seed));
    add_fact(diff, "method", fmt::format("{}", a.method), fmt::format("{}", b.method));
    if (a.learner == b.learner) compare_values(diff, a.parameters, b.parameters);
    compare_values(diff, a.front_end, b.front_end);
    add_fact(diff, "lessons", with_commas(a.lessons), with_commas(b.lessons));
    add_fact(diff, "digest", hexadecimal(first.learner().digest()), hexadecimal(second.learner().digest()));
}

bool equal(const NodeView& a, const NodeView& b) {
    return a.presence == b.presence && a.spread == b.spread && a.to_next == b.to_next &&
           a.to_previous == b.to_previous;
}

bool equal(const UnitView& a, const UnitView& b) {
    return a.target == b.target && a.polarity == b.polarity && a.depth == b.depth && a.born == b.born &&
           a.active == b.active && a.inactive == b.inactive && a.own_nodes == b.own_nodes &&
           a.pattern == b.pattern &&
           std::ranges::equal(a.nodes, b.nodes, [](const auto& n, const auto& m) { return equal(n, m); });
}

using Units = std::map<Lineage, const UnitView*>;

/// One of the models, by class.
struct Side {
    std::vector<std::string> order;
    std::map<std::string, std::uint64_t> samples;
    std::vector<UnitView> views;
    std::map<std::string, Units> units;

    explicit Side(const Model& model) : order(model.learner().classes()), views(model.learner().units()) {
        for (std::size_t c = 0; c < order.size(); ++c) samples[order[c]] = model.samples()[c];
        for (const UnitView& unit : views) units[unit.label].emplace(unit.lineage, &unit);
    }
    [[nodiscard]] std::optional<std::uint64_t> samples_of(const std::string& label) const {
        const auto found = samples.find(label);
        if (found == samples.end()) return {};
        return found->second;
    }
    [[nodiscard]] const Units& units_of(const std::string& label) const {
        static const Units none;
        const auto found = units.find(label);
        return found == units.end() ? none : found->second;
    }
};

ModelDiff::Class compare_class(const std::string& label, const Side& first, const Side& second) {
    ModelDiff::Class diff{label, first.samples_of(label), second.samples_of(label), {}, {}, {}};
    const Units& before = first.units_of(label);
    const Units& after = second.units_of(label);
    for (const auto& [lineage, unit] : before) {
        const auto other = after.find(lineage);
        if (other == after.end()) {
            diff.removed.push_back(lineage);
        } else if (!equal(*unit, *other->second)) {
            diff.changed.push_back(lineage);
        }
    }
    for (const auto& [lineage, unit] : after)
        if (!before.contains(lineage)) diff.added.push_back(lineage);
    return diff;
}

bool is_same(const ModelDiff::Class& diff) {
    return diff.first == diff.second && diff.added.empty() && diff.removed.empty() && diff.changed.empty();
}

std::vector<std::string> names(const std::vector<Lineage>& units) {
    std::vector<std::string> result;
    result.reserve(units.size());
    for (const Lineage unit : units) result.push_back(hexadecimal(unit));
    return result;
}

std::string classes_text(const ModelDiff& diff) {
    const auto samples = [](const std::optional<std::uint64_t>& n) { return n ? with_commas(*n) : "-"; };
    Table table({"class", "samples A", "samples B", "units added", "removed", "changed"});
    for (const ModelDiff::Class& c : diff.classes) {
        table.add({c.label, samples(c.first), samples(c.second), with_commas(c.added.size()),
                   with_commas(c.removed.size()), with_commas(c.changed.size())});
    }
    return "\n" + table.text();
}

std::string units_text(const ModelDiff& diff) {
    Table table({"unit", "class", "change"});
    bool any = false;
    for (const ModelDiff::Class& c : diff.classes) {
        const auto add = [&](const std::vector<Lineage>& units, const char* what) {
            for (const Lineage unit : units) table.add({hexadecimal(unit), c.label, what});
            any = any || !units.empty();
        };
        add(c.added, "added");
        add(c.removed, "removed");
        add(c.changed, "changed");
    }
    return any ? "\n" + table.text() : "";
}

ModelDiff compare(const Model& first, const Model& second) {
    ModelDiff diff;
    compare_heads(diff, first, second);
    const Side a(first);
    const Side b(second);
    std::vector<std::string> labels = a.order;
    for (const std::string& label : b.order)
        if (!a.samples.contains(label)) labels.push_back(label);
    for (const std::string& label : labels) {
        ModelDiff::Class found = compare_class(label, a, b);
        if (!is_same(found)) diff.classes.push_back(std::move(found));
    }
    return diff;
}

Json diff_json(const ModelDiff& diff) {
    const auto number = [](const std::optional<std::uint64_t>& n) { return n ? Json(*n) : Json(nullptr); };
    Json json = {{"equal", diff.is_empty()}, {"facts", Json::array()}, {"classes", Json::array()}};
    for (const ModelDiff::Fact& fact : diff.facts)
        json["facts"].push_back({{"name", fact.name}, {"first", fact.first}, {"second", fact.second}});
    for (const ModelDiff::Class& c : diff.classes) {
        json["classes"].push_back({{"label", c.label},
                                   {"first_samples", number(c.first)},
                                   {"second_samples", number(c.second)},
                                   {"added", names(c.added)},
                                   {"removed", names(c.removed)},
                                   {"changed", names(c.changed)}});
    }
    return json;
}

std::string diff_text(const ModelDiff& diff, const std::string& first, const std::string& second) {
    if (diff.is_empty()) return fmt::format("{} and {} are equal\n", first, second);
    std::string text = fmt::format("{} and {} differ\n", first, second);
    if (!diff.facts.empty()) {
        Table table({"", first, second});
        for (const ModelDiff::Fact& fact : diff.facts) table.add({fact.name, fact.first, fact.second});
        text += "\n" + table.text();
    }
    if (!diff.classes.empty()) text += classes_text(diff) + units_text(diff);
    return text;
}

struct DiffOptions {
    std::string first;
    std::string second;
    bool exit_code = false;
    bool json = false;
};

void diff(const DiffOptions& options) {
    const ModelDiff found = compare(Model::load(options.first), Model::load(options.second));
    print(options.json ? json_text(diff_json(found)) : diff_text(found, options.first, options.second));
    if (!options.exit_code || found.is_empty()) return;
    flush_results();
    throw ExitRequest{work_failed};
}

} // namespace

void add_diff_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("diff", "Compare two models");
    verb->group(model_verbs);
    auto options = std::make_shared<DiffOptions>();
    verb->add_option("A", options->first, "First model file")->required();
    verb->add_option("B", options->second, "Second model file")->required();
    verb->add_flag("--exit-code", options->exit_code, "Exit with code 1 if the models differ (default: 0)");
    verb->add_flag("--json", options->json, "Print the differences as JSON");
    verb->footer("\nExamples:\n  sprig diff before.sprig after.sprig\n"
                 "  sprig diff one.sprig other.sprig --exit-code --json");
    verb->callback([options] { diff(*options); });
}

} // namespace sprig::cli

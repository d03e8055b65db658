#include <algorithm>
#include <array>
#include <map>

#include "constellation/access.h"
#include "sprig/error.h"
#include "store/constellation_trace.h"
#include "store/parameters.h"
#include "store/table_codec.h"

namespace sprig::store {

namespace {

using constellation::Access;
using constellation::ClassModel;
using constellation::FeatureSet;

constexpr std::size_t feature_count = 12;
constexpr std::array<std::string_view, feature_count> feature_names = {
    "x",       "y",       "next_x",    "next_y",    "previous_x",  "previous_y",
    "later_x", "later_y", "earlier_x", "earlier_y", "persistence", "sharpness"};
constexpr std::array<std::string_view, feature_count> square_names = {
    "x_squares",          "y_squares",          "next_x_squares",      "next_y_squares",
    "previous_x_squares", "previous_y_squares", "later_x_squares",     "later_y_squares",
    "earlier_x_squares",  "earlier_y_squares",  "persistence_squares", "sharpness_squares"};

/// What Constellation remembers, field by field. Of the features only those that count are there.
struct ConstellationRecords {
    struct Class {
        std::uint64_t samples = 0;
    };
    struct Node {
        std::uint32_t type = 0;
        std::uint64_t hits = 0;
        std::uint64_t watched = 0;
        std::array<double, feature_count> means = {}; ///< in the order of the set
        std::array<double, feature_count> squares = {};
    };
    struct Edge {};
    struct Unit {
        std::uint64_t born = 0;
        std::uint64_t count = 0;
        std::vector<Node> nodes = {};
        std::vector<Edge> edges = {};
    };

    FeatureSet set;

    void each_class(auto&& record, auto visit) const { visit("samples", record.samples); }
    void each_unit(auto&& record, auto visit) const {
        visit("born", record.born);
        visit("samples", record.count);
    }
    void each_node(auto&& record, auto visit) const {
        visit("type", record.type);
        visit("hits", record.hits);
        visit("watched", record.watched);
        for (std::size_t f = 0; f < set.size(); ++f) visit(feature_names[index(f)], record.means[f]);
        for (std::size_t f = 0; f < set.size(); ++f) visit(square_names[index(f)], record.squares[f]);
    }
    void each_edge(auto&&, auto) const {}

  private:
    [[nodiscard]] std::size_t index(std::size_t f) const { return static_cast<std::size_t>(set.features[f]); }
};

class ConstellationCodec final : public TableCodec<ConstellationRecords> {
  public:
    explicit ConstellationCodec(const ConstellationPreset& preset)
        : TableCodec({FeatureSet(preset.params)}), preset_(preset) {}

    void describe(const Learner& learner, Content& content) const override {
        for (const auto& known : classes_of(learner)) {
            const ClassId id = content.next_class();
            content.classes.emplace(id, entry_of(*known));
            for (const auto& learned : known->units())
                content.units.emplace(learned->unit.lineage, entry_of(learned->unit, id));
        }
    }

    void describe_step(const Learner& learner, const LearnReport& report, std::string_view label,
                       const Content& before, Delta& delta) const override {
        const auto& classes = classes_of(learner);
        const auto known = std::find_if(classes.begin(), classes.end(),
                                        [&](const auto& model) { return model->label() == label; });
        const ClassId id = before.class_called(label).value_or(before.next_class());
        delta.classes.emplace_back(id, entry_of(**known));
        for (const UnitEvent& event : report.events) {
            if (unit_called(event.unit, **known) == nullptr)
                delta.units.emplace_back(event.unit, std::nullopt);
        }
        // The first event is what became of the sample; those after it, what became of others by it.
        const UnitEvent& first = report.events.front();
        const constellation::Unit* unit = unit_called(first.unit, **known);
        if (unit == nullptr) return;
        UnitEntry entry = entry_of(*unit, id);
        const Access::Seen seen = Access::last_seen(dynamic_cast<const Constellation&>(learner));
        ConstellationTrace::Founded founded;
        if (first.kind == UnitEvent::Kind::created) founded = {id, unit->born};
        delta.trace = pack_trace(first.unit, founded, seen.shown, seen.placed, entry.packed);
        delta.traced = 1;
        delta.units.emplace_back(first.unit, std::move(entry));
    }

    void retrace(std::string_view bytes, const Content& before, Delta& delta) const override {
        const ConstellationTrace trace = unpack_trace(bytes, records().set.size());
        UnitEntry entry;
        if (trace.founded.born > 0) {
            constellation::Unit unit = found(trace.shown());
            unit.born = trace.founded.born;
            entry = entry_of(unit, trace.founded.in);
        } else {
            const auto was = before.units.find(trace.unit);
            if (was == before.units.end()) throw bad_input("packed content is damaged");
            const constellation::Unit unit = unit_of(unpack_unit(was->second.packed), trace.unit);
            if (trace.placed.size() != unit.size()) throw bad_input("packed content is damaged");
            entry = entry_of(joined(unit, trace.shown(), trace.placed, preset_.params), was->second.label);
        }
        require_same(trace.sum, sum_of_words(entry.packed));
        delta.units.emplace_back(trace.unit, std::move(entry));
    }

    [[nodiscard]] std::unordered_map<Lineage, Lineage> renamed(std::string_view label,
                                                               std::string_view new_label,
                                                               std::string_view packed_class) const override {
        std::unordered_map<Lineage, Lineage> names;
        for (std::uint64_t sample = 1; sample <= samples_of(packed_class); ++sample)
            names[constellation::lineage_of(label, sample)] = constellation::lineage_of(new_label, sample);
        return names;
    }

    [[nodiscard]] std::uint64_t samples_of(std::string_view packed_class) const override {
        return unpack_class(packed_class).samples;
    }

    [[nodiscard]] std::unique_ptr<Learner> restore(const Content& content) const override {
        std::map<ClassId, constellation::ClassState> classes;
        for (const auto& [id, entry] : content.classes)
            classes[id] = {entry.label, unpack_class(entry.packed).samples, {}};
        for (const auto& [lineage, entry] : content.units) {
            const auto known = classes.find(entry.label);
            if (known == classes.end()) throw bad_input("a unit belongs to no class");
            known->second.units.push_back(unit_of(unpack_unit(entry.packed), lineage));
        }
        std::vector<constellation::ClassState> states;
        states.reserve(classes.size());
        for (auto& [id, state] : classes) {
            std::sort(state.units.begin(), state.units.end(),
                      [](const auto& a, const auto& b) { return a.born < b.born; });
            states.push_back(std::move(state));
        }
        return Access::restore(preset_, std::move(states));
    }

  private:
    static const std::vector<std::unique_ptr<ClassModel>>& classes_of(const Learner& learner) {
        return Access::classes(dynamic_cast<const Constellation&>(learner));
    }
    static const constellation::Unit* unit_called(Lineage lineage, const ClassModel& model) {
        const auto& units = model.units();
        const auto found = std::find_if(units.begin(), units.end(), [&](const auto& learned) {
            return learned->unit.lineage == lineage;
        });
        return found == units.end() ? nullptr : &(*found)->unit;
    }
    [[nodiscard]] ClassEntry entry_of(const ClassModel& model) const {
        return {model.label(), pack_class({model.samples()})};
    }
    [[nodiscard]] UnitEntry entry_of(const constellation::Unit& unit, ClassId id) const {
        const std::size_t features = records().set.size();
        const auto node = [&](std::size_t i) {
            ConstellationRecords::Node made{
                unit.nodes[i].type, unit.nodes[i].hits, unit.nodes[i].watched, {}, {}};
            std::copy_n(unit.means.data() + (i * features), features, made.means.data());
            std::copy_n(unit.squares.data() + (i * features), features, made.squares.data());
            return made;
        };
        const auto no_edge = [](std::size_t) { return ConstellationRecords::Edge{}; };
        return {id,
                pack_unit(ConstellationRecords::Unit{unit.born, unit.count}, unit.size(), node, 0, no_edge)};
    }
    [[nodiscard]] constellation::Unit unit_of(const ConstellationRecords::Unit& record,
                                              Lineage lineage) const {
        constellation::Unit unit;
        unit.lineage = lineage;
        unit.born = record.born;
        unit.count = record.count;
        const auto features = static_cast<std::ptrdiff_t>(records().set.size());
        for (const auto& node : record.nodes) {
            unit.nodes.push_back({node.type, node.hits, node.watched});
            unit.means.insert(unit.means.end(), node.means.begin(), node.means.begin() + features);
            unit.squares.insert(unit.squares.end(), node.squares.begin(), node.squares.begin() + features);
        }
        return unit;
    }

    ConstellationPreset preset_;
};

} // namespace

std::unique_ptr<Codec> make_constellation_codec(const Head& head) {
    ConstellationPreset preset;
    read_parameters(head.parameters,
                    [&](auto name, auto value) { set_parameter(preset.params, name, value); });
    preset.params.check();
    preset.front_end = read_front_end(head.front_end);
    return std::make_unique<ConstellationCodec>(preset);
}

} // namespace sprig::store

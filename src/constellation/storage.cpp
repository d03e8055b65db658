#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "constellation/access.h"
#include "learner/records.h"
#include "learner/settings.h"
#include "sprig/error.h"

namespace sprig::constellation {

namespace {

using learner::ClassEntry;
using learner::ClassId;
using learner::Content;
using learner::Delta;
using learner::Inverse;
using learner::UnitEntry;

const char* const classes_view = R"(CREATE VIEW classes AS
SELECT c.label, c.samples, count(u.lineage) AS units, coalesce(sum(u.samples), 0) AS explained
FROM class c LEFT JOIN unit u ON u.class = c.id GROUP BY c.id ORDER BY c.id)";

const char* const units_view = R"(CREATE VIEW units AS
SELECT printf('%016x', u.lineage) AS unit, c.label AS class, u.born, u.samples,
  round(1.0 * u.samples / c.samples, 4) AS share,
  (SELECT count(*) FROM node n WHERE n.unit = u.lineage) AS nodes
FROM unit u JOIN class c ON c.id = u.class ORDER BY c.id, u.samples DESC)";

/// The view has only the features in use: see the columns.
std::string nodes_view(const std::vector<learner::Storage::Column>& columns) {
    std::string features;
    for (const auto& [column, is_real] : columns) {
        if (column == "type" || column == "hits" || column == "watched" || column.ends_with("_squares"))
            continue;
        features += fmt::format(", round(n.{0}, 3) AS {0}", column);
    }
    return fmt::format(R"(CREATE VIEW nodes AS
SELECT printf('%016x', n.unit) AS unit, c.label AS class, n.place, t.name AS type,
  round(min(0.999, (n.hits + 1) / (n.watched + 1.3)), 4) AS presence, n.hits, n.watched{}
FROM node n JOIN unit u ON u.lineage = n.unit JOIN class c ON c.id = u.class
JOIN node_type t ON t.id = n.type)",
                       features);
}

constexpr std::size_t feature_count = 12;
constexpr std::array<std::string_view, feature_count> feature_names = {
    "x",       "y",       "next_x",    "next_y",    "previous_x",  "previous_y",
    "later_x", "later_y", "earlier_x", "earlier_y", "persistence", "sharpness"};
constexpr std::array<std::string_view, feature_count> square_names = {
    "x_squares",          "y_squares",          "next_x_squares",      "next_y_squares",
    "previous_x_squares", "previous_y_squares", "later_x_squares",     "later_y_squares",
    "earlier_x_squares",  "earlier_y_squares",  "persistence_squares", "sharpness_squares"};

/// The stored state of Constellation, field by field. It has only the features in use.
struct ConstellationRecords {
    struct Class {
        std::uint64_t samples = 0;
    };
    struct Node {
        std::uint32_t type = 0;
        std::uint64_t hits = 0;
        std::uint64_t watched = 0;
        std::array<double, feature_count> means = {}; ///< in the order of `set`
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

/// Bounds the running time. Removed units that were created by a later sample keep their lineage in the log.
constexpr std::uint64_t max_samples_tried = std::uint64_t{1} << 24U;

class ConstellationStorage final : public learner::RecordStorage<ConstellationRecords>,
                                   public learner::ClassStorage {
  public:
    explicit ConstellationStorage(const ConstellationPreset& preset)
        : RecordStorage(ConstellationRecords{FeatureSet(preset.params)}), preset_(preset) {}

    void describe(const Learner& learner, Content& content) const override {
        for (const auto& known : classes_of(learner)) {
            const ClassId id = content.next_class();
            content.classes.emplace(id, entry_of(*known));
            for (const auto& learned : known->units())
                content.units.emplace(learned->lineage(), entry_of(*learned, id));
        }
    }

    [[nodiscard]] const ClassStorage* by_class() const override { return this; }

    [[nodiscard]] ClassEntry class_entry(const Learner& learner, std::size_t place) const override {
        return entry_of(*classes_of(learner)[place]);
    }
    [[nodiscard]] std::vector<Lineage> units_of(const Learner& learner, std::size_t place) const override {
        std::vector<Lineage> lineages;
        for (const auto& learned : classes_of(learner)[place]->units())
            lineages.push_back(learned->lineage());
        return lineages;
    }
    [[nodiscard]] std::optional<UnitEntry> unit_entry(const Learner& learner, std::size_t place, ClassId id,
                                                      Lineage lineage) const override {
        return entry_of(find_unit(lineage, classes_of(learner)[place]->units()), id);
    }

    LearnReport learn(Learner& learner, const Network& network, const LessonClass& label, Delta& delta,
                      Inverse& inverse) const override {
        const auto& classes = classes_of(learner);
        const Before before = label.place < classes.size() ? before_of(*classes[label.place]) : Before();
        LearnReport report = learner.learn(network, label.label);
        write_change(*classes[label.place], before, report, label.id, delta, inverse);
        return report;
    }

    [[nodiscard]] std::vector<Change> learn_all(Learner& learner, const std::vector<Sample>& samples,
                                                std::size_t threads) const override {
        std::vector<Constellation::Sample> networks;
        std::vector<bool> is_first(samples.size()); // of a new class
        std::size_t classes = classes_of(learner).size();
        for (std::size_t i = 0; i < samples.size(); ++i) {
            networks.push_back({samples[i].network, samples[i].label.label});
            is_first[i] = samples[i].label.place == classes;
            if (is_first[i]) ++classes;
        }
        std::vector<Change> changes(samples.size());
        Access::learn_all(static_cast<Constellation&>(learner), networks, threads,
                          [&](std::size_t i, const ClassModel& known, const auto& learn_sample) {
                              const Before before = is_first[i] ? Before() : before_of(known);
                              auto& [report, delta, inverse] = changes[i];
                              report = learn_sample();
                              write_change(known, before, report, samples[i].label.id, delta, inverse);
                          });
        return changes;
    }

    void replace(Learner& learner, std::size_t place, const Place& by) const override {
        Access::replace(static_cast<Constellation&>(learner), place,
                        ClassModel(*classes_of(*by.learner)[by.place]));
    }

    [[nodiscard]] std::unique_ptr<Learner> assemble(const std::vector<Place>& classes) const override {
        std::vector<ClassState> empty;
        empty.reserve(classes.size());
        for (const auto& [learner, place] : classes)
            empty.push_back({classes_of(*learner)[place]->label(), 0, {}});
        std::unique_ptr<Constellation> model = Access::restore(preset_, std::move(empty));
        for (std::size_t i = 0; i < classes.size(); ++i) replace(*model, i, classes[i]);
        return model;
    }

    [[nodiscard]] std::vector<std::string> views() const override {
        return {classes_view, units_view, nodes_view(columns().of_node)};
    }

    [[nodiscard]] std::unordered_map<Lineage, Lineage>
    renamed_units(const Content& content, ClassId label, std::string_view new_label,
                  const std::vector<Lineage>& gone) const override {
        std::unordered_map<Lineage, Lineage> names;
        for (const auto& [lineage, entry] : content.units) {
            if (entry.label == label) names[lineage] = lineage_of(new_label, unpack_unit(entry.packed).born);
        }
        // The lineage of a removed unit does not tell which sample created it: try all.
        const ClassEntry& known = content.classes.at(label);
        const std::unordered_set<Lineage> wanted(gone.begin(), gone.end());
        const std::uint64_t samples = std::min(samples_of(known.packed), max_samples_tried);
        for (std::uint64_t sample = 1; sample <= samples && !wanted.empty(); ++sample) {
            const Lineage old = lineage_of(known.label, sample);
            if (wanted.contains(old)) names[old] = lineage_of(new_label, sample);
        }
        return names;
    }

    [[nodiscard]] std::uint64_t samples_of(std::string_view packed_class) const override {
        return unpack_class(packed_class).samples;
    }

    [[nodiscard]] std::unique_ptr<Learner> restore(const Content& content) const override {
        std::map<ClassId, ClassState> classes;
        for (const auto& [id, entry] : content.classes)
            classes[id] = {entry.label, unpack_class(entry.packed).samples, {}};
        for (const auto& [lineage, entry] : content.units) {
            const auto known = classes.find(entry.label);
            if (known == classes.end()) throw bad_input("a unit belongs to no class");
            known->second.units.push_back(unit_of(unpack_unit(entry.packed), lineage));
        }
        std::vector<ClassState> states;
        states.reserve(classes.size());
        for (auto& [id, state] : classes) {
            std::ranges::sort(state.units, [](const auto& a, const auto& b) { return a.born < b.born; });
            states.push_back(std::move(state));
        }
        return Access::restore(preset_, std::move(states));
    }

  private:
    static const std::vector<std::unique_ptr<ClassModel>>& classes_of(const Learner& learner) {
        // The state of a model has a learner and a storage of one kind. The engine for JavaScript is compiled
        // without the type information that a dynamic_cast needs.
        return Access::classes(static_cast<const Constellation&>(learner));
    }
    using Units = std::vector<std::shared_ptr<const LearnedUnit>>;
    /// A class before a lesson.
    struct Before {
        std::optional<ClassEntry> entry; ///< not set: there was none
        Units units; ///< a lesson does not change a unit but replaces it, so these stay as they are
    };
    [[nodiscard]] Before before_of(const ClassModel& known) const { return {entry_of(known), known.units()}; }
    void write_change(const ClassModel& known, const Before& before, const LearnReport& report, ClassId id,
                      Delta& delta, Inverse& inverse) const {
        delta.classes.emplace_back(id, entry_of(known));
        // The first event is about the unit that learned the sample, the others about removed units.
        std::vector<Lineage> changed;
        for (const UnitEvent& event : report.events) {
            if (find_unit(event.unit, known.units()) == nullptr) changed.push_back(event.unit);
        }
        const Lineage joined = report.events.front().unit;
        if (find_unit(joined, known.units()) != nullptr) changed.push_back(joined);
        Delta outline;
        outline.classes.emplace_back(id, before.entry);
        Units old; // by unit of the inverse; nullptr: there was none
        for (auto lineage = changed.begin(); lineage != changed.end(); ++lineage) {
            delta.units.emplace_back(*lineage, entry_of(find_unit(*lineage, known.units()), id));
            // The inverse restores a unit once, also if it changed and was then removed.
            if (std::find(changed.begin(), lineage, *lineage) != lineage) continue;
            outline.units.emplace_back(*lineage, std::nullopt);
            const auto found = std::ranges::find_if(
                before.units, [&](const auto& learned) { return learned->lineage() == *lineage; });
            old.push_back(found == before.units.end() ? nullptr : *found);
        }
        inverse = Inverse(std::move(outline), [this, id, old = std::move(old)](Delta& complete) {
            for (std::size_t i = 0; i < old.size(); ++i)
                complete.units[i].second = entry_of(old[i].get(), id);
        });
    }
    /// nullptr if there is none.
    static const LearnedUnit* find_unit(Lineage lineage, const Units& units) {
        const auto found = std::find_if(units.begin(), units.end(),
                                        [&](const auto& learned) { return learned->lineage() == lineage; });
        return found == units.end() ? nullptr : found->get();
    }
    [[nodiscard]] std::optional<UnitEntry> entry_of(const LearnedUnit* unit, ClassId id) const {
        if (unit == nullptr) return {};
        return entry_of(*unit, id);
    }
    [[nodiscard]] UnitEntry entry_of(const LearnedUnit& learned, ClassId id) const {
        return learned.ready() != nullptr ? entry_of(learned.ready()->unit, id)
                                          : entry_of(learned.unit(records().set), id);
    }
    [[nodiscard]] ClassEntry entry_of(const ClassModel& model) const {
        return {model.label(), pack_class({model.samples()})};
    }
    [[nodiscard]] UnitEntry entry_of(const Unit& unit, ClassId id) const {
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
    [[nodiscard]] Unit unit_of(const ConstellationRecords::Unit& record, Lineage lineage) const {
        Unit unit;
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

namespace {

/// Shapes are turned until their principal axis is upright, and then compared in all poses: the axis of a
/// round shape is arbitrary, and no axis tells up from down. A sheared shape has another axis, so slant is
/// kept.
Settings free_pose_settings(const std::string& preset) {
    if (constellation_preset(preset).front_end.frame != FrontEndParams::Frame::ink)
        throw usage_error(
            fmt::format("the preset {} measures positions in the image, not from the shape itself, "
                        "so its pose cannot be free: use the preset default",
                        preset));
    return {{"frame", "axis"}, {"poses", "any"}, {"deskew", "false"}};
}

bool has_free_pose(const std::string& parameters, const std::string& front_end) {
    return learner::read_stored<ConstellationParams>(parameters).poses == ConstellationParams::Poses::any &&
           read_front_end(front_end).frame == FrontEndParams::Frame::axis;
}

} // namespace

LearnerKind kind() {
    LearnerKind kind;
    kind.name = "constellation";
    kind.presets = {"default", "fast", "paper-vocabulary"};
    kind.classes_are_independent = true;
    kind.make = [](const std::string& name, const Settings& settings, std::uint64_t) {
        ConstellationPreset preset = constellation_preset(name);
        learner::apply(settings, "constellation", preset.params, preset.front_end);
        return std::make_unique<Constellation>(preset);
    };
    kind.storage = [](const std::string& parameters, const std::string& front_end) {
        return std::make_unique<ConstellationStorage>(ConstellationPreset{
            learner::read_stored<ConstellationParams>(parameters), read_front_end(front_end)});
    };
    kind.free_pose = {free_pose_settings, has_free_pose};
    return kind;
}

} // namespace sprig::constellation

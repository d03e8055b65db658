#include <array>
#include <map>

#include <fmt/format.h>

#include "learner/records.h"
#include "learner/settings.h"
#include "modeller/access.h"
#include "sprig/error.h"

namespace sprig::modeller {

namespace {

using learner::ClassEntry;
using learner::ClassId;
using learner::Content;
using learner::Delta;
using learner::UnitEntry;

const char* const classes_view = R"(CREATE VIEW classes AS
SELECT c.label, c.own AS samples, count(u.lineage) AS units,
  coalesce(sum(u.polarity = 0), 0) AS positive, coalesce(sum(u.polarity = 1), 0) AS negative
FROM class c LEFT JOIN unit u ON u.class = c.id GROUP BY c.id ORDER BY c.id)";

const char* const units_view = R"(CREATE VIEW units AS
WITH RECURSIVE chain(lineage, depth) AS (
  SELECT lineage, 1 FROM unit WHERE target = 0
  UNION ALL SELECT u.lineage, chain.depth + 1 FROM chain JOIN unit u ON u.target = chain.lineage)
SELECT printf('%016x', u.lineage) AS unit, c.label AS class, chain.depth,
  CASE u.polarity WHEN 0 THEN 'positive' ELSE 'negative' END AS polarity,
  CASE WHEN u.target = 0 THEN NULL ELSE printf('%016x', u.target) END AS target,
  u.born, u.active, u.inactive,
  CASE WHEN u.active + u.inactive = 0 THEN 1.0
    ELSE round(1.0 * u.active / (u.active + u.inactive), 4) END AS reliability,
  u.fired, u.fired_own,
  (SELECT count(*) FROM node n WHERE n.unit = u.lineage) AS nodes,
  (SELECT count(*) FROM edge e WHERE e.unit = u.lineage) AS edges
FROM unit u JOIN class c ON c.id = u.class JOIN chain ON chain.lineage = u.lineage
ORDER BY c.id, chain.depth, u.born)";

const char* const nodes_view = R"(CREATE VIEW nodes AS
SELECT printf('%016x', n.unit) AS unit, c.label AS class, n.place, t.name AS type, n.n,
  round(n.x, 3) AS x, round(n.y, 3) AS y, printf('%016x', n.key) AS key
FROM node n JOIN unit u ON u.lineage = n.unit JOIN class c ON c.id = u.class
JOIN node_type t ON t.id = n.type)";

const char* const edges_view = R"(CREATE VIEW edges AS
SELECT printf('%016x', e.unit) AS unit, c.label AS class, e.place, l.name AS layer,
  tt.name AS tail_type, ht.name AS head_type, round(e.dx, 3) AS dx, round(e.dy, 3) AS dy, e.n,
  printf('%016x', e.tail) AS tail, printf('%016x', e.head) AS head
FROM edge e JOIN unit u ON u.lineage = e.unit JOIN class c ON c.id = u.class
JOIN layer l ON l.id = e.layer
JOIN node t ON t.key = e.tail JOIN node h ON h.key = e.head
JOIN node_type tt ON tt.id = t.type JOIN node_type ht ON ht.id = h.type)";

/// Nodes at the ends of a unit's edges that are owned by another unit.
const char* const anchors_view = R"(CREATE VIEW anchors AS
SELECT DISTINCT printf('%016x', e.unit) AS unit, printf('%016x', n.unit) AS owner,
  t.name AS type, printf('%016x', n.key) AS key
FROM edge e JOIN node n ON n.key IN (e.tail, e.head) AND n.unit <> e.unit
JOIN node_type t ON t.id = n.type)";

/// The fields of the stored state. The front end's networks have two dimensions.
struct ModellerRecords {
    struct Class {
        std::uint64_t since = 0;
        std::uint64_t own = 0;
        learner::Calibration calibration = {};
    };
    using Node = NodeRecord;
    struct Edge {
        std::uint64_t from = 0; ///< keys of nodes
        std::uint64_t to = 0;
        EdgeRecord record = {};
    };
    /// The fields of a unit, and those that are stored differently. `Own` is a reference when packing and a
    /// value when unpacking.
    template <typename Own>
    struct UnitOf {
        Own own;
        std::uint64_t target = 0; ///< 0: its class
        std::uint8_t polarity = 0;
        std::vector<Node> nodes = {};
        std::vector<Edge> edges = {};
    };
    using Unit = UnitOf<modeller::Unit>;

    void each_class(auto&& record, auto visit) const {
        visit("since", record.since);
        visit("own", record.own);
        static const std::array<std::string, learner::temperature_count> names = [] {
            std::array<std::string, learner::temperature_count> all;
            for (std::size_t t = 0; t < all.size(); ++t) all[t] = fmt::format("loss_{}", t);
            return all;
        }();
        for (std::size_t t = 0; t < learner::temperature_count; ++t)
            visit(names[t], record.calibration.loss[t]);
    }
    void each_unit(auto&& record, auto visit) const {
        visit("target", record.target);
        visit("polarity", record.polarity);
        visit("attached", record.own.attached);
        visit("born", record.own.born);
        visit("active", record.own.active);
        visit("inactive", record.own.inactive);
        visit("active_at_birth", record.own.active_at_birth);
        visit("target_at_birth", record.own.target_at_birth);
        visit("fired", record.own.fired);
        visit("fired_own", record.own.fired_own);
        visit("seen_before", record.own.seen_before);
        visit("seen_own_before", record.own.seen_own_before);
    }
    void each_node(auto&& record, auto visit) const {
        visit("key", record.key);
        visit("type", record.type);
        visit("n", record.n);
        visit("x", record.mean[0]);
        visit("y", record.mean[1]);
        visit("own_n", record.own.n);
        visit("own_x", record.own.mean[0]);
        visit("own_y", record.own.mean[1]);
        visit("own_x_squares", record.own.m2[0]);
        visit("own_y_squares", record.own.m2[1]);
        visit("all_n", record.pool.n);
        visit("all_x", record.pool.mean[0]);
        visit("all_y", record.pool.mean[1]);
        visit("all_x_squares", record.pool.m2[0]);
        visit("all_y_squares", record.pool.m2[1]);
    }
    void each_edge(auto&& edge, auto visit) const {
        visit("tail", edge.from);
        visit("head", edge.to);
        visit("layer", edge.record.layer);
        visit("n", edge.record.n);
        visit("dx", edge.record.mean[0]);
        visit("dy", edge.record.mean[1]);
        visit("own_n", edge.record.own.n);
        visit("own_cosine", edge.record.own.cosine);
        visit("own_sine", edge.record.own.sine);
        visit("all_n", edge.record.pool.n);
        visit("all_cosine", edge.record.pool.cosine);
        visit("all_sine", edge.record.pool.sine);
    }
};

class ModellerStorage final : public learner::RecordStorage<ModellerRecords> {
  public:
    ModellerStorage(const ModellerParams& params, const FrontEndParams& front_end)
        : RecordStorage(ModellerRecords{}), params_(params), front_end_(front_end) {}

    void describe(const Learner& learner, Content& content) const override {
        for (const auto& known : classes_of(learner)) {
            const ClassId id = content.next_class();
            content.classes.emplace(id, entry_of(*known, learner.steps()));
            for (const UnitId unit : known->model.in_order())
                content.units.emplace(known->model.unit(unit).lineage, entry_of(known->model, unit, id));
        }
    }

    void describe_step(const Learner& learner, const LearnReport&, std::string_view label,
                       const Content& before, Delta& delta) const override {
        ClassId next = before.next_class();
        for (const auto& known : classes_of(learner)) {
            const ClassModel& model = known->model;
            const std::optional<ClassId> old = before.find_class(model.label());
            const ClassId id = old ? *old : next++;
            if (!old || model.label() == label)
                delta.classes.emplace_back(id, entry_of(*known, learner.steps()));
            for (const Lineage gone : model.erased()) delta.units.emplace_back(gone, std::nullopt);
            for (const UnitId unit : model.changed())
                delta.units.emplace_back(model.unit(unit).lineage, entry_of(model, unit, id));
        }
    }

    [[nodiscard]] std::vector<std::string> views() const override {
        return {classes_view, units_view, nodes_view, edges_view, anchors_view};
    }

    [[nodiscard]] std::uint64_t samples_of(std::string_view packed_class) const override {
        return unpack_class(packed_class).own;
    }

    [[nodiscard]] std::unique_ptr<Learner> restore(const Content& content) const override {
        std::map<ClassId, ClassState> classes;
        for (const auto& [id, entry] : content.classes) {
            const auto record = unpack_class(entry.packed);
            classes[id] = {entry.label, record.since, record.own, record.calibration, {}};
        }
        for (const auto& [lineage, entry] : content.units) {
            const auto known = classes.find(entry.label);
            if (known == classes.end()) throw bad_input("a unit belongs to no class");
            known->second.units.push_back(state_of(unpack_unit(entry.packed), lineage));
        }
        std::vector<ClassState> states;
        states.reserve(classes.size());
        for (auto& [id, state] : classes) states.push_back(std::move(state));
        return Access::restore(params_, content.header.seed, front_end_, content.header.steps,
                               std::move(states));
    }

  private:
    static const std::vector<std::unique_ptr<KnownClass>>& classes_of(const Learner& learner) {
        return Access::classes(dynamic_cast<const Modeller&>(learner));
    }
    [[nodiscard]] ClassEntry entry_of(const KnownClass& known, std::uint64_t steps) const {
        return {known.model.label(),
                pack_class({steps - known.model.observed, known.model.own, known.calibration})};
    }
    [[nodiscard]] UnitEntry entry_of(const ClassModel& model, UnitId id, ClassId label) const {
        const Unit& unit = model.unit(id);
        ModellerRecords::UnitOf<const Unit&> record{unit, 0, static_cast<std::uint8_t>(unit.polarity)};
        if (unit.target != no_unit) record.target = model.unit(unit.target).lineage;
        const auto node = [&](std::size_t i) -> const auto& {
            return unit.nodes[i];
        };
        const auto edge = [&](std::size_t i) -> ModellerRecords::Edge {
            const EdgeRecord& of_unit = unit.edges[i];
            return {model.key_of(of_unit.from), model.key_of(of_unit.to), of_unit};
        };
        return {label, pack_unit(record, unit.nodes.size(), node, unit.edges.size(), edge)};
    }
    static UnitState state_of(ModellerRecords::Unit record, Lineage lineage) {
        UnitState state;
        if (record.target != 0) state.target = record.target;
        if (record.polarity > 1) throw bad_input("a unit has an invalid polarity");
        state.unit = std::move(record.own);
        state.unit.lineage = lineage;
        state.unit.polarity = static_cast<Polarity>(record.polarity);
        state.unit.nodes = std::move(record.nodes);
        for (const ModellerRecords::Edge& edge : record.edges) {
            state.ends.push_back({edge.from, edge.to});
            state.unit.edges.push_back(edge.record);
        }
        return state;
    }

    ModellerParams params_;
    FrontEndParams front_end_;
};

} // namespace

LearnerKind kind() {
    LearnerKind kind;
    kind.name = "modeller";
    kind.presets = {"best", "paper", "paper-literal"};
    kind.uses_seed = true;
    kind.make = [](const std::string& name, const Settings& settings, std::uint64_t seed) {
        ModellerParams params = modeller_preset(name);
        FrontEndParams front_end;
        learner::apply(settings, "modeller", params, front_end);
        return std::make_unique<Modeller>(params, seed, front_end);
    };
    kind.storage = [](const std::string& parameters, const std::string& front_end) {
        return std::make_unique<ModellerStorage>(learner::read_stored<ModellerParams>(parameters),
                                                 read_front_end(front_end));
    };
    kind.free_pose.settings = [](const std::string&) -> Settings {
        throw usage_error(
            "the modeller compares positions and directions in the image, so its pose cannot be "
            "free: use the learner constellation");
    };
    return kind;
}

} // namespace sprig::modeller

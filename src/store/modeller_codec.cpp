#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "modeller/access.h"
#include "sprig/error.h"
#include "store/parameters.h"
#include "store/table_codec.h"

namespace sprig::store {

namespace {

using learner::temperature_count;
using modeller::Access;
using modeller::ClassModel;
using modeller::Unit;
using modeller::UnitId;

/// What the Modeller remembers, field by field. The front end's networks lie in the plane.
struct ModellerRecords {
    struct Class {
        std::uint64_t since = 0;
        std::uint64_t own = 0;
        learner::Calibration calibration = {};
    };
    using Node = modeller::NodeRecord;
    struct Edge {
        std::uint64_t from = 0; ///< keys of nodes
        std::uint64_t to = 0;
        modeller::EdgeRecord record = {};
    };
    /// What a unit has of its own, and what its place in memory says otherwise. Packed it is looked at where
    /// it lies, unpacked it owns what it has.
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
        static const std::array<std::string, temperature_count> names = [] {
            std::array<std::string, temperature_count> all;
            for (std::size_t t = 0; t < all.size(); ++t) all[t] = fmt::format("loss_{}", t);
            return all;
        }();
        for (std::size_t t = 0; t < temperature_count; ++t) visit(names[t], record.calibration.loss[t]);
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

class ModellerCodec final : public TableCodec<ModellerRecords> {
  public:
    ModellerCodec(const ModellerParams& params, const FrontEndParams& front_end)
        : TableCodec({}), params_(params), front_end_(front_end) {}

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
            const std::optional<ClassId> old = before.class_called(model.label());
            const ClassId id = old ? *old : next++;
            if (!old || model.label() == label)
                delta.classes.emplace_back(id, entry_of(*known, learner.steps()));
            for (const Lineage gone : model.gone()) delta.units.emplace_back(gone, std::nullopt);
            for (const UnitId unit : model.changed())
                delta.units.emplace_back(model.unit(unit).lineage, entry_of(model, unit, id));
        }
    }

    [[nodiscard]] std::uint64_t samples_of(std::string_view packed_class) const override {
        return unpack_class(packed_class).own;
    }

    [[nodiscard]] std::unique_ptr<Learner> restore(const Content& content) const override {
        std::map<ClassId, modeller::ClassState> classes;
        for (const auto& [id, entry] : content.classes) {
            const auto record = unpack_class(entry.packed);
            classes[id] = {entry.label, record.since, record.own, record.calibration, {}};
        }
        for (const auto& [lineage, entry] : content.units) {
            const auto known = classes.find(entry.label);
            if (known == classes.end()) throw bad_input("a unit belongs to no class");
            known->second.units.push_back(state_of(unpack_unit(entry.packed), lineage));
        }
        std::vector<modeller::ClassState> states;
        states.reserve(classes.size());
        for (auto& [id, state] : classes) states.push_back(std::move(state));
        return Access::restore(params_, content.head.seed, front_end_, content.head.steps, std::move(states));
    }

  private:
    static const std::vector<std::unique_ptr<modeller::KnownClass>>& classes_of(const Learner& learner) {
        return Access::classes(dynamic_cast<const Modeller&>(learner));
    }
    [[nodiscard]] ClassEntry entry_of(const modeller::KnownClass& known, std::uint64_t steps) const {
        return {known.model.label(),
                pack_class({steps - known.model.observed, known.model.own, known.calibration})};
    }
    [[nodiscard]] UnitEntry entry_of(const ClassModel& model, UnitId id, ClassId label) const {
        const Unit& unit = model.unit(id);
        ModellerRecords::UnitOf<const Unit&> record{unit, 0, static_cast<std::uint8_t>(unit.polarity)};
        if (unit.target != modeller::no_unit) record.target = model.unit(unit.target).lineage;
        const auto node = [&](std::size_t i) -> const auto& {
            return unit.nodes[i];
        };
        const auto edge = [&](std::size_t i) -> ModellerRecords::Edge {
            const modeller::EdgeRecord& of_unit = unit.edges[i];
            return {model.key_of(of_unit.from), model.key_of(of_unit.to), of_unit};
        };
        return {label, pack_unit(record, unit.nodes.size(), node, unit.edges.size(), edge)};
    }
    static modeller::UnitState state_of(ModellerRecords::Unit record, Lineage lineage) {
        modeller::UnitState state;
        if (record.target != 0) state.target = record.target;
        if (record.polarity > 1) throw bad_input("a unit speaks neither for nor against");
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

std::unique_ptr<Codec> make_modeller_codec(const Head& head) {
    ModellerParams params;
    read_parameters(head.parameters, [&](auto name, auto value) { set_parameter(params, name, value); });
    params.check();
    return std::make_unique<ModellerCodec>(params, read_front_end(head.front_end));
}

} // namespace sprig::store

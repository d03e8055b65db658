#include <algorithm>
#include <iterator>
#include <map>

#include "modeller/access.h"
#include "sprig/error.h"
#include "store/modeller_records.h"
#include "store/modeller_trace.h"
#include "store/parameters.h"
#include "store/table_codec.h"

namespace sprig::store {

namespace {

using modeller::Access;
using modeller::ClassModel;
using modeller::Unit;
using modeller::UnitId;

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
        TraceWriter trace(Access::observation(dynamic_cast<const Modeller&>(learner)));
        std::vector<std::pair<Lineage, std::optional<UnitEntry>>> traced;
        for (const auto& known : classes_of(learner)) {
            const ClassModel& model = known->model;
            const std::optional<ClassId> old = before.class_called(model.label());
            const ClassId id = old ? *old : next++;
            if (!old || model.label() == label)
                delta.classes.emplace_back(id, entry_of(*known, learner.steps()));
            for (const Lineage gone : model.gone()) delta.units.emplace_back(gone, std::nullopt);
            for (const UnitId unit : model.changed()) {
                const Lineage lineage = model.unit(unit).lineage;
                UnitEntry entry = entry_of(model, unit, id);
                const auto was = before.units.find(lineage);
                const bool is_traced =
                    trace.add(model, unit, entry, was == before.units.end() ? nullptr : &was->second);
                (is_traced ? traced : delta.units).emplace_back(lineage, std::move(entry));
            }
        }
        delta.trace = trace.finish();
        delta.traced = traced.size();
        std::move(traced.begin(), traced.end(), std::back_inserter(delta.units));
    }

    void retrace(std::string_view trace, const Content& before, Delta& delta) const override {
        TraceReader reader(trace, params_.means_of_active_only);
        while (reader.next()) {
            UnitEntry entry;
            if (reader.is_made()) {
                entry = {reader.label(), pack_unit(reader.made())};
            } else {
                const auto was = before.units.find(reader.lineage());
                if (was == before.units.end()) throw bad_input("packed content is damaged");
                entry = {was->second.label, pack_unit(reader.seen(unpack_unit(was->second.packed)))};
            }
            reader.check(entry.packed);
            delta.units.emplace_back(reader.lineage(), std::move(entry));
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

#include <algorithm>

#include "learner/records.h"
#include "learner/settings.h"
#include "sprig/error.h"
#include "support/histogram/histogram.h"

namespace sprig::test {

namespace {

using learner::ClassId;
using learner::Content;
using learner::Delta;

struct HistogramParams {
    double temperature = 4;

    void check() const {
        if (!(temperature > 0)) throw usage_error("the temperature must be greater than 0");
    }
};
constexpr auto each_parameter = [](auto& p, auto visit) { visit("temperature", p.temperature); };
void set_parameter(HistogramParams& params, std::string_view name, std::string_view value) {
    if (!parameters::set_in(params, each_parameter, name, value))
        throw usage_error(fmt::format("the histogram has no parameter {}", name));
    params.check();
}
std::string to_json(const HistogramParams& params) {
    return parameters::json_text(params, each_parameter);
}

struct HistogramRecords {
    struct Class {
        std::uint64_t samples = 0;
    };
    struct Node {
        std::uint32_t type = 0;
        Histogram::Bin bin = {};
    };
    struct Edge {};
    struct Unit {
        std::uint64_t samples = 0;
        std::vector<Node> nodes = {};
        std::vector<Edge> edges = {};
    };

    void each_class(auto&& record, auto visit) const { visit("samples", record.samples); }
    void each_unit(auto&& record, auto visit) const { visit("samples", record.samples); }
    void each_node(auto&& record, auto visit) const {
        visit("type", record.type);
        visit("count", record.bin.count);
        visit("x", record.bin.x);
        visit("y", record.bin.y);
    }
    void each_edge(auto&&, auto) const {}
};

class HistogramStorage final : public learner::RecordStorage<HistogramRecords> {
  public:
    HistogramStorage(const HistogramParams& params, const FrontEndParams& front_end)
        : RecordStorage(HistogramRecords{}), params_(params), front_end_(front_end) {}

    void describe(const Learner& learner, Content& content) const override {
        for (const Histogram::ClassState& state : dynamic_cast<const Histogram&>(learner).states()) {
            const ClassId id = content.next_class();
            content.classes.emplace(id, learner::ClassEntry{state.label, pack_class({state.samples})});
            if (state.samples > 0)
                content.units.emplace(Histogram::unit_of(state.label), entry_of(state, id));
        }
    }
    void describe_step(const Learner& learner, const LearnReport&, std::string_view label,
                       const Content& before, Delta& delta) const override {
        for (const Histogram::ClassState& state : dynamic_cast<const Histogram&>(learner).states()) {
            if (state.label != label) continue;
            const ClassId id = before.find_class(label).value_or(before.next_class());
            delta.classes.emplace_back(id, learner::ClassEntry{state.label, pack_class({state.samples})});
            delta.units.emplace_back(Histogram::unit_of(label), entry_of(state, id));
        }
    }
    [[nodiscard]] std::unique_ptr<Learner> restore(const Content& content) const override {
        std::map<ClassId, Histogram::ClassState> states;
        for (const auto& [id, entry] : content.classes)
            states[id] = {entry.label, unpack_class(entry.packed).samples};
        for (const auto& [lineage, entry] : content.units) {
            const auto known = states.find(entry.label);
            if (known == states.end()) throw bad_input("a unit belongs to no class");
            for (const auto& node : unpack_unit(entry.packed).nodes) known->second.bins[node.type] = node.bin;
        }
        std::vector<Histogram::ClassState> classes;
        for (auto& [id, state] : states) classes.push_back(std::move(state));
        auto made = std::make_unique<Histogram>(params_.temperature, front_end_);
        made->restore(std::move(classes));
        made->check();
        return made;
    }
    [[nodiscard]] std::unordered_map<Lineage, Lineage>
    renamed_units(const Content& content, ClassId label, std::string_view new_label,
                  const std::vector<Lineage>&) const override {
        return {{Histogram::unit_of(content.classes.at(label).label), Histogram::unit_of(new_label)}};
    }
    [[nodiscard]] std::uint64_t samples_of(std::string_view packed_class) const override {
        return unpack_class(packed_class).samples;
    }

  private:
    [[nodiscard]] learner::UnitEntry entry_of(const Histogram::ClassState& state, ClassId id) const {
        std::vector<HistogramRecords::Node> nodes;
        for (const auto& [type, bin] : state.bins) nodes.push_back({type, bin});
        const auto node = [&](std::size_t i) { return nodes[i]; };
        const auto no_edge = [](std::size_t) { return HistogramRecords::Edge{}; };
        return {id, pack_unit(HistogramRecords::Unit{state.samples}, nodes.size(), node, 0, no_edge)};
    }

    HistogramParams params_;
    FrontEndParams front_end_;
};

} // namespace

std::string Histogram::parameters() const {
    return to_json(HistogramParams{temperature_});
}

LearnerKind histogram_kind() {
    LearnerKind kind;
    kind.name = "histogram";
    kind.presets = {"plain", "soft"};
    kind.classes_are_independent = true;
    kind.make = [](const std::string& preset, const Settings& settings, std::uint64_t) {
        HistogramParams params;
        if (preset == "soft") params.temperature = 16;
        FrontEndParams front_end;
        learner::apply(settings, "histogram", params, front_end);
        return std::make_unique<Histogram>(params.temperature, front_end);
    };
    kind.storage = [](const std::string& parameters, const std::string& front_end) {
        return std::make_unique<HistogramStorage>(learner::read_stored<HistogramParams>(parameters),
                                                  read_front_end(front_end));
    };
    return kind;
}

} // namespace sprig::test

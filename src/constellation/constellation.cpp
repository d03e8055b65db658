#include "sprig/constellation.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "constellation/access.h"
#include "constellation/model_reader.h"
#include "constellation/unit_view.h"
#include "core/elementary.h"
#include "core/system.h"
#include "learner/require_schema.h"
#include "sprig/error.h"

namespace sprig {

using constellation::ClassModel;

namespace {

/// Working memory for scoring an observation: one per thread.
struct Workspace {
    Workspace(const ConstellationParams& params, std::size_t types)
        : observed(params, types), scorer(params, observed.first().set()) {}

    [[nodiscard]] const constellation::FeatureSet& features() const { return observed.first().set(); }

    constellation::PosedObservation observed;
    constellation::UnitScorer scorer;
};

} // namespace

struct Constellation::State {
    State(const ConstellationParams& learner_params, const FrontEndParams& front_end_params)
        : params(learner_params), front_end(front_end_params), schema(front_end_schema(front_end_params)),
          required_schema(schema), workspace((learner_params.check(), params), schema->node_types.size()) {}

    ConstellationParams params;
    FrontEndParams front_end;
    std::shared_ptr<const Schema> schema;
    learner::RequiredSchema required_schema;
    std::vector<std::unique_ptr<ClassModel>> classes;
    Workspace workspace;

    ClassModel& find_or_add_class(std::string_view label) {
        if (label.empty()) throw usage_error("a class label must not be empty");
        const auto found = std::find_if(classes.begin(), classes.end(),
                                        [&](const auto& known) { return known->label() == label; });
        if (found != classes.end()) return **found;
        return *classes.emplace_back(std::make_unique<ClassModel>(std::string(label)));
    }
};

Constellation::Constellation(const ConstellationPreset& preset)
    : Constellation(preset.params, preset.front_end) {}
Constellation::Constellation(const ConstellationParams& params, const FrontEndParams& front_end)
    : state_(std::make_unique<State>(params, front_end)) {}
Constellation::~Constellation() = default;

void Constellation::add_class(std::string_view label) {
    (void)state_->find_or_add_class(label);
}

LearnReport Constellation::learn(const Network& network, std::string_view label) {
    State& s = *state_;
    s.required_schema.check(network);
    ClassModel& model = s.find_or_add_class(label);
    s.workspace.observed.assign(network);
    LearnReport report;
    model.learn(s.workspace.observed, s.workspace.scorer, s.params, report);
#ifndef NDEBUG
    model.check(s.workspace.features(), s.schema->node_types.size());
#endif
    return report;
}

void Constellation::learn_all(std::span<const Sample> samples, std::size_t threads) {
    State& s = *state_;
    for (const Sample& sample : samples) {
        if (sample.network == nullptr) throw usage_error("a sample without a network cannot be learned");
        if (sample.label.empty()) throw usage_error("a class label must not be empty");
        s.required_schema.check(*sample.network);
    }
    for (const Sample& sample : samples) add_class(sample.label);
    // Each thread takes whole classes, so the samples of a class are learned in order.
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        Workspace workspace(s.params, s.schema->node_types.size());
        for (std::size_t label = next++; label < s.classes.size(); label = next++) {
            for (const Sample& sample : samples) {
                if (sample.label != s.classes[label]->label()) continue;
                LearnReport report;
                workspace.observed.assign(*sample.network);
                s.classes[label]->learn(workspace.observed, workspace.scorer, s.params, report);
            }
        }
    };
    os::ThreadGroup workers; // fewer threads than asked for give the same result
    for (std::size_t i = 1; i < threads; ++i) (void)workers.start(work);
    work();
}

std::unique_ptr<Reader> Constellation::reader() const {
    const State& s = *state_;
    auto snapshot = std::make_shared<constellation::Snapshot>();
    snapshot->params = s.params;
    snapshot->schema = s.schema;
    for (const auto& known : s.classes) {
        snapshot->labels.push_back(known->label());
        constellation::Snapshot::Class& copy = snapshot->classes.emplace_back();
        copy.units = known->units();
        double total = 0;
        for (const auto& learned : copy.units) total += static_cast<double>(learned->unit.count);
        for (const auto& learned : copy.units)
            copy.log_shares.push_back(elementary::log(static_cast<double>(learned->unit.count) / total));
        copy.log_size = elementary::log(static_cast<double>(std::max<std::size_t>(1, copy.units.size())));
    }
    return std::make_unique<constellation::ModelReader>(std::move(snapshot));
}

std::vector<std::string> Constellation::classes() const {
    std::vector<std::string> labels;
    for (const auto& known : state_->classes) labels.push_back(known->label());
    return labels;
}

std::uint64_t Constellation::steps() const {
    std::uint64_t sum = 0;
    for (const auto& known : state_->classes) sum += known->samples();
    return sum;
}

std::vector<UnitView> Constellation::units() const {
    const State& s = *state_;
    std::vector<UnitView> views;
    for (const auto& known : s.classes) {
        for (const auto& learned : known->units()) {
            views.push_back(constellation::view_of(learned->unit, known->label(), s.params,
                                                   s.workspace.features(), s.schema));
        }
    }
    return views;
}

ModelSize Constellation::model_size(std::uint64_t observations) const {
    ModelSize size;
    for (const auto& known : state_->classes) {
        for (const auto& learned : known->units()) {
            if (learned->unit.count < observations) continue;
            ++size.positive;
            if (learned->unit.count == 1) ++size.singletons;
            size.nodes += learned->unit.size();
            size.bytes += learned->unit.bytes();
        }
    }
    return size;
}

void Constellation::check() const {
    for (const auto& known : state_->classes)
        known->check(state_->workspace.features(), state_->schema->node_types.size());
}

std::uint64_t Constellation::digest() const {
    std::uint64_t sum = 0;
    for (const auto& known : state_->classes) sum += known->digest();
    return sum;
}

const std::vector<std::unique_ptr<ClassModel>>& constellation::Access::classes(const Constellation& model) {
    return model.state_->classes;
}

std::unique_ptr<Constellation> constellation::Access::restore(const ConstellationPreset& preset,
                                                              std::vector<ClassState> classes) {
    auto model = std::make_unique<Constellation>(preset);
    Constellation::State& s = *model->state_;
    const std::size_t types = s.schema->node_types.size();
    for (ClassState& stored : classes) {
        std::vector<std::shared_ptr<const LearnedUnit>> units;
        for (Unit& unit : stored.units) {
            check_unit(unit, s.workspace.features(), types, stored.samples, stored.label);
            if (!units.empty() && units.back()->unit.born >= unit.born)
                throw bad_input(
                    fmt::format("the stored model of class '{}' has units out of order", stored.label));
            units.push_back(
                std::make_shared<LearnedUnit>(std::move(unit), s.params, s.workspace.features(), types));
        }
        if (stored.label.empty() ||
            std::ranges::any_of(s.classes, [&](const auto& known) { return known->label() == stored.label; }))
            throw bad_input(
                fmt::format("the stored model has an empty or duplicate class label '{}'", stored.label));
        s.classes.push_back(
            std::make_unique<ClassModel>(std::move(stored.label), stored.samples, std::move(units)));
    }
    model->check();
    return model;
}

const FrontEndParams& Constellation::front_end() const {
    return state_->front_end;
}

const ConstellationParams& Constellation::params() const {
    return state_->params;
}

std::string Constellation::parameters() const {
    return to_json(state_->params);
}

} // namespace sprig

#include "sprig/constellation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "constellation/access.h"
#include "constellation/model_reader.h"
#include "constellation/unit_view.h"
#include "learner/family.h"
#include "sprig/error.h"

namespace sprig {

using constellation::ClassModel;

namespace {

/// What looking at an observation takes: one for each thread.
struct Eye {
    Eye(const ConstellationParams& params, std::size_t types)
        : sights(constellation::make_sights(params, types)), explainer(params, sights.front().set()) {}

    void look_at(const Network& network) {
        for (constellation::Sight& sight : sights) sight.assign(network);
    }
    [[nodiscard]] const constellation::FeatureSet& features() const { return sights.front().set(); }

    std::vector<constellation::Sight> sights;
    constellation::Explainer explainer;
};

} // namespace

struct Constellation::State {
    State(const ConstellationParams& chosen, const FrontEndParams& seen_with)
        : params(chosen), front_end(seen_with), schema(front_end_schema(seen_with)),
          eye((chosen.check(), params), schema->node_types.size()) {}

    ConstellationParams params;
    FrontEndParams front_end;
    std::shared_ptr<const Schema> schema;
    std::vector<std::unique_ptr<ClassModel>> classes;
    Eye eye;

    ClassModel& class_called(std::string_view label) {
        if (label.empty()) throw usage_error("a class needs a label that is not empty");
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
    (void)state_->class_called(label);
}

LearnReport Constellation::learn(const Network& network, std::string_view label) {
    State& s = *state_;
    learner::check_family(network, s.schema);
    ClassModel& model = s.class_called(label);
    s.eye.look_at(network);
    LearnReport report;
    model.learn(s.eye.sights, s.eye.explainer, s.params, report);
#ifndef NDEBUG
    model.check(s.eye.features(), s.schema->node_types.size());
#endif
    return report;
}

void Constellation::learn_all(std::span<const Sample> samples, std::size_t threads) {
    State& s = *state_;
    for (const Sample& sample : samples) {
        if (sample.network == nullptr) throw usage_error("a sample without a network cannot be learned");
        if (sample.label.empty()) throw usage_error("a class needs a label that is not empty");
        learner::check_family(*sample.network, s.schema);
    }
    for (const Sample& sample : samples) add_class(sample.label);
    // Whole classes are handed out, so that the samples of each are learned in their order.
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        Eye eye(s.params, s.schema->node_types.size());
        for (std::size_t label = next++; label < s.classes.size(); label = next++) {
            for (const Sample& sample : samples) {
                if (sample.label != s.classes[label]->label()) continue;
                LearnReport report;
                eye.look_at(*sample.network);
                s.classes[label]->learn(eye.sights, eye.explainer, s.params, report);
            }
        }
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
}

std::unique_ptr<Reader> Constellation::reader() const {
    const State& s = *state_;
    auto snapshot = std::make_shared<constellation::Snapshot>();
    snapshot->params = s.params;
    snapshot->schema = s.schema;
    for (const auto& known : s.classes) {
        snapshot->labels.push_back(known->label());
        constellation::Snapshot::Class& seen = snapshot->classes.emplace_back();
        seen.units = known->units();
        double total = 0;
        for (const auto& learned : seen.units) total += static_cast<double>(learned->unit.count);
        for (const auto& learned : seen.units)
            seen.log_shares.push_back(std::log(static_cast<double>(learned->unit.count) / total));
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
            views.push_back(
                constellation::view_of(learned->unit, known->label(), s.params, s.eye.features(), s.schema));
        }
    }
    return views;
}

Census Constellation::census(std::uint64_t observations) const {
    Census census;
    for (const auto& known : state_->classes) {
        for (const auto& learned : known->units()) {
            if (learned->unit.count < observations) continue;
            ++census.positive;
            if (learned->unit.count == 1) ++census.singletons;
            census.nodes += learned->unit.size();
            census.bytes += learned->unit.bytes();
        }
    }
    return census;
}

void Constellation::check() const {
    for (const auto& known : state_->classes)
        known->check(state_->eye.features(), state_->schema->node_types.size());
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
    for (ClassState& kept : classes) {
        std::vector<std::shared_ptr<const LearnedUnit>> units;
        for (Unit& unit : kept.units) {
            check_unit(unit, s.eye.features(), types, kept.samples, kept.label);
            if (!units.empty() && units.back()->unit.born >= unit.born)
                throw bad_input(
                    fmt::format("the kept model of class '{}' has units out of order", kept.label));
            units.push_back(
                std::make_shared<LearnedUnit>(std::move(unit), s.params, s.eye.features(), types));
        }
        if (kept.label.empty() ||
            std::ranges::any_of(s.classes, [&](const auto& known) { return known->label() == kept.label; }))
            throw bad_input(fmt::format("the kept model has the class '{}' twice, or no name", kept.label));
        s.classes.push_back(
            std::make_unique<ClassModel>(std::move(kept.label), kept.samples, std::move(units)));
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

#include "sprig/modeller.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/keyed.h"
#include "learner/require_schema.h"
#include "modeller/access.h"
#include "modeller/model_reader.h"
#include "modeller/step.h"
#include "modeller/testing.h"
#include "sprig/error.h"

namespace sprig {

using modeller::ClassModel;
using modeller::KnownClass;
using modeller::UnitId;

namespace {

/// Probabilities are calibrated on every n-th sample only, because that costs a prediction.
constexpr std::uint64_t calibrate_every = 8;

} // namespace

struct Modeller::State {
    State(const ModellerParams& p, std::uint64_t s, const FrontEndParams& f)
        : params(p), seed(s), front_end(f), schema(front_end_schema(f)), workspace(p) {
        params.check();
    }

    ModellerParams params;
    std::uint64_t seed;
    FrontEndParams front_end;
    std::shared_ptr<const Schema> schema;
    std::uint64_t steps = 0;
    std::vector<std::unique_ptr<KnownClass>> classes;
    match::Observation observation;
    modeller::StepWorkspace workspace;
    std::uint64_t scatter = 0; ///< for tests: see ClassModel::scatter_ids

    std::size_t find_or_add_class(std::string_view label) {
        if (label.empty()) throw usage_error("a class label must not be empty");
        const auto found = std::find_if(classes.begin(), classes.end(),
                                        [&](const auto& known) { return known->model.label() == label; });
        if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
        classes.push_back(std::make_unique<KnownClass>(
            KnownClass{ClassModel(std::string(label), schema->node_types.size()), {}}));
        classes.back()->model.scatter_ids(scatter);
        return classes.size() - 1;
    }
};

Modeller::Modeller(const ModellerParams& params, std::uint64_t seed, const FrontEndParams& front_end)
    : state_(std::make_unique<State>(params, seed, front_end)) {}
Modeller::~Modeller() = default;

void Modeller::add_class(std::string_view label) {
    (void)state_->find_or_add_class(label);
}

LearnReport Modeller::learn(const Network& network, std::string_view label) {
    State& s = *state_;
    learner::require_schema(network, s.schema);
    s.observation.assign(network);
    const std::size_t truth = s.find_or_add_class(label);
    ++s.steps;
    if (s.steps % calibrate_every == 0) {
        s.classes[truth]->calibration.add(reader()->predict(network).scores, truth);
    }
    LearnReport report;
    for (std::size_t k = 0; k < s.classes.size(); ++k) {
        report += modeller::Step(s.classes[k]->model, s.observation, k == truth, s.steps, s.seed, s.params,
                                 s.workspace)
                      .run();
    }
#ifndef NDEBUG
    check();
#endif
    return report;
}

std::unique_ptr<Reader> Modeller::reader() const {
    return reader(state_->params);
}

std::unique_ptr<Reader> Modeller::reader(const ModellerParams& params) const {
    const State& s = *state_;
    params.check();
    auto plan = std::make_shared<modeller::ReadPlan>();
    plan->dimensions = static_cast<std::size_t>(s.schema->dimensions);
    std::vector<const learner::Calibration*> calibrations;
    for (const auto& known : s.classes) {
        modeller::add_class(*plan, known->model, s.classes.size(), params);
        calibrations.push_back(&known->calibration);
    }
    plan->temperature = learner::best_temperature(calibrations);
    return std::make_unique<modeller::ModelReader>(std::move(plan), params, s.schema);
}

std::vector<std::string> Modeller::classes() const {
    std::vector<std::string> labels;
    for (const auto& known : state_->classes) labels.push_back(known->model.label());
    return labels;
}

std::uint64_t Modeller::steps() const {
    return state_->steps;
}

ModelSize Modeller::model_size(std::uint64_t observations) const {
    ModelSize size;
    for (const auto& known : state_->classes) {
        for (const UnitId id : known->model.in_order()) {
            const modeller::Unit& unit = known->model.unit(id);
            if (unit.active + unit.inactive < observations) continue;
            ++(unit.polarity == Polarity::positive ? size.positive : size.negative);
            if (unit.active + unit.inactive == 1) ++size.singletons;
            size.nodes += unit.nodes.size();
            size.bytes += unit.bytes();
        }
    }
    return size;
}

std::vector<UnitView> Modeller::units() const {
    std::vector<UnitView> views;
    for (const auto& known : state_->classes) {
        for (const UnitId id : known->model.in_order()) {
            views.push_back(modeller::view_of(known->model, id, state_->schema));
        }
    }
    return views;
}

void Modeller::check() const {
    for (const auto& known : state_->classes) known->model.check();
}

std::uint64_t Modeller::digest() const {
    std::uint64_t sum = random::mix({state_->seed, state_->steps});
    for (const auto& known : state_->classes) {
        sum += known->model.digest();
        std::uint64_t calibration = known->model.key();
        for (const double loss : known->calibration.loss) {
            calibration = random::mix(calibration, std::bit_cast<std::uint64_t>(loss));
        }
        sum += calibration;
    }
    return sum;
}

const FrontEndParams& Modeller::front_end() const {
    return state_->front_end;
}

const ModellerParams& Modeller::params() const {
    return state_->params;
}

std::string Modeller::parameters() const {
    return to_json(state_->params);
}

const std::vector<std::unique_ptr<KnownClass>>& modeller::Access::classes(const Modeller& modeller) {
    return modeller.state_->classes;
}

std::uint64_t Modeller::seed() const {
    return state_->seed;
}

std::unique_ptr<Modeller> modeller::Access::restore(const ModellerParams& params, std::uint64_t seed,
                                                    const FrontEndParams& front_end, std::uint64_t steps,
                                                    std::vector<ClassState> classes) {
    auto modeller = std::make_unique<Modeller>(params, seed, front_end);
    Modeller::State& s = *modeller->state_;
    s.steps = steps;
    for (ClassState& stored : classes) {
        if (stored.since > steps)
            throw bad_input(fmt::format("the stored class '{}' was added after the last step", stored.label));
        const std::size_t known = s.classes.size();
        if (s.find_or_add_class(stored.label) != known)
            throw bad_input(fmt::format("the stored model has two classes '{}'", stored.label));
        ClassModel& model = s.classes[known]->model;
        model.restore(std::move(stored.units), s.schema->layers.size());
        model.observed = steps - stored.since;
        model.own = stored.own;
        s.classes[known]->calibration = stored.calibration;
    }
    modeller->check();
    return modeller;
}

void modeller::Testing::scatter_ids(Modeller& modeller, std::uint64_t seed) {
    modeller.state_->scatter = seed;
}

ClassModel& modeller::Testing::class_model(Modeller& modeller, std::size_t index) {
    return modeller.state_->classes.at(index)->model;
}

} // namespace sprig

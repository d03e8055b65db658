#include "sprig/constellation.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "constellation/access.h"
#include "constellation/model_reader.h"
#include "constellation/snapshot.h"
#include "constellation/unit_view.h"
#include "constellation/working_set.h"
#include "core/system.h"
#include "learner/require_schema.h"
#include "sprig/error.h"

namespace sprig {

using constellation::ClassModel;
using constellation::UnitContext;

namespace {

/// Lets a label be looked up without a copy.
struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view label) const { return std::hash<std::string_view>()(label); }
};

/// Working memory for scoring an observation: one per thread.
struct Workspace {
    explicit Workspace(const UnitContext& context)
        : observed(context.params, context.types), scorer(context.params, context.set) {}

    constellation::PosedObservation observed;
    constellation::UnitScorer scorer;
};

} // namespace

struct Constellation::State {
    State(const ConstellationParams& params, const FrontEndParams& front_end_params)
        : front_end(front_end_params), schema(front_end_schema(front_end_params)),
          context(std::make_shared<UnitContext>((params.check(), params), schema->node_types.size())),
          required_schema(schema), workspace(*context), snapshots(context, schema) {}

    FrontEndParams front_end;
    std::shared_ptr<const Schema> schema;
    std::shared_ptr<const UnitContext> context;
    learner::RequiredSchema required_schema;
    std::vector<std::unique_ptr<ClassModel>> classes;
    std::unordered_map<std::string, std::size_t, StringHash, std::equal_to<>> by_label;
    std::uint64_t steps = 0;
    constellation::WorkingSet working_set;
    Workspace workspace;
    mutable constellation::SnapshotMaker snapshots;

    [[nodiscard]] std::size_t find_or_add_class(std::string_view label) {
        if (label.empty()) throw usage_error("a class label must not be empty");
        const auto found = by_label.find(label);
        return found == by_label.end() ? add(std::make_unique<ClassModel>(std::string(label)))
                                       : found->second;
    }

    std::size_t add(std::unique_ptr<ClassModel> model) {
        const std::size_t index = classes.size();
        by_label.emplace(model->label(), index);
        steps += model->samples();
        classes.push_back(std::move(model));
        use(index);
        return index;
    }

    /// Notes that the units of a class changed. Units of classes that were not used for long are packed.
    void use(std::size_t label) {
        snapshots.mark(label);
        for (const std::size_t unused : working_set.use(label, classes[label]->unpacked_nodes())) {
            classes[unused]->pack(*context);
            snapshots.mark(unused);
        }
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
    const std::size_t index = s.find_or_add_class(label);
    ClassModel& model = *s.classes[index];
    s.workspace.observed.assign(network);
    s.snapshots.mark(index); // also if it throws: the snapshot is then made anew
    LearnReport report;
    ++s.steps; // as the sample count of the class
    model.learn(s.workspace.observed, s.workspace.scorer, *s.context, report);
#ifndef NDEBUG
    model.check(*s.context);
#endif
    s.use(index);
    return report;
}

void Constellation::learn_all(std::span<const Sample> samples, std::size_t threads) {
    constellation::Access::learn_all(
        *this, samples, threads,
        [](std::size_t, const ClassModel&, const std::function<LearnReport()>& learn) { (void)learn(); });
}

void constellation::Access::learn_all(Constellation& model, std::span<const Constellation::Sample> samples,
                                      std::size_t threads, const AroundLesson& around) {
    Constellation::State& s = *model.state_;
    for (const Constellation::Sample& sample : samples) {
        if (sample.network == nullptr) throw usage_error("a sample without a network cannot be learned");
        if (sample.label.empty()) throw usage_error("a class label must not be empty");
        s.required_schema.check(*sample.network);
    }
    std::map<std::size_t, std::vector<std::size_t>> of_classes; // indices of samples
    for (std::size_t i = 0; i < samples.size(); ++i)
        of_classes[s.find_or_add_class(samples[i].label)].push_back(i);
    const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> tasks(of_classes.begin(),
                                                                              of_classes.end());
    for (const auto& [label, of_class] : tasks) s.snapshots.mark(label);
    s.steps += samples.size();
    // Each thread takes whole classes, so the samples of a class are learned in order.
    std::atomic<std::size_t> next = 0;
    const auto learn_tasks = [&] {
        Workspace workspace(*s.context);
        for (std::size_t task = next++; task < tasks.size(); task = next++) {
            ClassModel& known = *s.classes[tasks[task].first];
            for (const std::size_t sample : tasks[task].second) {
                around(sample, known, [&] {
                    LearnReport report;
                    workspace.observed.assign(*samples[sample].network);
                    known.learn(workspace.observed, workspace.scorer, *s.context, report);
                    return report;
                });
            }
        }
    };
    std::mutex failing;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            learn_tasks();
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = std::current_exception();
            next = tasks.size();
        }
    };
    {
        os::ThreadGroup workers; // fewer threads than asked for give the same result
        for (std::size_t i = 1; i < threads; ++i) (void)workers.start(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
    for (const auto& [label, of_class] : tasks) s.use(label);
}

std::unique_ptr<Reader> Constellation::reader() const {
    return std::make_unique<constellation::ModelReader>(state_->snapshots.snapshot_of(state_->classes));
}

std::vector<std::string> Constellation::classes() const {
    std::vector<std::string> labels;
    for (const auto& known : state_->classes) labels.push_back(known->label());
    return labels;
}

std::uint64_t Constellation::steps() const {
    return state_->steps;
}

std::vector<UnitView> Constellation::units() const {
    const State& s = *state_;
    std::vector<UnitView> views;
    for (const auto& known : s.classes) {
        for (const auto& learned : known->units()) {
            views.push_back(
                constellation::view_of(learned->unit(s.context->set), known->label(), *s.context, s.schema));
        }
    }
    return views;
}

ModelSize Constellation::model_size(std::uint64_t observations) const {
    ModelSize size;
    for (const auto& known : state_->classes) {
        for (const auto& learned : known->units()) {
            if (learned->count() < observations) continue;
            ++size.positive;
            if (learned->count() == 1) ++size.singletons;
            size.nodes += learned->size();
            size.bytes += constellation::stored_bytes(learned->size(), state_->context->set);
        }
    }
    return size;
}

void Constellation::check() const {
    for (const auto& known : state_->classes) known->check(*state_->context);
}

std::uint64_t Constellation::digest() const {
    std::uint64_t sum = 0;
    for (const auto& known : state_->classes) sum += known->digest(state_->context->set);
    return sum;
}

const std::vector<std::unique_ptr<ClassModel>>& constellation::Access::classes(const Constellation& model) {
    return model.state_->classes;
}

void constellation::Access::replace(Constellation& model, std::size_t label, ClassModel by) {
    Constellation::State& s = *model.state_;
    s.steps += by.samples() - s.classes[label]->samples();
    *s.classes[label] = std::move(by);
    s.use(label);
}

void constellation::Access::limit_ready_nodes(Constellation& model, std::size_t nodes) {
    Constellation::State& s = *model.state_;
    s.working_set = WorkingSet(nodes);
    for (std::size_t label = 0; label < s.classes.size(); ++label) s.use(label);
}

std::unique_ptr<Constellation> constellation::Access::restore(const ConstellationPreset& preset,
                                                              std::vector<ClassState> classes) {
    auto model = std::make_unique<Constellation>(preset);
    Constellation::State& s = *model->state_;
    std::size_t nodes = 0;
    for (const ClassState& stored : classes)
        for (const Unit& unit : stored.units) nodes += unit.count == 1 ? unit.size() : 0;
    for (ClassState& stored : classes) {
        std::vector<std::shared_ptr<const LearnedUnit>> units;
        for (Unit& unit : stored.units) {
            check_unit(unit, s.context->set, s.context->types, stored.samples, stored.label);
            if (!units.empty() && units.back()->born() >= unit.born)
                throw bad_input(
                    fmt::format("the stored model of class '{}' has units out of order", stored.label));
            units.push_back(!s.working_set.holds(nodes) && unit.count == 1
                                ? std::make_shared<LearnedUnit>(PackedUnit(unit, s.context->set))
                                : std::make_shared<LearnedUnit>(std::move(unit), *s.context));
        }
        if (stored.label.empty() || s.by_label.contains(stored.label))
            throw bad_input(
                fmt::format("the stored model has an empty or duplicate class label '{}'", stored.label));
        (void)s.add(std::make_unique<ClassModel>(std::move(stored.label), stored.samples, std::move(units)));
    }
    model->check();
    return model;
}

const FrontEndParams& Constellation::front_end() const {
    return state_->front_end;
}

const ConstellationParams& Constellation::params() const {
    return state_->context->params;
}

std::string Constellation::parameters() const {
    return to_json(state_->context->params);
}

} // namespace sprig

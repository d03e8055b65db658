#include "support/histogram/histogram.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "core/keyed.h"
#include "core/quantise.h"
#include "learner/calibration.h"
#include "learner/require_schema.h"
#include "sprig/error.h"

namespace sprig::test {

namespace {

using Bin = Histogram::Bin;
using ClassState = Histogram::ClassState;

std::map<std::uint32_t, Bin> bins_of(const Network& network) {
    std::map<std::uint32_t, Bin> bins;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        Bin& bin = bins[network.type(node)];
        ++bin.count;
        bin.x += network.coordinate(node, 0);
        bin.y += network.coordinate(node, 1);
    }
    return bins;
}

class HistogramReader final : public Reader {
  public:
    HistogramReader(std::vector<ClassState> states, std::vector<std::string> classes, double temperature,
                    std::shared_ptr<const Schema> schema)
        : states_(std::move(states)), classes_(std::move(classes)), temperature_(temperature),
          schema_(std::move(schema)) {}

    [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }

    const Prediction& predict(const Network& network) override {
        learner::require_schema(network, schema_);
        const auto seen = bins_of(network);
        prediction_ = {};
        for (const ClassState& state : states_) prediction_.scores.push_back(score(state, seen));
        learner::complete_prediction(prediction_, temperature_);
        return prediction_;
    }

    [[nodiscard]] Explanation explain(const Network& network) override {
        Explanation explanation;
        explanation.prediction = predict(network);
        for (std::size_t label = 0; label < states_.size(); ++label) {
            Contribution& part = explanation.contributions.emplace_back();
            part.unit = Histogram::unit_of(states_[label].label);
            part.label = label;
            part.present = true;
            part.value = explanation.prediction.scores[label];
            for (const auto& [type, bin] : states_[label].bins)
                part.placed.push_back(first_of(type, network));
        }
        return explanation;
    }

    [[nodiscard]] std::unique_ptr<Reader> clone() const override {
        return std::make_unique<HistogramReader>(states_, classes_, temperature_, schema_);
    }

  private:
    [[nodiscard]] double score(const ClassState& state, const std::map<std::uint32_t, Bin>& seen) const {
        double distance = 0;
        for (std::uint32_t type = 0; type < schema_->node_types.size(); ++type) {
            const auto count = [&](const std::map<std::uint32_t, Bin>& bins, double samples) {
                const auto found = bins.find(type);
                return found == bins.end() ? 0.0 : static_cast<double>(found->second.count) / samples;
            };
            const double off = count(seen, 1) - count(state.bins, std::max(1.0, double(state.samples)));
            distance += off * off;
        }
        return quantise(-distance);
    }
    static NodeId first_of(std::uint32_t type, const Network& network) {
        for (NodeId node = 0; node < network.node_count(); ++node) {
            if (network.type(node) == type) return node;
        }
        return no_node;
    }

    std::vector<ClassState> states_;
    std::vector<std::string> classes_;
    double temperature_;
    std::shared_ptr<const Schema> schema_;
    Prediction prediction_;
};

} // namespace

Histogram::Histogram(double temperature, const FrontEndParams& front_end)
    : temperature_(temperature), front_end_(front_end), schema_(front_end_schema(front_end)) {}

Lineage Histogram::unit_of(std::string_view label) {
    return random::mix(label);
}

ClassState& Histogram::find_or_add_class(std::string_view label) {
    if (label.empty()) throw usage_error("a class label must not be empty");
    for (ClassState& state : classes_) {
        if (state.label == label) return state;
    }
    return classes_.emplace_back(ClassState{std::string(label)});
}

void Histogram::add_class(std::string_view label) {
    (void)find_or_add_class(label);
}

LearnReport Histogram::learn(const Network& network, std::string_view label) {
    learner::require_schema(network, schema_);
    ClassState& state = find_or_add_class(label);
    LearnReport report;
    report.events.push_back(
        {state.samples == 0 ? UnitEvent::Kind::created : UnitEvent::Kind::refined, unit_of(label)});
    ++state.samples;
    for (const auto& [type, seen] : bins_of(network)) {
        Bin& bin = state.bins[type];
        bin.count += seen.count;
        bin.x += seen.x;
        bin.y += seen.y;
    }
    return report;
}

std::unique_ptr<Reader> Histogram::reader() const {
    return std::make_unique<HistogramReader>(classes_, classes(), temperature_, schema_);
}

std::vector<std::string> Histogram::classes() const {
    std::vector<std::string> labels;
    for (const ClassState& state : classes_) labels.push_back(state.label);
    return labels;
}

std::uint64_t Histogram::steps() const {
    std::uint64_t sum = 0;
    for (const ClassState& state : classes_) sum += state.samples;
    return sum;
}

std::vector<UnitView> Histogram::units() const {
    std::vector<UnitView> views;
    for (const ClassState& state : classes_) {
        if (state.samples == 0) continue;
        UnitView view{unit_of(state.label), {}, state.label,     Polarity::positive, 1, 1,
                      state.samples,        0,  Network(schema_)};
        for (const auto& [type, bin] : state.bins) {
            const auto count = static_cast<double>(bin.count);
            const double at[] = {bin.x / count, bin.y / count};
            const std::vector<double> attributes(schema_->attributes.size());
            view.pattern.add_node(type, at, attributes);
        }
        view.own_nodes = state.bins.size();
        views.push_back(std::move(view));
    }
    return views;
}

ModelSize Histogram::model_size(std::uint64_t observations) const {
    ModelSize size;
    for (const ClassState& state : classes_) {
        if (state.samples == 0 || state.samples < observations) continue;
        ++size.positive;
        size.singletons += state.samples == 1 ? 1 : 0;
        size.nodes += state.bins.size();
        size.bytes += sizeof state.samples + (state.bins.size() * sizeof(Bin));
    }
    return size;
}

void Histogram::check() const {
    for (const ClassState& state : classes_) {
        for (const auto& [type, bin] : state.bins) {
            if (type >= schema_->node_types.size() || bin.count == 0 || state.samples == 0)
                throw failed("a histogram is inconsistent");
        }
    }
}

std::uint64_t Histogram::digest() const {
    std::uint64_t sum = 0;
    for (const ClassState& state : classes_) {
        std::uint64_t of_class = random::mix(random::mix(state.label), state.samples);
        for (const auto& [type, bin] : state.bins) {
            of_class = random::mix({of_class, type, bin.count, std::bit_cast<std::uint64_t>(bin.x),
                                    std::bit_cast<std::uint64_t>(bin.y)});
        }
        sum += of_class;
    }
    return sum;
}

void register_histogram() {
    static std::once_flag once;
    std::call_once(once, [] { add_learner_kind(histogram_kind()); });
}

} // namespace sprig::test

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/error.h"
#include "sprig/learner.h"

namespace sprig::test {

/// The total number of nodes of each type in the networks of a class.
struct TypeCounts {
    std::string label;
    std::uint64_t networks = 0;
    std::vector<std::uint64_t> nodes;
};

inline std::vector<std::uint64_t> count_types(const Network& network) {
    std::vector<std::uint64_t> counts(network.schema().node_types.size());
    for (NodeId n = 0; n < network.node_count(); ++n) ++counts[network.type(n)];
    return counts;
}

/// Predicts the class with the nearest mean counts. Reports one reached "unit" per class.
class CountingReader : public Reader {
  public:
    explicit CountingReader(std::vector<TypeCounts> model) : model_(std::move(model)) {
        for (const TypeCounts& c : model_) classes_.push_back(c.label);
    }

    [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }

    const Prediction& predict(const Network& network) override {
        prediction_ = {};
        const std::vector<std::uint64_t> seen = count_types(network);
        for (const TypeCounts& c : model_) {
            double distance = 0;
            for (std::size_t t = 0; t < seen.size(); ++t) {
                const double mean = static_cast<double>(c.nodes[t]) / static_cast<double>(c.networks);
                distance += (static_cast<double>(seen[t]) - mean) * (static_cast<double>(seen[t]) - mean);
            }
            prediction_.scores.push_back(-distance);
            ++prediction_.work.reached;
        }
        const auto best = std::max_element(prediction_.scores.begin(), prediction_.scores.end());
        if (best != prediction_.scores.end())
            prediction_.best = static_cast<std::size_t>(best - prediction_.scores.begin());
        return prediction_;
    }

    [[nodiscard]] Explanation explain(const Network& network) override { return {predict(network), {}}; }
    [[nodiscard]] std::unique_ptr<Reader> clone() const override {
        return std::make_unique<CountingReader>(*this);
    }

  private:
    std::vector<TypeCounts> model_;
    std::vector<std::string> classes_;
    Prediction prediction_;
};

/// A minimal learner: the mean counts of node types by class. Each class is one "unit". It never forgets and
/// uses no random numbers; the seed only changes its digest.
class CountingLearner : public Learner {
  public:
    explicit CountingLearner(std::uint64_t seed, const FrontEndParams& front_end = {})
        : seed_(seed), front_end_(front_end), schema_(front_end_schema(front_end)) {}

    void add_class(std::string_view /*label*/) override {}
    LearnReport learn(const Network& network, std::string_view label) override {
        if (network.schema() != *schema_) throw bad_input("the network has another schema");
        LearnReport report;
        auto found =
            std::find_if(model_.begin(), model_.end(), [&](const auto& c) { return c.label == label; });
        if (found == model_.end()) {
            found = model_.insert(model_.end(), {std::string(label), 0, {}});
            found->nodes.resize(schema_->node_types.size());
            report.events.push_back({UnitEvent::Kind::created, 0, {}});
        }
        const std::vector<std::uint64_t> seen = count_types(network);
        for (std::size_t t = 0; t < seen.size(); ++t) found->nodes[t] += seen[t];
        ++found->networks;
        ++steps_;
        return report;
    }

    [[nodiscard]] std::unique_ptr<Reader> reader() const override {
        return std::make_unique<CountingReader>(model_);
    }
    [[nodiscard]] std::vector<std::string> classes() const override {
        return CountingReader(model_).classes();
    }
    [[nodiscard]] std::uint64_t steps() const override { return steps_; }
    [[nodiscard]] std::vector<UnitView> units() const override { return {}; }
    [[nodiscard]] ModelSize model_size(std::uint64_t observations) const override {
        const auto is_old = [&](const TypeCounts& c) { return c.networks >= observations; };
        return {static_cast<std::size_t>(std::count_if(model_.begin(), model_.end(), is_old)), 0};
    }
    void check() const override {}
    [[nodiscard]] std::uint64_t digest() const override {
        std::uint64_t sum = random::mix({seed_, steps_});
        for (const TypeCounts& c : model_) {
            for (const std::uint64_t count : c.nodes) sum = random::mix({sum, random::mix(c.label), count});
        }
        return sum;
    }
    [[nodiscard]] const FrontEndParams& front_end() const override { return front_end_; }
    [[nodiscard]] std::string_view name() const override { return "counting"; }
    [[nodiscard]] std::string parameters() const override {
        return fmt::format(R"({{"directions": {}}})", front_end_.directions);
    }

  private:
    std::uint64_t seed_;
    FrontEndParams front_end_;
    std::shared_ptr<const Schema> schema_;
    std::vector<TypeCounts> model_;
    std::uint64_t steps_ = 0;
};

} // namespace sprig::test

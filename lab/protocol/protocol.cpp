#include "lab/protocol/protocol.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

constexpr std::array<std::size_t, 6> large_cycles = {0, 1, 2, 5, 10, 19};

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t sum(const std::vector<std::size_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// One seed's run along the stream.
class StreamRun {
  public:
    StreamRun(const ExperimentData& data, const Protocol& protocol, std::unique_ptr<Learner> learner,
              std::uint64_t seed, const Tick& tick)
        : data_(data), protocol_(protocol), learner_(std::move(learner)),
          tick_(tick), run_{seed, {}, {}, AccuracyMatrix(protocol.cycles, protocol.classes(data))} {
        const bool has_networks = data.large || !data.views.empty();
        if (has_networks && learner_->front_end() != data.front_end)
            throw usage_error("the learner's front end is not the one that built the held-out networks");
        if (has_networks && protocol.drawn_classes > 0)
            throw usage_error("a large held-out set has all classes: classes cannot be drawn");
        const Stopwatch watch(run_.times.extracting);
        const Draw drawn = draw(data.dataset, data.pool, seed, protocol.cycles * protocol.per_block,
                                protocol.held_out_per_class, protocol.drawn_classes);
        for (const std::size_t c : drawn.classes) classes_.push_back(data.classes()[c]);
        FrontEnd front_end(learner_->front_end());
        stream_ = extract(data.dataset, drawn.stream, front_end, data.learned_view.change);
        held_out_ = extract(data.dataset, drawn.held_out, front_end);
        // As in the paper, where all classes exist from the start.
        for (const std::string& label : classes_) learner_->add_class(label);
        for (const NamedAudit& audit : protocol.audits) audits_.emplace_back(audit.make_reader);
    }

    SeedRun run() {
        for (std::size_t cycle = 0; cycle < protocol_.cycles; ++cycle) {
            for (std::size_t block = 0; block < classes_.size(); ++block) {
                learn_block(cycle, block);
                const bool last_block = block + 1 == classes_.size();
                if (protocol_.evaluates(cycle, last_block)) evaluate(cycle, block);
                if (data_.large && last_block && protocol_.evaluates_large(cycle))
                    run_.large.push_back({cycle, score(*data_.large)});
            }
        }
        for (const View& view : data_.views) run_.views.push_back(score(view));
        learner_->check();
        run_.digest = learner_->digest();
        run_.units = learner_->units();
        for (std::size_t i = 0; i < audits_.size(); ++i) {
            run_.audits.emplace_back(protocol_.audits[i].name, audits_[i].counts());
        }
        return std::move(run_);
    }

  private:
    void tick() const {
        if (tick_) tick_();
    }

    void learn_block(std::size_t cycle, std::size_t block) {
        for (std::size_t i = 0; i < protocol_.per_block; ++i) {
            const Network& network = stream_[block][(cycle * protocol_.per_block) + i];
            predict_before_learning(network, classes_[block]);
            tick();
            const LearnReport report = learn(network, classes_[block]);
            run_.learned.add(report);
            ++run_.steps;
            for (Audit& audit : audits_) audit.after(network, report, *learner_);
            if (protocol_.evaluates_samples(cycle))
                run_.samples.push_back({cycle, (block * protocol_.per_block) + i, score(held_out_)});
        }
    }

    LearnReport learn(const Network& network, const std::string& label) {
        const Stopwatch watch(run_.times.learning);
        return learner_->learn(network, label);
    }

    void predict_before_learning(const Network& network, const std::string& label) {
        const Stopwatch watch(run_.times.predicting);
        const std::unique_ptr<Reader> reader = learner_->reader();
        if (is_recognised(*reader, network, label, run_.read)) ++run_.prequential_correct;
    }

    bool is_recognised(Reader& reader, const Network& network, const std::string& label, WorkCounts& work) {
        tick();
        const Decision& decision = reader.decide(network);
        work += decision.work;
        reached_ = decision.work.reached;
        return decision.best && reader.classes()[*decision.best] == label;
    }

    Scores score(const NetworksByClass& networks) {
        const Stopwatch watch(run_.times.evaluating);
        const std::unique_ptr<Reader> reader = learner_->reader();
        Scores scores = Scores::of_classes(networks.size());
        scores.least_reached = std::numeric_limits<std::size_t>::max();
        for (std::size_t c = 0; c < networks.size(); ++c) {
            for (const Network& network : networks[c]) {
                scores.add(c, is_recognised(*reader, network, classes_[c], scores.work));
                scores.least_reached = std::min(scores.least_reached, reached_);
                scores.most_reached = std::max(scores.most_reached, reached_);
            }
        }
        run_.read += scores.work;
        return scores;
    }

    ViewScores score(const View& view) {
        const Stopwatch watch(run_.times.evaluating);
        const std::unique_ptr<Reader> reader = learner_->reader();
        const Scores none = Scores::of_classes(classes_.size());
        ViewScores scores{none, none};
        for (std::size_t i = 0; i < view.networks.size(); ++i) {
            const std::size_t label = data_.held_out_class(i);
            const bool is_right = is_recognised(*reader, view.networks[i], classes_[label], run_.read);
            scores.all.add(label, is_right);
            if (data_.passes_filter[i]) scores.filtered.add(label, is_right);
        }
        return scores;
    }

    void evaluate(std::size_t cycle, std::size_t block) {
        Scores scores = score(held_out_);
        run_.accuracy.set(cycle, block, scores.by_class());
        const ModelSizes units = {learner_->model_size(), learner_->model_size(5), learner_->model_size(10),
                                  learner_->model_size(20), learner_->model_size(40)};
        run_.checkpoints.push_back({cycle, block, std::move(scores), units, run_.learned});
    }

    const ExperimentData& data_;
    const Protocol& protocol_;
    std::unique_ptr<Learner> learner_;
    const Tick& tick_;
    SeedRun run_;
    std::vector<std::string> classes_; ///< in the order of the stream
    std::size_t reached_ = 0;          ///< by the latest prediction
    NetworksByClass stream_;
    NetworksByClass held_out_;
    std::vector<Audit> audits_;
};

} // namespace

const char* name_of(EvaluateAt evaluate) {
    switch (evaluate) {
    case EvaluateAt::blocks:
        return "blocks";
    case EvaluateAt::cycles:
        return "cycles";
    case EvaluateAt::end:
        return "final";
    }
    return "";
}

bool Protocol::evaluates(std::size_t cycle, bool last_block) const {
    switch (evaluate) {
    case EvaluateAt::blocks:
        return true;
    case EvaluateAt::cycles:
        return last_block;
    case EvaluateAt::end:
        return last_block && cycle + 1 == cycles;
    }
    return true;
}

bool Protocol::evaluates_samples(std::size_t cycle) const {
    return std::ranges::count(sampled_cycles, cycle) > 0;
}

std::size_t Protocol::classes(const ExperimentData& data) const {
    return drawn_classes == 0 ? data.classes().size() : drawn_classes;
}

bool Protocol::evaluates_large(std::size_t cycle) const {
    if (cycle + 1 == cycles) return true;
    return evaluate != EvaluateAt::end && std::ranges::count(large_cycles, cycle) > 0;
}

std::size_t Protocol::ticks(const ExperimentData& data) const {
    const std::size_t classes = this->classes(data);
    const std::size_t held_out = classes * held_out_per_class;
    // Each image is predicted, then learned.
    std::size_t count = (2 * cycles * classes * per_block) + (data.views.size() * data.held_out.size());
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
        for (std::size_t block = 0; block < classes; ++block) {
            if (evaluates(cycle, block + 1 == classes)) count += held_out;
        }
        if (evaluates_samples(cycle)) count += classes * per_block * held_out;
        if (evaluates_large(cycle)) count += data.large_size();
    }
    return count;
}

void LearnTotals::add(const LearnReport& report) {
    using Kind = UnitEvent::Kind;
    created += report.count(Kind::created);
    refined += report.count(Kind::refined);
    spawned += report.count(Kind::spawned);
    removed += report.count(Kind::removed);
    reintegrated += report.count(Kind::reintegrated);
    work += report.work;
}

std::vector<double> Scores::by_class() const {
    std::vector<double> result;
    for (std::size_t c = 0; c < right.size(); ++c) result.push_back(share(right[c], images[c]));
    return result;
}

double Scores::balanced() const {
    std::vector<double> accuracies;
    for (std::size_t c = 0; c < right.size(); ++c)
        if (images[c] > 0) accuracies.push_back(share(right[c], images[c]));
    return mean(accuracies).value_or(0);
}

double Scores::plain() const {
    return share(sum(right), sum(images));
}

double Scores::reached_per_observation() const {
    return share(work.reached, sum(images));
}

SeedRun run_seed(const ExperimentData& data, const Protocol& protocol, const MakeSeededLearner& factory,
                 std::uint64_t seed, const Tick& tick) {
    return StreamRun(data, protocol, factory(seed), seed, tick).run();
}

} // namespace sprig::lab

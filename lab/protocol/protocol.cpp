#include "lab/protocol/protocol.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

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

/// One seed's way along the stream.
class Walk {
  public:
    Walk(const Material& material, const Protocol& protocol, std::unique_ptr<Learner> learner,
         std::uint64_t seed, const Tick& tick)
        : material_(material), protocol_(protocol), learner_(std::move(learner)),
          tick_(tick), run_{seed, {}, {}, AccuracyMatrix(protocol.cycles, protocol.classes(material))} {
        if (material.large && learner_->front_end() != material.front_end)
            throw usage_error("the learner sees with another front end than its networks were made with");
        if (material.large && protocol.drawn_classes > 0)
            throw usage_error("a large held-out set has all classes: none can be drawn");
        const Stopwatch watch(run_.times.extracting);
        const Draw drawn = draw(material.data, material.pool, seed, protocol.cycles * protocol.per_block,
                                protocol.held_out_per_class, protocol.drawn_classes);
        for (const std::size_t c : drawn.classes) classes_.push_back(material.data.classes()[c]);
        FrontEnd front_end(learner_->front_end());
        stream_ = extract(material.data, drawn.stream, front_end);
        held_out_ = extract(material.data, drawn.held_out, front_end);
        // As in the paper, where all classes are there from the start, with nothing known of them.
        for (const std::string& label : classes_) learner_->add_class(label);
        for (const NamedAudit& audit : protocol.audits) audits_.emplace_back(audit.make_reader);
    }

    SeedRun go() {
        for (std::size_t cycle = 0; cycle < protocol_.cycles; ++cycle) {
            for (std::size_t block = 0; block < classes_.size(); ++block) {
                teach(cycle, block);
                const bool last_block = block + 1 == classes_.size();
                if (protocol_.evaluates(cycle, last_block)) evaluate(cycle, block);
                if (material_.large && last_block && protocol_.evaluates_large(cycle)) evaluate_large(cycle);
            }
        }
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

    void teach(std::size_t cycle, std::size_t block) {
        for (std::size_t i = 0; i < protocol_.per_block; ++i) {
            const Network& network = stream_[block][(cycle * protocol_.per_block) + i];
            anticipate(network, classes_[block]);
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

    void anticipate(const Network& network, const std::string& label) {
        const Stopwatch watch(run_.times.predicting);
        const std::unique_ptr<Reader> reader = learner_->reader();
        if (is_recognised(*reader, network, label, run_.read)) ++run_.anticipated;
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
        Scores scores;
        scores.least_reached = std::numeric_limits<std::size_t>::max();
        for (std::size_t c = 0; c < networks.size(); ++c) {
            scores.images.push_back(networks[c].size());
            scores.right.push_back(0);
            for (const Network& network : networks[c]) {
                if (is_recognised(*reader, network, classes_[c], scores.work)) ++scores.right.back();
                scores.least_reached = std::min(scores.least_reached, reached_);
                scores.most_reached = std::max(scores.most_reached, reached_);
            }
        }
        run_.read += scores.work;
        return scores;
    }

    void evaluate(std::size_t cycle, std::size_t block) {
        Scores scores = score(held_out_);
        run_.accuracy.set(cycle, block, scores.by_class());
        const Growth units = {learner_->census(), learner_->census(5), learner_->census(10),
                              learner_->census(20), learner_->census(40)};
        run_.checkpoints.push_back({cycle, block, std::move(scores), units, run_.learned});
    }

    void evaluate_large(std::size_t cycle) { run_.large.push_back({cycle, score(*material_.large)}); }

    const Material& material_;
    const Protocol& protocol_;
    std::unique_ptr<Learner> learner_;
    const Tick& tick_;
    SeedRun run_;
    std::vector<std::string> classes_; ///< in the order in which they come
    std::size_t reached_ = 0;          ///< by the latest question
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

std::size_t Protocol::classes(const Material& material) const {
    return drawn_classes == 0 ? material.data.classes().size() : drawn_classes;
}

bool Protocol::evaluates_large(std::size_t cycle) const {
    if (cycle + 1 == cycles) return true;
    return evaluate != EvaluateAt::end && std::ranges::count(large_cycles, cycle) > 0;
}

std::size_t Protocol::ticks(const Material& material) const {
    const std::size_t classes = this->classes(material);
    const std::size_t held_out = classes * held_out_per_class;
    std::size_t count = 2 * cycles * classes * per_block; // each is predicted, then learned
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
        for (std::size_t block = 0; block < classes; ++block) {
            if (evaluates(cycle, block + 1 == classes)) count += held_out;
        }
        if (evaluates_samples(cycle)) count += classes * per_block * held_out;
        if (evaluates_large(cycle)) count += material.large_size();
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
    return mean(by_class()).value_or(0);
}

double Scores::plain() const {
    return share(sum(right), sum(images));
}

double Scores::reached_per_observation() const {
    return share(work.reached, sum(images));
}

SeedRun run_seed(const Material& material, const Protocol& protocol, const LearnerFactory& factory,
                 std::uint64_t seed, const Tick& tick) {
    return Walk(material, protocol, factory(seed), seed, tick).go();
}

std::vector<SeedRun> run_seeds(const Material& material, const Protocol& protocol,
                               const LearnerFactory& factory, const std::vector<std::uint64_t>& seeds,
                               std::size_t threads, const Progress& progress) {
    std::vector<std::optional<SeedRun>> runs(seeds.size());
    in_parallel(
        seeds.size(), threads, seeds.size() * protocol.ticks(material),
        [&](std::size_t piece, const Tick& tick) {
            runs[piece] = run_seed(material, protocol, factory, seeds[piece], tick);
        },
        progress);
    std::vector<SeedRun> result;
    result.reserve(runs.size());
    for (std::optional<SeedRun>& run : runs) result.push_back(std::move(run.value()));
    return result;
}

} // namespace sprig::lab

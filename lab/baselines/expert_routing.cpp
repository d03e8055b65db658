#include "lab/baselines/expert_routing.h"

#include <cmath>
#include <limits>

#include "core/keyed.h"
#include "lab/baselines/net.h"
#include "lab/baselines/rules.h"

namespace sprig::baselines {

namespace {

constexpr double rate = 1e-3;

/// Running mean and standard deviation.
class RunningStatistics {
  public:
    void add(double number) {
        ++count_;
        const double difference = number - mean_;
        mean_ += difference / static_cast<double>(count_);
        squares_ += difference * (number - mean_);
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] double deviation() const {
        return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
    }

  private:
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

/// A predictor, and the autoencoder that decides which images it is responsible for.
class Expert {
  public:
    Expert(const Task& task, std::uint64_t key)
        : width_(task.width),
          predictor_(make_net({task.width, {}, {128}, task.classes}, rate, random::mix(key, 0))),
          autoencoder_(make_net({task.width, {}, {64}, task.width, true}, rate, random::mix(key, 1))) {}

    /// The mean squared error of each image's reconstruction.
    std::vector<double> errors(const Samples& images) {
        const std::span<const float> made = autoencoder_->outputs(images);
        std::vector<double> result;
        for (std::size_t r = 0; r < images.size(); ++r) {
            double sum = 0;
            for (std::size_t i = 0; i < width_; ++i) {
                const double difference = static_cast<double>(made[(r * width_) + i] - images.row(r)[i]);
                sum += difference * difference;
            }
            result.push_back(sum / static_cast<double>(width_));
        }
        return result;
    }

    void train(const Labelled& batch, std::size_t steps) {
        for (std::size_t i = 0; i < steps; ++i) {
            plain_->add_loss(*predictor_, batch);
            predictor_->step();
            const std::span<const float> made = autoencoder_->forward(batch.images);
            std::vector<float> by_output(made.size());
            add_squared_distance(made, batch.images.values(), 1, by_output);
            autoencoder_->backward(by_output);
            autoencoder_->step();
        }
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) {
        const std::span<const float> logits = predictor_->outputs(images);
        argmax(logits, logits.size() / images.size(), answers);
    }

    [[nodiscard]] std::size_t bytes() const {
        return predictor_->bytes() + autoencoder_->bytes() + sizeof(RunningStatistics);
    }

    RunningStatistics errors_seen; ///< reconstruction errors of the images it was given to learn

  private:
    std::size_t width_;
    std::unique_ptr<Net> predictor_;
    std::unique_ptr<Net> autoencoder_;
    std::unique_ptr<Rule> plain_ = std::make_unique<Rule>();
};

double mean_of(const std::vector<double>& numbers) {
    double sum = 0;
    for (const double number : numbers) sum += number;
    return sum / static_cast<double>(numbers.size());
}

class ExpertRouting : public Strategy {
  public:
    ExpertRouting(const Task& task, const ExpertOptions& options) : task_(task), options_(options) {}

    void observe(const Samples& images, std::size_t label) override {
        Labelled batch(images.width());
        for (std::size_t i = 0; i < images.size(); ++i) {
            batch.add(images.row(i), label);
            if (batch.size() < options_.batch && i + 1 < images.size()) continue;
            learn(batch);
            batch = Labelled(images.width());
        }
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        answers.assign(images.size(), 0);
        const std::vector<std::size_t> routes = routes_of(images);
        Samples own(images.width());
        std::vector<std::size_t> of_expert;
        for (std::size_t e = 0; e < experts_.size(); ++e) {
            own.clear();
            for (std::size_t r = 0; r < routes.size(); ++r)
                if (routes[r] == e) own.add(images.row(r));
            if (own.size() == 0) continue;
            experts_[e].predict(own, of_expert);
            std::size_t next = 0;
            for (std::size_t r = 0; r < routes.size(); ++r)
                if (routes[r] == e) answers[r] = of_expert[next++];
        }
    }

    [[nodiscard]] MemoryUse memory_use() const override {
        MemoryUse memory;
        memory.parts = experts_.size();
        for (const Expert& expert : experts_) memory.model += expert.bytes();
        return memory;
    }

  private:
    /// The index of the expert that reconstructs each image best.
    std::vector<std::size_t> routes_of(const Samples& images) {
        std::vector<std::size_t> routes(images.size());
        std::vector<double> least(images.size(), std::numeric_limits<double>::infinity());
        for (std::size_t e = 0; e < experts_.size(); ++e) {
            const std::vector<double> errors = experts_[e].errors(images);
            for (std::size_t r = 0; r < routes.size(); ++r) {
                if (errors[r] >= least[r]) continue;
                least[r] = errors[r];
                routes[r] = e;
            }
        }
        return routes;
    }

    void learn(const Labelled& batch) {
        Expert* chosen = expert_for(batch.images);
        if (chosen == nullptr) return;
        Expert& expert = *chosen;
        // The first errors of a new expert are meaningless before it has learned anything.
        const bool record_after = options_.errors.learned || expert.errors_seen.count() == 0;
        if (!record_after) record_errors(expert, batch.images);
        expert.train(batch, options_.steps);
        if (record_after) record_errors(expert, batch.images);
    }

    void record_errors(Expert& expert, const Samples& images) const {
        std::vector<double> errors = expert.errors(images);
        if (options_.errors.by_block) errors = {mean_of(errors)};
        for (const double error : errors) expert.errors_seen.add(error);
    }

    /// The expert that learns the images; null if none does.
    Expert* expert_for(const Samples& images) {
        Expert* best = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (Expert& expert : experts_) {
            const double error = mean_of(expert.errors(images));
            if (error >= least) continue;
            least = error;
            best = &expert;
        }
        if (best != nullptr &&
            least <= best->errors_seen.mean() + (options_.reluctance * best->errors_seen.deviation()))
            return best;
        if (experts_.size() > options_.most) return options_.learns_when_full ? best : nullptr;
        static const std::uint64_t purpose = random::mix("an expert's weights");
        return &experts_.emplace_back(task_, random::mix({task_.seed, purpose, experts_.size()}));
    }

    Task task_;
    ExpertOptions options_;
    std::vector<Expert> experts_;
};

} // namespace

std::unique_ptr<Strategy> expert_routing(const Task& task, const ExpertOptions& options) {
    return std::make_unique<ExpertRouting>(task, options);
}

} // namespace sprig::baselines

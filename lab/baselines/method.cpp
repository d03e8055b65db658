#include "lab/baselines/method.h"

#include <algorithm>
#include <cmath>

#include "sprig/error.h"

namespace sprig::baselines {

namespace {

/// Runs one seed along the stream.
class Trial {
  public:
    Trial(const lab::ExperimentData& data, const lab::Protocol& protocol, const MakeStrategy& make,
          std::uint64_t seed, const lab::Tick& tick)
        : protocol_(protocol),
          tick_(tick), run_{seed, {}, {}, lab::AccuracyMatrix(protocol.cycles, protocol.classes(data))} {
        const lab::Draw drawn = lab::draw(data.dataset, data.pool, seed, protocol.cycles * protocol.per_block,
                                          protocol.held_out_per_class, protocol.drawn_classes);
        stream_ = pixels_of(data.dataset, drawn.stream);
        const std::size_t width = stream_.front().width();
        held_out_ = Samples(width);
        for (const Samples& of_class : pixels_of(data.dataset, drawn.held_out)) held_out_.add(of_class);
        const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(width))));
        strategy_ = make({width, side, stream_.size(), seed});
    }

    lab::SeedRun run() {
        for (std::size_t cycle = 0; cycle < protocol_.cycles; ++cycle) {
            for (std::size_t block = 0; block < stream_.size(); ++block) {
                if (tick_) tick_();
                teach(cycle, block);
                if (protocol_.evaluates(cycle, block + 1 == stream_.size())) evaluate(cycle, block);
            }
        }
        return std::move(run_);
    }

  private:
    void teach(std::size_t cycle, std::size_t block) {
        Samples images(stream_[block].width());
        for (std::size_t i = 0; i < protocol_.per_block; ++i)
            images.add(stream_[block].row((cycle * protocol_.per_block) + i));
        if (protocol_.evaluate == lab::EvaluateAt::blocks) {
            const lab::Stopwatch watch(run_.times.predicting);
            strategy_->predict(images, answers_);
            run_.prequential_correct += static_cast<std::size_t>(std::ranges::count(answers_, block));
        }
        const lab::Stopwatch watch(run_.times.learning);
        strategy_->observe(images, block);
        run_.steps += images.size();
    }

    void evaluate(std::size_t cycle, std::size_t block) {
        const lab::Stopwatch watch(run_.times.evaluating);
        strategy_->predict(held_out_, answers_);
        const std::size_t each = protocol_.held_out_per_class;
        lab::Scores scores;
        for (std::size_t c = 0; c < stream_.size(); ++c) {
            const auto of_class = std::span(answers_).subspan(c * each, each);
            scores.images.push_back(each);
            scores.right.push_back(static_cast<std::size_t>(std::ranges::count(of_class, c)));
        }
        run_.accuracy.set(cycle, block, scores.by_class());
        const MemoryUse memory = strategy_->memory_use();
        lab::ModelSizes growth;
        growth.all.bytes = memory.bytes();
        growth.all.singletons = memory.images;
        growth.all.positive = memory.parts;
        run_.checkpoints.push_back({cycle, block, std::move(scores), growth, {}});
    }

    const lab::Protocol& protocol_;
    const lab::Tick& tick_;
    lab::SeedRun run_;
    std::vector<Samples> stream_; ///< by class
    Samples held_out_{0};         ///< one class after the other
    std::unique_ptr<Strategy> strategy_;
    std::vector<std::size_t> answers_;
};

} // namespace

std::vector<Samples> pixels_of(const Dataset& data, const lab::ImagesByClass& images) {
    std::vector<Samples> result;
    std::vector<float> row;
    for (const std::vector<std::size_t>& of_class : images) {
        const std::size_t width = of_class.empty() ? 0 : data.image(of_class.front()).size();
        Samples& samples = result.emplace_back(width);
        samples.reserve(of_class.size());
        for (const std::size_t index : of_class) {
            row.clear();
            const ImageView image = data.image(index);
            if (image.size() != width)
                throw usage_error("a pixel-based learner needs images of the same size");
            for (const std::uint8_t grey : std::span(image.pixels, width))
                row.push_back(static_cast<float>(grey) / 255);
            samples.add(row);
        }
    }
    return result;
}

lab::SeedRun run_trial(const lab::ExperimentData& data, const lab::Protocol& protocol,
                       const MakeStrategy& make, std::uint64_t seed, const lab::Tick& tick) {
    return Trial(data, protocol, make, seed, tick).run();
}

namespace {

Samples binary_images(const Samples& images) {
    Samples result(images.width());
    result.reserve(images.size());
    std::vector<float> row(images.width());
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::ranges::transform(images.row(i), row.begin(),
                               [](float grey) { return grey > 0.5F ? 1.0F : 0.0F; });
        result.add(row);
    }
    return result;
}

class Binarized : public Strategy {
  public:
    explicit Binarized(std::unique_ptr<Strategy> learner) : learner_(std::move(learner)) {}

    void observe(const Samples& images, std::size_t label) override {
        learner_->observe(binary_images(images), label);
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        learner_->predict(binary_images(images), answers);
    }
    [[nodiscard]] MemoryUse memory_use() const override { return learner_->memory_use(); }

  private:
    std::unique_ptr<Strategy> learner_;
};

} // namespace

std::unique_ptr<Strategy> binarized(std::unique_ptr<Strategy> learner) {
    return std::make_unique<Binarized>(std::move(learner));
}

lab::Experiment experiment(const Method& method, const lab::ExperimentData& data,
                           const lab::StudyContext& context) {
    const lab::Protocol protocol = lab::limited(method.protocol, context);
    nlohmann::ordered_json what = {
        {"method", method.family}, {"version", methods_version}, {"settings", method.settings}};
    what["protocol"] = lab::json_of(protocol, data);
    return {{method.name, what},
            method.seconds,
            protocol.cycles * protocol.classes(data),
            [&data, protocol, make = method.make](std::uint64_t seed, const lab::Tick& tick) {
                return run_trial(data, protocol, make, seed, tick);
            }};
}

} // namespace sprig::baselines

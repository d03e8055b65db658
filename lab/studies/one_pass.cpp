#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab::studies::one_pass {

namespace {

/// The numbers of samples after which the model is evaluated; it is also evaluated at the end.
constexpr std::array<std::size_t, 6> evaluated_at = {10, 50, 200, 1000, 5000, 20'000};

struct Evaluation {
    std::size_t samples = 0;
    ViewScores scores;
    double prequential = 0; ///< accuracy on all samples so far, just before each was learned
    ModelSize size;
};

/// One pass over the training images.
class Pass {
  public:
    Pass(const StudyContext& context, const ExperimentData& data)
        : context_(context), data_(data), learner_(context.make_chosen(context.seeds.front())),
          front_end_(learner_->front_end()),
          held_out_(networks_of(context, data.held_out_data(), data.held_out, learner_->front_end())) {
        for (const std::string& label : data.classes()) learner_->add_class(label);
    }

    std::vector<Evaluation> run() {
        const std::size_t count = context_.limited(data_.pool.size());
        for (std::size_t begin = 0; begin < count;) {
            const auto next = std::ranges::upper_bound(evaluated_at, begin);
            const std::size_t end = next == evaluated_at.end() ? count : std::min(*next, count);
            learn(begin, end, count);
            evaluate(end);
            begin = end;
        }
        learner_->check();
        return std::move(evaluations_);
    }

  private:
    void learn(std::size_t begin, std::size_t end, std::size_t of) {
        const Progress progress = context_.begin("learning");
        for (std::size_t i = begin; i < end; ++i) {
            if (progress) progress(i, of);
            const std::size_t image = data_.pool[i];
            const std::string label = data_.dataset.label_name(image);
            front_end_.extract(data_.dataset.image(image), network_);
            const std::unique_ptr<Reader> reader = learner_->reader();
            const Decision& decision = reader->decide(network_);
            if (decision.best && reader->classes()[*decision.best] == label) ++prequential_correct_;
            (void)learner_->learn(network_, label);
        }
    }

    void evaluate(std::size_t samples) {
        evaluations_.push_back({samples, test(),
                                static_cast<double>(prequential_correct_) / static_cast<double>(samples),
                                learner_->model_size()});
    }

    [[nodiscard]] ViewScores test() const {
        const std::unique_ptr<Reader> original = learner_->reader();
        const auto is_right = compute_in_parallel<char>(context_, held_out_.size(), "testing", [&] {
            return [&, reader = original->clone()](std::size_t i) -> char {
                const Decision& decision = reader->decide(held_out_[i]);
                return decision.best &&
                       reader->classes()[*decision.best] == data_.classes()[data_.held_out_class(i)];
            };
        });
        const Scores none = Scores::of_classes(data_.classes().size());
        ViewScores scores{none, none};
        for (std::size_t i = 0; i < is_right.size(); ++i) {
            scores.all.add(data_.held_out_class(i), is_right[i] != 0);
            if (data_.passes_filter[i]) scores.filtered.add(data_.held_out_class(i), is_right[i] != 0);
        }
        return scores;
    }

    const StudyContext& context_;
    const ExperimentData& data_;
    std::unique_ptr<Learner> learner_;
    FrontEnd front_end_;
    std::vector<Network> held_out_;
    Network network_{front_end_.schema()};
    std::size_t prequential_correct_ = 0;
    std::vector<Evaluation> evaluations_;
};

StudyTable table_of(const std::vector<Evaluation>& evaluations) {
    StudyTable table{"one-pass",
                     "Along one pass over the training images",
                     {"samples", "accuracy", "balanced", "filtered", "prequential", "units", "singletons",
                      "nodes", "bytes"}};
    for (const Evaluation& evaluation : evaluations) {
        table.rows.push_back({cell(evaluation.samples), cell(evaluation.scores.all.plain(), 4),
                              cell(evaluation.scores.all.balanced(), 4),
                              cell(evaluation.scores.filtered.balanced(), 4), cell(evaluation.prequential, 4),
                              cell(evaluation.size.total()), cell(evaluation.size.singletons),
                              cell(evaluation.size.nodes), cell(evaluation.size.bytes)});
    }
    return table;
}

template <class Get>
Line line_of(const char* name, const std::vector<Evaluation>& evaluations, Get get) {
    Line line{name, {}, {}};
    for (const Evaluation& evaluation : evaluations) {
        line.x.push_back(static_cast<double>(evaluation.samples));
        line.y.push_back(static_cast<double>(get(evaluation)));
    }
    return line;
}

std::vector<StudyChart> charts_of(const std::vector<Evaluation>& evaluations) {
    Chart accuracy{"Accuracy along one pass over the training images", "samples learned", "accuracy", {}};
    accuracy.lines = {
        line_of("held out", evaluations, [](const Evaluation& l) { return l.scores.all.plain(); }),
        line_of("held out, filtered", evaluations,
                [](const Evaluation& l) { return l.scores.filtered.balanced(); }),
        line_of("prequential", evaluations, [](const Evaluation& l) { return l.prequential; })};
    Chart units{"Units along one pass over the training images", "samples learned", "units", {}};
    units.lines = {line_of("units", evaluations, [](const Evaluation& l) { return l.size.total(); }),
                   line_of("singletons", evaluations, [](const Evaluation& l) { return l.size.singletons; })};
    accuracy.logarithmic_x = units.logarithmic_x = true;
    return {{"accuracy", std::move(accuracy),
             "Accuracy by number of samples in one pass, each learned once: on all held-out digits, on "
             "those that the paper's filter keeps, and on the samples themselves just before they were "
             "learned (prequential)."},
            {"units", std::move(units),
             "Units by number of samples, and those of them that have seen one sample only."}};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_digits(context, false);
    const std::vector<Evaluation> evaluations = Pass(context, data).run();
    StudyResult result;
    result.tables.push_back(table_of(evaluations));
    result.charts = charts_of(evaluations);
    result.notes = {describe_held_out(data),
                    fmt::format("Learned: the first {} images of mnist:train in file order, unfiltered, "
                                "each once; there is only one such order, so only seed {} was used.",
                                evaluations.back().samples, context.seeds.front()),
                    "accuracy: on all held-out images, mean over images; balanced: the same, mean over "
                    "classes; filtered: on those that the paper's filter keeps, mean over classes; "
                    "prequential: of all samples so far, those recognised just before they were learned."};
    return result;
}

} // namespace

Study study() {
    return {.name = "one-pass",
            .question = "How accurate and how large is a model after one pass over all training images?",
            .run = run,
            .minutes = 0.5};
}

} // namespace sprig::lab::studies::one_pass

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/digits.h"

namespace sprig::lab {

namespace {

/// After how many samples it is looked at, and at the end.
constexpr std::array<std::size_t, 6> looked_at = {10, 50, 200, 1000, 5000, 20'000};

struct Look {
    std::size_t samples = 0;
    DigitScores scores;
    double prequential =
        0; ///< of all samples so far, the share that was recognised just before it was learned
    Census census;
};

/// One pass along the training images.
class Pass {
  public:
    Pass(const StudyContext& context, const Digits& digits)
        : context_(context), digits_(digits), learner_(context.make_chosen(context.seeds.front())),
          front_end_(learner_->front_end()),
          held_out_(networks_of(context, digits.held_out_data(), digits.held_out, learner_->front_end())) {
        for (const std::string& label : digits.classes()) learner_->add_class(label);
    }

    std::vector<Look> go() {
        const std::size_t count = context_.limited(digits_.pool.size());
        for (std::size_t begin = 0; begin < count;) {
            const auto next = std::ranges::upper_bound(looked_at, begin);
            const std::size_t end = next == looked_at.end() ? count : std::min(*next, count);
            learn(begin, end, count);
            look(end);
            begin = end;
        }
        learner_->check();
        return std::move(looks_);
    }

  private:
    void learn(std::size_t begin, std::size_t end, std::size_t of) {
        const Progress progress = context_.begin("learning");
        for (std::size_t i = begin; i < end; ++i) {
            if (progress) progress(i, of);
            const std::size_t image = digits_.pool[i];
            const std::string label = digits_.train.label_name(image);
            front_end_.extract(digits_.train.image(image), network_);
            const std::unique_ptr<Reader> reader = learner_->reader();
            const Decision& decision = reader->decide(network_);
            if (decision.best && reader->classes()[*decision.best] == label) ++anticipated_;
            (void)learner_->learn(network_, label);
        }
    }

    void look(std::size_t samples) {
        const std::unique_ptr<Reader> reader = learner_->reader();
        looks_.push_back(
            {samples, score_digits(digits_, decisions(context_, *reader, held_out_, digits_.classes())),
             static_cast<double>(anticipated_) / static_cast<double>(samples), learner_->census()});
    }

    const StudyContext& context_;
    const Digits& digits_;
    std::unique_ptr<Learner> learner_;
    FrontEnd front_end_;
    std::vector<Network> held_out_;
    Network network_{front_end_.schema()};
    std::size_t anticipated_ = 0;
    std::vector<Look> looks_;
};

StudyTable table_of(const std::vector<Look>& looks) {
    StudyTable table{"one-pass",
                     "Along one pass over the training images",
                     {"samples", "accuracy", "balanced", "filtered", "prequential", "units", "singletons",
                      "nodes", "bytes"}};
    for (const Look& look : looks) {
        table.rows.push_back({cell(look.samples), cell(look.scores.plain, 4), cell(look.scores.balanced, 4),
                              cell(look.scores.filtered_balanced, 4), cell(look.prequential, 4),
                              cell(look.census.total()), cell(look.census.singletons),
                              cell(look.census.nodes), cell(look.census.bytes)});
    }
    return table;
}

template <class Get>
Line line_of(const char* name, const std::vector<Look>& looks, Get get) {
    Line line{name, {}, {}};
    for (const Look& look : looks) {
        line.x.push_back(static_cast<double>(look.samples));
        line.y.push_back(static_cast<double>(get(look)));
    }
    return line;
}

std::vector<StudyChart> charts_of(const std::vector<Look>& looks) {
    Chart accuracy{"Accuracy along one pass over the training images", "samples learned", "accuracy", {}};
    accuracy.lines = {
        line_of("held out", looks, [](const Look& l) { return l.scores.plain; }),
        line_of("held out, filtered", looks, [](const Look& l) { return l.scores.filtered_balanced; }),
        line_of("before learning", looks, [](const Look& l) { return l.prequential; })};
    Chart units{"Units along one pass over the training images", "samples learned", "units", {}};
    units.lines = {line_of("units", looks, [](const Look& l) { return l.census.total(); }),
                   line_of("singletons", looks, [](const Look& l) { return l.census.singletons; })};
    accuracy.logarithmic_x = units.logarithmic_x = true;
    return {{"accuracy", std::move(accuracy),
             "Accuracy after so many samples of one pass, each seen once: on all held-out digits, on those "
             "that the paper's filter keeps, and of the samples themselves just before they were learned."},
            {"units", std::move(units),
             "How many units there are after so many samples, and how many of them have seen one only."}};
}

StudyResult run(const StudyContext& context) {
    const Digits digits = load_digits(context, false);
    const std::vector<Look> looks = Pass(context, digits).go();
    StudyResult result;
    result.tables.push_back(table_of(looks));
    result.charts = charts_of(looks);
    result.notes = {in_words(context, digits),
                    fmt::format("Learned: the first {} images of mnist:train in file order, unfiltered, each "
                                "once; there is one such order, so only the seed {} was used.",
                                looks.back().samples, context.seeds.front()),
                    "accuracy: on all held-out images, mean over images; balanced: the same, mean over "
                    "classes; filtered: on those that the paper's filter keeps, mean over classes; "
                    "prequential: of all samples so far, those recognised just before they were learned."};
    return result;
}

} // namespace

Study study_one_pass() {
    return {.name = "one-pass",
            .question = "How good does one pass over all training images make it, and how large?",
            .run = run,
            .minutes = 0.5,
            .preset = "long"};
}

} // namespace sprig::lab

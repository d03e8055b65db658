#include "baselines/paper_tables.h"

#include <array>

#include <fmt/format.h>

#include "baselines/neural_methods.h"
#include "baselines/other_methods.h"

namespace sprig::baselines {

namespace {

constexpr std::size_t block = 20; ///< gradient steps: a consolidation with every block
/// The paper's filter leaves 3,766 images of the digit 8, and some of them are held out.
constexpr std::size_t most_of_a_class = 3700;

/// What the sweep over cadences reports, of one method.
struct CadenceRow {
    std::size_t cadence;
    double si_final, si_wcr, mas_final, mas_wcr, lwf_final, lwf_wcr;
};
constexpr std::array<CadenceRow, 8> cadences = {{{1, .663, .16, .663, .16, .644, .17},
                                                 {2, .850, .30, .818, .17, .675, .14},
                                                 {3, .864, .37, .830, .17, .726, .14},
                                                 {7, .879, .44, .830, .18, .798, .19},
                                                 {10, .836, .58, .840, .18, .742, .14},
                                                 {13, .836, .47, .855, .18, .725, .23},
                                                 {20, .803, .56, .836, .19, .730, .18},
                                                 {200, .329, .20, .624, .17, .569, .11}}};

TablePlan penalties() {
    return {"penalties",
            "The strength of the penalty, with a consolidation after every block",
            {{si(300, block), {.806, .039, .469, .54}, "SI 300"},
             {si(1000, block), {.803, .063, .474, .56}, "SI 1000"},
             {si(3000, block), {.807, .048, .468, .54}, "SI 3000"},
             {mas(.003, block), {.856, .018, .174, .18}, "MAS 0.003"},
             {mas(.01, block), {.836, .020, .185, .19}, "MAS 0.01"},
             {mas(.03, block), {.867, .012, .233, .24}, "MAS 0.03"},
             {lwf(1, block), {.712, .041, .136, .14}, "LwF 1"},
             {lwf(3, block), {.730, .038, .178, .18}, "LwF 3"},
             {lwf(10, block), {.695, .061, .228, .25}, "LwF 10"}}};
}

TablePlan cadence_table() {
    TablePlan plan{
        "cadences", "Gradient steps from one consolidation to the next: 20 are a block, 200 a cycle", {}};
    for (const CadenceRow& row : cadences) {
        const auto title = [&](const char* name) { return fmt::format("{} every {}", name, row.cadence); };
        plan.rows.push_back({si(1000, row.cadence), {row.si_final, {}, {}, row.si_wcr}, title("SI")});
        plan.rows.push_back({mas(.01, row.cadence), {row.mas_final, {}, {}, row.mas_wcr}, title("MAS")});
        plan.rows.push_back({lwf(3, row.cadence), {row.lwf_final, {}, {}, row.lwf_wcr}, title("LwF")});
    }
    return plan;
}

TablePlan one_sample_table() {
    const Training training = one_at_a_time();
    const std::size_t sample = training.schedule.steps;
    return {"one-at-a-time",
            "One sample at a time, four gradient steps on each: as many in all",
            {{plain(training), {.577, {}, .155, .16}},
             {si(1000, block, training), {.776, {}, .406, .48}},
             {mas(.01, block, training), {.659, {}, .150, .15}},
             {lwf(3, block, training), {.622, {}, .206, .26}},
             {si(1000, sample, training), {.776, {}, .406, .48}, "SI, consolidated after every sample"},
             {mas(.01, sample, training), {.659, {}, .150, .15}, "MAS, consolidated after every sample"},
             {lwf(3, sample, training), {.622, {}, .206, .26}, "LwF, consolidated after every sample"}}};
}

TablePlan replay_table() {
    TablePlan plan{"replay", "Methods that store images: how many, and what they ask of them", {}};
    const auto add_der = [&](double alpha, double beta, Reported few, Reported many) {
        for (const auto& [capacity, paper] : {std::pair{8, few}, {80, many}}) {
            plan.rows.push_back({der(static_cast<std::size_t>(capacity), alpha, beta), paper,
                                 fmt::format("DER++ {} {}, {} img", alpha, beta, capacity)});
        }
    };
    add_der(.1, .5, {.799, {}, {}, .50}, {.883, {}, {}, .76});
    add_der(.5, .5, {.779, {}, {}, .60}, {.905, {}, {}, .89});
    add_der(1, .5, {.793, {}, {}, .67}, {.910, {}, {}, .94});
    add_der(.5, 1, {.790, {}, {}, .62}, {.912, {}, {}, .91});
    add_der(1, 1, {.810, {}, {}, .67}, {.906, {}, {}, .95});
    add_der(.2, 1, {.790, {}, {}, .56}, {.898, {}, {}, .85});
    const auto add_ace = [&](std::size_t capacity, double final, double wcr) {
        plan.rows.push_back(
            {er_ace(capacity), {final, {}, {}, wcr}, fmt::format("ER-ACE, {} img", capacity)});
    };
    add_ace(2, .150, .63);
    add_ace(5, .337, .79);
    add_ace(8, .399, .81);
    add_ace(20, .631, .95);
    add_ace(50, .772, .97);
    add_ace(80, .825, .98);
    return plan;
}

TablePlan much_data_table() {
    return {"much-data",
            "Blocks with much data, and the same network with all images at hand",
            {{replay(8, 100), {.93}, "Naive replay, 8 img, blocks of 100"},
             {replay(80, 100), {.93}, "Naive replay, 80 img, blocks of 100"},
             {at_once(false, most_of_a_class, 5), {.979}, "Plain NN, 37,000 images at once"},
             {at_once(true, most_of_a_class, 1), {}, "CNN, 37,000 images at once, seen once"}}};
}

} // namespace

TablePlan main_table() {
    return {"baselines",
            "Learners of pixels on the identical stream",
            {{si(1000, 7), {.879, .016, .418, .44, .36}},
             {mas(.03, block), {.867, .012, .233, .24, .19}},
             {lwf(3, 7), {.798, {}, .187, .19}},
             {plain(), {.661, .043, .158, .16, .15}},
             {plain(one_step(false)), {}, "Plain NN, one step per sample"},
             {plain({true}), {.328, {}, .105, .11, .11}},
             {plain(one_step(true)), {}, "CNN, one step per sample"},
             {experts(2), {.607, .055, .198, .75, .72, "9.2 experts"}, "Expert-AEC k=2"},
             {experts(1), {.482, {}, .176, .71, {}, "17.2 experts"}, "Expert-AEC k=1"},
             {experts(.5), {.294, {}, .163, .66, {}, "27.5 experts"}, "Expert-AEC k=0.5"},
             {experts(0), {.218, {}, .170, .65, {}, "31 experts"}, "Expert-AEC k=0"},
             {experts(2, 1), {.184, {}, .184, .90, {}, "31 experts"}, "Expert-AEC batch 1"},
             {der(8, 1, 1), {.810, .040, .585, .67, .63}, "DER++, 8 img"},
             {replay(8), {.760, .069, .500, .52, .40}, "Naive replay, 8 img"},
             {replay(5), {.749, {}, .442, .46, .34}, "Naive replay, 5 img"},
             {replay(2), {.717, {}, .309, .32, .25}, "Naive replay, 2 img"},
             {er_ace(8), {.399, {}, .383, .81}, "ER-ACE, 8 img"},
             {der(80, .5, 1), {.912, {}, .748, .91}, "DER++, 80 img"},
             {er_ace(80), {.825, {}, .714, .98}, "ER-ACE, 80 img"},
             {replay(80), {.882}, "Naive replay, 80 img"},
             {replay(50), {.833}, "Naive replay, 50 img"},
             {replay(20), {.807}, "Naive replay, 20 img"}}};
}

TablePlan references_table() {
    TablePlan plan{"references",
                   "Learners that cannot forget, and what there is to learn for who has all images at hand",
                   {}};
    for (Method& method : online_methods()) plan.rows.push_back({std::move(method)});
    plan.rows.push_back({at_once(false, 100, 20), {.90}});
    plan.rows.push_back({at_once(true, 100, 20)});
    for (Method& method : batch_methods()) plan.rows.push_back({std::move(method)});
    return plan;
}

TablePlan readings_table() {
    constexpr bool by_image = false;
    constexpr bool by_block = true;
    constexpr bool learns_when_full = true;
    return {"readings",
            "Other readings of what the paper leaves open",
            {{on_ink(plain()), {.661, .043, .158, .16, .15}, "Plain NN, ink"},
             {on_ink(si(1000, 7)), {.879, .016, .418, .44, .36}, "SI, ink"},
             {on_ink(mas(.03, block)), {.867, .012, .233, .24, .19}, "MAS, ink"},
             {on_ink(lwf(3, 7)), {.798, {}, .187, .19}, "LwF, ink"},
             {experts(2, 5, {by_image, true}),
              {.607, .055, .198, .75, .72, "9.2 experts"},
              "Expert-AEC k=2, learned"},
             {experts(2, 5, {by_block, false}),
              {.607, .055, .198, .75, .72, "9.2 experts"},
              "Expert-AEC k=2, blocks"},
             {experts(2, 5, {by_block, true}),
              {.607, .055, .198, .75, .72, "9.2 experts"},
              "Expert-AEC k=2, blocks, learned"},
             {experts(0, 5, {}, learns_when_full),
              {.218, {}, .170, .65, {}, "31 experts"},
              "Expert-AEC k=0, learns when full"},
             {experts(2, 1, {}, learns_when_full),
              {.184, {}, .184, .90, {}, "31 experts"},
              "Expert-AEC batch 1, learns when full"}}};
}

std::vector<TablePlan> sweep_tables() {
    return {penalties(), cadence_table(), one_sample_table(), replay_table(), much_data_table()};
}

std::vector<OwnRow> own_rows() {
    return {{{"constellation", "accurate"}, "Constellation, accurate"},
            {{"constellation", "default"}, "Constellation, default", {}, true},
            {{"constellation", "paper-vocabulary"}, "Constellation, paper-vocabulary"},
            {{"modeller", "best"}, "Modeller, best", {}, true},
            {{"modeller", "paper"}, "Modeller, paper", {.874, .018, .536, .95, .90}, true}};
}

} // namespace sprig::baselines

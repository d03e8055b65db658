#include "cli/run_report.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace sprig::cli {

namespace {

using lab::Results;
using lab::SeedRun;

std::string number(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

/// The mean over seeds of what `get` finds in a run; it finds nothing in none or in all of them.
template <class Get>
std::vector<double> over_seeds(const Results& results, Get get) {
    std::vector<double> values;
    for (const SeedRun& run : results.runs()) {
        if (const std::optional<double> value = get(run)) values.push_back(*value);
    }
    return values;
}

std::string mean_count(const Results& results, std::size_t cycle, std::size_t (*count)(const Census&)) {
    return number(lab::mean(over_seeds(results,
                                       [&](const SeedRun& run) -> std::optional<double> {
                                           const lab::Checkpoint* c = lab::end_of_cycle(run, cycle);
                                           if (c == nullptr) return std::nullopt;
                                           return static_cast<double>(count(c->units.all));
                                       })),
                  1);
}

std::vector<double> drawn_accuracies(const Results& results, std::size_t cycle) {
    return over_seeds(results,
                      [&](const SeedRun& run) { return lab::accuracy_at_end_of(run.accuracy, cycle); });
}

std::vector<double> large_accuracies(const Results& results, std::size_t cycle) {
    return over_seeds(results, [&](const SeedRun& run) -> std::optional<double> {
        const lab::LargeCheckpoint* c = lab::large_end_of_cycle(run, cycle);
        if (c == nullptr) return std::nullopt;
        return c->scores.balanced();
    });
}

bool is_shown(std::size_t cycle, std::size_t cycles) {
    constexpr std::array<std::size_t, 7> shown = {0, 1, 2, 5, 10, 15, 19};
    return cycle + 1 == cycles || std::find(shown.begin(), shown.end(), cycle) != shown.end();
}

std::string cycles_table(const lab::Description& what, const Results& results) {
    const bool has_large = what.material.held_out != lab::HeldOut::paper;
    std::vector<std::string> header = {"cycle", "accuracy", "sd"};
    if (has_large) {
        header.emplace_back(name_of(what.material.held_out));
        header.emplace_back("sd");
    }
    for (const char* name : {"units", "singletons", "nodes", "KiB"}) header.emplace_back(name);
    Table table(header);
    for (std::size_t cycle = 0; cycle < what.protocol.cycles; ++cycle) {
        const std::vector<double> drawn = drawn_accuracies(results, cycle);
        const std::vector<double> large = large_accuracies(results, cycle);
        if (!is_shown(cycle, what.protocol.cycles) || (drawn.empty() && large.empty())) continue;
        std::vector<std::string> row = {fmt::format("{}", cycle), number(lab::mean(drawn), 4),
                                        number(lab::deviation(drawn), 4)};
        if (has_large) {
            row.push_back(number(lab::mean(large), 4));
            row.push_back(number(lab::deviation(large), 4));
        }
        const auto count = [&](std::size_t (*of)(const Census&)) {
            row.push_back(mean_count(results, cycle, of));
        };
        count([](const Census& c) { return c.total(); });
        count([](const Census& c) { return c.singletons; });
        count([](const Census& c) { return c.nodes; });
        count([](const Census& c) { return (c.bytes + 512) / 1024; });
        table.add(std::move(row));
    }
    return table.text();
}

std::string classes_table(const lab::Description& what, const Results& results) {
    std::vector<std::string> header = {"class"};
    std::vector<std::string> row = {"final"};
    const std::vector<double> accuracies = results.final_by_class();
    for (std::size_t c = 0; c < accuracies.size(); ++c) {
        header.push_back(what.classes[c]);
        row.push_back(fmt::format("{:.3f}", accuracies[c]));
    }
    Table table(header);
    table.add(std::move(row));
    return table.text();
}

/// How many digits a result deserves: accuracies and ratios four, counts one.
int digits_of(const std::string& name) {
    if (name == "units_late_over_middle") return 4;
    const bool counts = name.starts_with("units") || name.starts_with("audit") || name == "gave_up" ||
                        name == "nodes" || name == "bytes" || name == "singletons";
    return counts ? 1 : 4;
}

std::string measures_table(const Results& results) {
    Table table({"measure", "mean", "sd"});
    for (const auto& [name, mean] : results.means()) {
        const int digits = digits_of(name);
        table.add({name, number(mean, digits), number(results.deviation_of(name), digits)});
    }
    const std::vector<double> seconds =
        over_seeds(results, [](const SeedRun& run) { return std::optional(run.times.all()); });
    table.add({"seconds per seed", number(lab::mean(seconds), 2), number(lab::deviation(seconds), 2)});
    return table.text();
}

std::string headline(const lab::Description& what, const Results& results) {
    const std::size_t seeds = results.runs().size();
    return fmt::format("{}, preset {}: {} seed{}, {} cycles of {} classes with {} images each\n"
                       "drawn from {} images of mnist:{}{}; accuracy: on {} images per class drawn with "
                       "the stream{}\n",
                       what.learner, what.preset, seeds, seeds == 1 ? "" : "s", what.protocol.cycles,
                       what.classes.size(), what.protocol.per_block, with_commas(what.pool_images),
                       name_of(what.material.pool), what.material.filtered ? ", filtered" : ", unfiltered",
                       what.protocol.held_out_per_class,
                       what.large_images == 0
                           ? ""
                           : fmt::format("; {}: on {} images, mean over classes",
                                         name_of(what.material.held_out), with_commas(what.large_images)));
}

} // namespace

std::string run_report(const LearnerRun& run) {
    const auto& [what, results] = run;
    return headline(what, results) + "\n" + cycles_table(what, results) + "\n" +
           classes_table(what, results) + "\n" + measures_table(results);
}

std::string comparison_report(const std::vector<LearnerRun>& runs) {
    std::string text;
    std::vector<std::string> header = {"measure"};
    for (const LearnerRun& run : runs) {
        text += headline(run.what, run.results) + "\n" + cycles_table(run.what, run.results) + "\n";
        header.push_back(run.what.learner);
        header.emplace_back("sd");
    }
    Table table(header);
    for (const auto& [name, mean] : runs.front().results.means()) {
        std::vector<std::string> row = {name};
        for (const LearnerRun& run : runs) {
            row.push_back(number(run.results.mean_of(name), digits_of(name)));
            row.push_back(number(run.results.deviation_of(name), digits_of(name)));
        }
        table.add(std::move(row));
    }
    std::vector<std::string> seconds = {"seconds per seed"};
    for (const LearnerRun& run : runs) {
        seconds.push_back(number(run.results.seconds_per_seed(), 2));
        seconds.emplace_back("");
    }
    table.add(std::move(seconds));
    return text + table.text();
}

} // namespace sprig::cli

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/learners.h"
#include "cli/options.h"
#include "cli/run_report.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/figures.h"
#include "lab/seed_list.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct RunOptions {
    std::string learner = learner_names().front();
    std::string preset;
    std::vector<std::string> settings;
    std::vector<LearnerChoice> choices; ///< what these words mean
    std::string seeds = "0-9";
    std::size_t threads = 1;
    std::string pool; ///< empty: what the held-out set asks for
    std::string held_out = "paper";
    std::string evaluate = "blocks";
    bool unfiltered = false;
    lab::MaterialOptions material; ///< what these words mean
    lab::Protocol protocol;
    std::string out;
    bool json = false;
    bool audit = false;
};

void take_learners(RunOptions& options) {
    const bool both = options.learner == "both";
    if (both && (!options.preset.empty() || !options.settings.empty())) {
        throw usage_error("--preset and --set go with one learner: say which one with --learner");
    }
    for (const std::string& name : both ? learner_names() : std::vector{options.learner}) {
        LearnerChoice choice{name, options.preset, parse_settings(options.settings)};
        choice.preset = preset_of(choice);
        options.choices.push_back(std::move(choice));
    }
}

/// The one of `choices` that is called so; the words were checked when they were read.
template <class Choice, std::size_t count>
Choice called(const std::string& name, const std::array<Choice, count>& choices) {
    return *std::find_if(choices.begin(), choices.end(), [&](Choice c) { return name_of(c) == name; });
}

void take_protocol(RunOptions& options) {
    using lab::EvaluateAt;
    using lab::HeldOut;
    using lab::Pool;
    lab::MaterialOptions& material = options.material;
    material.held_out = called(options.held_out, std::array{HeldOut::paper, HeldOut::dev, HeldOut::t10k});
    if (options.pool.empty()) {
        material.pool = material.held_out == HeldOut::paper ? Pool::all : Pool::train;
    } else {
        material.pool = called(options.pool, std::array{Pool::all, Pool::train});
    }
    material.filtered = !options.unfiltered;
    material.check();
    options.protocol.evaluate =
        called(options.evaluate, std::array{EvaluateAt::blocks, EvaluateAt::cycles, EvaluateAt::end});
}

lab::Material load(const RunOptions& options, const FrontEndParams& front_end) {
    ProgressBar bar("preparing");
    return lab::load_material(options.material, front_end,
                              [&](std::size_t at, std::size_t of) { bar.update(at, of); });
}

lab::Description describe(const RunOptions& options, const LearnerChoice& choice, const Learner& learner,
                          const lab::Material& material) {
    return {std::string(learner.name()), choice.preset,        choice.settings,
            learner.parameters(),        options.material,     options.protocol,
            material.data.classes(),     material.pool.size(), material.large_size()};
}

/// The guarantee is not a number to look at: if it does not hold, the work failed.
void check_promise(const Learner& learner, const lab::Results& results) {
    // A search that gave up may have missed what is there.
    if (!promises_preservation(learner) || results.mean_of("gave_up") != 0.0) {
        say("with these parameters nothing is promised: the counts are for looking at");
        return;
    }
    for (const lab::SeedRun& run : results.runs()) {
        for (const auto& [name, counts] : run.audits) {
            const std::uint64_t broken = counts.top_level.by_refinement + counts.top_level.by_movement;
            if (broken > 0) {
                throw failed(fmt::format(
                    "the guarantee does not hold: in seed {} refinement or moved means broke {} matches of "
                    "first-level units; please report this",
                    run.seed, broken));
            }
        }
    }
}

LearnerRun run_learner(const RunOptions& options, const LearnerChoice& choice,
                       const std::vector<std::uint64_t>& seeds) {
    const lab::LearnerFactory factory = [&](std::uint64_t seed) { return make_learner(choice, seed); };
    const std::unique_ptr<Learner> first = factory(seeds.front());
    const lab::Material material = load(options, first->front_end());
    ProgressBar bar(choice.name + " learning");
    std::vector<lab::SeedRun> runs =
        lab::run_seeds(material, options.protocol, factory, seeds, options.threads,
                       [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    stop_if_interrupted();
    return {describe(options, choice, *first, material), lab::Results(std::move(runs))};
}

/// With both learners, each has a folder of its own.
void write(const RunOptions& options, const LearnerRun& run) {
    if (options.out.empty()) return;
    std::filesystem::path folder = options.out;
    if (options.choices.size() > 1) folder /= run.what.learner;
    make_folder(folder);
    tell_if_charts_are_missing();
    lab::write_results(folder, run.what, run.results);
    lab::write_figures(folder, run.what, run.results);
}

void report(const RunOptions& options, const std::vector<LearnerRun>& runs) {
    if (!options.json) {
        print(runs.size() == 1 ? run_report(runs.front()) : comparison_report(runs));
        return;
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const LearnerRun& run : runs) json.push_back(lab::report_json(run.what, run.results));
    print(json_text(runs.size() == 1 ? json.front() : json));
}

void run(RunOptions& options) {
    take_learners(options);
    take_protocol(options);
    const std::vector<std::uint64_t> seeds = lab::parse_seeds(options.seeds);
    for (const LearnerChoice& choice : options.choices) (void)make_learner(choice, seeds.front());
    if (options.audit) options.protocol.audits = audits_of(options.choices.front());
    make_folder(options.out);
    std::vector<LearnerRun> runs;
    for (const LearnerChoice& choice : options.choices) {
        runs.push_back(run_learner(options, choice, seeds));
        write(options, runs.back());
    }
    report(options, runs);
    if (options.audit)
        check_promise(*make_learner(options.choices.front(), seeds.front()), runs.front().results);
}

void add_what(CLI::App& verb, RunOptions& options) {
    std::vector<std::string> learners = learner_names();
    learners.emplace_back("both");
    offer(*verb.add_option("--learner", options.learner,
                           "Who learns: constellation, modeller, or both side by side")
               ->capture_default_str(),
          learners);
    offer(*verb.add_option(
              "--preset", options.preset,
              "Its parameters: default, paper-vocabulary, accurate, long or general for constellation "
              "(default: default); best, paper or paper-literal for modeller (default: best)"),
          preset_names());
    add_set_option(verb, options.settings);
    add_seeds_option(verb, options.seeds);
    verb.add_option("--threads", options.threads, "How many seeds run at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    verb.add_option("--out", options.out, "A folder for the results as files and figures")->type_name("DIR");
    verb.add_flag("--json", options.json, "Print the result as JSON");
    verb.add_flag("--audit", options.audit,
                  "Keep every observation and check after each step what the model no longer accounts for");
}

void add_protocol(CLI::App& verb, RunOptions& options) {
    const char* group = "Protocol";
    verb.add_option("--pool", options.pool,
                    "Where the stream comes from: all of MNIST or train (default: as --held-out needs it)")
        ->check(CLI::IsMember({"all", "train"}))
        ->group(group);
    verb.add_option("--held-out", options.held_out,
                    "What accuracy is reported on: paper (20 per class from the pool), dev (the last 10,000 "
                    "training images) or t10k")
        ->check(CLI::IsMember({"paper", "dev", "t10k"}))
        ->capture_default_str()
        ->group(group);
    verb.add_flag("--unfiltered", options.unfiltered, "Without the paper's topological filter")->group(group);
    verb.add_option("--cycles", options.protocol.cycles, "How often all classes come")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str()
        ->group(group);
    verb.add_option("--per-block", options.protocol.per_block, "Images of a class in each cycle")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str()
        ->group(group);
    verb.add_option("--evaluate", options.evaluate,
                    "After all blocks, at the ends of cycles, or at the end only: blocks, cycles or final")
        ->check(CLI::IsMember({"blocks", "cycles", "final"}))
        ->capture_default_str()
        ->group(group);
}

} // namespace

void add_run_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("run", "Let a learner learn MNIST, class after class, and measure it");
    auto options = std::make_shared<RunOptions>();
    add_what(*verb, *options);
    add_protocol(*verb, *options);
    verb->footer("\nExamples:\n  sprig run --learner both --seeds 0-9 --threads 2 --out results\n"
                 "  sprig run --learner modeller --preset paper --seeds 0 --held-out t10k --json\n"
                 "  sprig run --held-out dev --evaluate final --set KEY=VALUE");
    verb->callback([options] { run(*options); });
}

} // namespace sprig::cli

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/learners.h"
#include "cli/run_report.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/figures.h"
#include "lab/seed_list.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct RunOptions {
    LearnerChoice learner;
    std::vector<std::string> settings;
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

/// KEY=VALUE as a pair. A value may contain further equals signs, and may be empty.
std::pair<std::string, std::string> parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw usage_error(fmt::format("--set takes KEY=VALUE, not '{}'", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

void take_settings(RunOptions& options) {
    std::set<std::string> keys;
    for (const std::string& text : options.settings) {
        options.learner.settings.push_back(parse_setting(text));
        const std::string& key = options.learner.settings.back().first;
        if (!keys.insert(key).second) throw usage_error(fmt::format("--set names {} twice", key));
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

/// Before the work, so that a place where nothing can be written is known at once.
void make_folder(const std::string& folder) {
    if (folder.empty()) return;
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) throw failed(fmt::format("the folder '{}' cannot be made: {}", folder, problem.message()));
}

/// What the verb works with until its end.
struct Experiment {
    std::vector<std::uint64_t> seeds;
    lab::LearnerFactory factory;
    lab::Material material;
    lab::Description what;
};

lab::Material load(const RunOptions& options, const FrontEndParams& front_end) {
    ProgressBar bar("preparing");
    return lab::load_material(options.material, front_end,
                              [&](std::size_t at, std::size_t of) { bar.update(at, of); });
}

Experiment prepare(RunOptions& options) {
    take_settings(options);
    take_protocol(options);
    std::vector<std::uint64_t> seeds = lab::parse_seeds(options.seeds);
    lab::LearnerFactory factory = [choice = options.learner](std::uint64_t seed) {
        return make_learner(choice, seed);
    };
    const std::unique_ptr<Learner> first = factory(seeds.front());
    if (options.audit) options.protocol.audits = audits_of(options.learner);
    make_folder(options.out);
    lab::Material material = load(options, first->front_end());
    lab::Description what = {std::string(first->name()), options.learner.preset, options.learner.settings,
                             first->parameters(),        options.material,       options.protocol,
                             material.data.classes(),    material.pool.size(),   material.large_size()};
    return {std::move(seeds), std::move(factory), std::move(material), std::move(what)};
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

void run(RunOptions& options) {
    const Experiment experiment = prepare(options);
    std::vector<lab::SeedRun> runs;
    {
        ProgressBar bar("learning");
        runs = lab::run_seeds(experiment.material, options.protocol, experiment.factory, experiment.seeds,
                              options.threads, [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    }
    stop_if_interrupted();
    const lab::Results results(std::move(runs));
    if (!options.out.empty()) {
        lab::write_results(options.out, experiment.what, results);
        lab::write_figures(options.out, experiment.what, results);
    }
    print(options.json ? json_text(lab::report_json(experiment.what, results))
                       : run_report(experiment.what, results));
    if (options.audit) check_promise(*experiment.factory(experiment.seeds.front()), results);
}

void add_what(CLI::App& verb, RunOptions& options) {
    verb.add_option("--learner", options.learner.name, "Who learns")->capture_default_str();
    verb.add_option("--preset", options.learner.preset, "Its parameters: best, paper or paper-literal")
        ->capture_default_str();
    verb.add_option("--set", options.settings, "Another value for one parameter: KEY=VALUE (repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--seeds", options.seeds, "Such as 0-9, 3 or 0,2,5-7")->capture_default_str();
    verb.add_option("--threads", options.threads, "How many seeds run at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    verb.add_option("--out", options.out, "A folder for the results as files and figures");
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
    verb->footer("\nExamples:\n  sprig run --seeds 0-9 --threads 2 --out results\n"
                 "  sprig run --preset paper --seeds 0 --held-out t10k --json\n"
                 "  sprig run --held-out dev --evaluate final --set KEY=VALUE");
    verb->callback([options] { run(*options); });
}

} // namespace sprig::cli

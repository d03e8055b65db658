#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "lab/baselines/study_baselines.h"
#include "lab/cli/verbs.h"
#include "lab/protocol/context.h"
#include "lab/protocol/pieces.h"
#include "lab/report/report.h"
#include "lab/report/study_files.h"
#include "lab/studies/studies.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/learners.h"
#include "sprig/version.h"

namespace sprig::lab {

namespace {

using namespace cli; // NOLINT(google-build-using-namespace): what the two programs share

struct RunOptions {
    std::vector<std::string> names;
    std::optional<std::string> learner;
    std::string preset;
    std::vector<std::string> settings;
    std::string seeds = "0-9";
    std::size_t threads = 1;
    std::optional<std::string> held_out;
    std::size_t limit = 0;
    std::vector<std::string> methods;
    bool full = false;
    std::optional<std::string> out;
    bool json = false;
    // Of a study of the stream: another one than its own.
    std::optional<std::string> pool;
    bool unfiltered = false;
    std::optional<std::size_t> cycles;
    std::optional<std::size_t> per_block;
    std::optional<std::string> evaluate;
    bool audit = false;

    /// Whether there is another question than the study's own: who learns, or from what.
    [[nodiscard]] bool asks_about_stream() const {
        return learner || !preset.empty() || !settings.empty() || held_out || changes_stream();
    }
    [[nodiscard]] bool changes_stream() const {
        return pool || unfiltered || cycles || per_block || evaluate || audit || learner == "both" ||
               held_out == "paper";
    }
    [[nodiscard]] bool is_about_all() const { return names == std::vector<std::string>{"all"}; }
};

/// The lab's, and those that compare with learners of other kinds.
const std::vector<Study>& every_study() {
    static const std::vector<Study> all = [] {
        std::vector<Study> studies = all_studies();
        studies.push_back(baselines::study_baselines());
        return studies;
    }();
    return all;
}

/// What is there of a study: with how many seeds it was run, and by which version.
std::string state_of(const std::optional<StoredStudy>& stored) {
    if (!stored) return "not run";
    const std::string version = stored->version == SPRIG_VERSION ? "" : ", by sprig " + stored->version;
    return fmt::format("{} seed{}{}", stored->seeds, stored->seeds == 1 ? "" : "s", version);
}

std::string in_words(double minutes) {
    return minutes < 1 ? fmt::format("{:.0f} s", minutes * 60) : fmt::format("{:.0f} min", minutes);
}

/// Names, state and cost side by side; the questions, which are long, begin in one column.
void list(const std::filesystem::path& results) {
    std::vector<std::string> states;
    std::size_t width = 10;
    for (const Study& study : every_study()) {
        states.push_back(state_of(load_study(results / study.name)));
        width = std::max(width, states.back().size());
    }
    std::string text = fmt::format("{:<18} {:<{}} {:>6}  {}\n", "study", "state", width, "takes", "question");
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Study& study = every_study()[i];
        text += fmt::format("{:<18} {:<{}} {:>6}  {}\n", study.name, states[i], width,
                            in_words(study.minutes), study.question);
    }
    print(text);
}

struct ReportOptions {
    std::string results = "results";
    std::string out = "report";
    std::string document;
};

std::string read_text(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw bad_input(fmt::format("{} cannot be read: is it there?", file));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void write_report(const ReportOptions& options) {
    std::vector<StoredStudy> studies;
    std::vector<std::string> missing;
    for (const Study& study : every_study()) {
        if (auto stored = load_study(std::filesystem::path(options.results) / study.name)) {
            studies.push_back(std::move(*stored));
        } else {
            missing.emplace_back(study.name);
        }
    }
    if (studies.empty()) {
        throw usage_error(fmt::format("there are no results in {}: 'sprig-lab run all --out {}' makes them",
                                      options.results, options.results));
    }
    if (!options.document.empty()) {
        const std::string text = with_results(read_text(options.document), studies);
        write_file_atomically(options.document, text);
        print(fmt::format("{}: its tables are those of {}\n", options.document, options.results));
        return;
    }
    make_folder(options.out);
    const std::filesystem::path page = std::filesystem::path(options.out) / "index.html";
    write_file_atomically(page, html_report(studies, missing));
    print(fmt::format("{}: {} {}{}\n", page.string(), studies.size(),
                      studies.size() == 1 ? "study" : "studies",
                      missing.empty() ? "" : fmt::format(", {} not run yet", missing.size())));
}

/// A line that is there as long as somebody tells how far the work is.
Progress show(const std::string& study, const std::string& what) {
    const auto bar = std::make_shared<ProgressBar>(study + ": " + what);
    return [bar](std::size_t at, std::size_t of) { bar->update(at, of); };
}

std::string learner_of(const RunOptions& options) {
    return options.learner && *options.learner != "both" ? *options.learner : learner_names().front();
}

LearnerChoice chosen_by(const RunOptions& options, const std::string& learner, const std::string& preset) {
    LearnerChoice choice{learner, preset, parse_settings(options.settings)};
    choice.preset = preset_of(choice);
    return choice;
}

/// Who names no preset gets the one that is made for the study's question.
LearnerChoice chosen_for(const Study& study, const RunOptions& options) {
    const std::string learner = learner_of(options);
    const bool is_ours = options.preset.empty() && learner == learner_names().front();
    return chosen_by(options, learner, is_ours ? study.preset : options.preset);
}

/// The one of `choices` that is called so; the words were checked when they were read.
template <class Choice, std::size_t count>
Choice called(const std::string& name, const std::array<Choice, count>& choices) {
    return *std::ranges::find_if(choices, [&](Choice c) { return name_of(c) == name; });
}

HeldOut held_out_of(const RunOptions& options, HeldOut usual) {
    if (!options.held_out) return usual;
    return called(*options.held_out, std::array{HeldOut::paper, HeldOut::dev, HeldOut::t10k});
}

AskedStream stream_of(const RunOptions& options) {
    AskedStream asked;
    const bool both = options.learner == "both";
    if (both && (!options.preset.empty() || !options.settings.empty()))
        throw usage_error("--preset and --set go with one learner: say which one with --learner");
    for (const std::string& name : both ? learner_names() : std::vector{learner_of(options)})
        asked.learners.push_back(chosen_by(options, name, options.preset));
    MaterialOptions& material = asked.material;
    material.held_out = held_out_of(options, HeldOut::paper);
    material.pool = material.held_out == HeldOut::paper ? Pool::all : Pool::train;
    if (options.pool) material.pool = called(*options.pool, std::array{Pool::all, Pool::train});
    material.filtered = !options.unfiltered;
    material.check();
    Protocol& protocol = asked.protocol;
    protocol.cycles = options.cycles.value_or(protocol.cycles);
    protocol.per_block = options.per_block.value_or(protocol.per_block);
    if (options.evaluate)
        protocol.evaluate =
            called(*options.evaluate, std::array{EvaluateAt::blocks, EvaluateAt::cycles, EvaluateAt::end});
    asked.audit = options.audit;
    return asked;
}

StudyContext context_of(const RunOptions& options) {
    StudyContext context;
    context.chosen = chosen_by(options, learner_of(options), options.preset);
    context.seeds = parse_seeds(options.seeds);
    context.held_out = held_out_of(options, HeldOut::t10k);
    context.threads = options.threads;
    context.limit = options.limit;
    context.methods = options.methods;
    context.full = options.full;
    return context;
}

/// All studies that say something of a learner.
std::vector<const Study*> all_for(const std::string& learner) {
    std::vector<const Study*> studies;
    for (const Study& study : every_study())
        if (study.only_for.empty() || study.only_for == learner) studies.push_back(&study);
    return studies;
}

/// Refuses options that say nothing to a study.
void check_options(const Study& study, const RunOptions& options) {
    const auto refuse = [&](const std::string& why) {
        throw usage_error(fmt::format("the study {} {}", study.name, why));
    };
    if (!study.only_for.empty() && learner_of(options) != study.only_for)
        refuse(fmt::format("is about {}: it says nothing of {}", study.only_for, learner_of(options)));
    if (!study.has_methods && (options.full || !options.methods.empty()))
        refuse("has no methods to choose from: --methods and --full say nothing to it");
    if (study.has_stream) return;
    if (options.changes_stream())
        refuse("has a stream of its own: --learner both, --held-out paper, --pool, --unfiltered, --cycles, "
               "--per-block, --evaluate and --audit are for headline");
    if (study.is_contest && (!options.preset.empty() || !options.settings.empty()))
        refuse("chooses its learners itself: --preset and --set say nothing to it");
}

/// What was asked for, all of it checked before the first study begins.
std::vector<const Study*> studies_of(const RunOptions& options) {
    if (options.is_about_all()) {
        if (options.changes_stream())
            throw usage_error("another stream, or both learners, can be had from the study headline alone");
        return all_for(learner_of(options));
    }
    std::vector<const Study*> studies;
    for (const std::string& name : options.names) {
        const Study& study = study_called(name, every_study());
        if (std::ranges::count(studies, &study) > 0)
            throw usage_error(fmt::format("the study {} is named twice", name));
        check_options(study, options);
        studies.push_back(&study);
    }
    return studies;
}

std::string table_text(const StudyTable& shown) {
    Table table(shown.header);
    for (const std::vector<Cell>& cells : shown.rows) {
        std::vector<std::string> row;
        row.reserve(cells.size());
        for (const Cell& cell : cells) row.push_back(cell.text);
        table.add(std::move(row));
    }
    return fmt::format("{}\n{}", shown.title, table.text());
}

std::string report(const Study& study, const StudyContext& context, const StudyResult& result) {
    const std::size_t seeds = context.seeds.size();
    std::string text = fmt::format("{}: {}\n", study.name, study.question);
    if (!study.is_contest)
        text += fmt::format("{}, preset {}, ", context.chosen.learner, context.chosen.preset);
    text += fmt::format("{} seed{}", seeds, seeds == 1 ? "" : "s");
    if (const auto held_out = study.held_out_in(context))
        text += fmt::format(", held out: {}", name_of(*held_out));
    text += "\n\n";
    for (const StudyTable& table : result.tables) text += table_text(table) + "\n";
    for (const std::string& note : result.notes) text += note + "\n";
    return text + "\n";
}

struct Finished {
    StudyResult result;
    double seconds = 0;
};

/// Of a team only the first speaks; all can be stopped.
bool speaks(const StudyContext& context) {
    return context.team == nullptr || context.team->rank() == 0;
}

Finished run_study(const Study& study, const RunOptions& options, StudyContext& context) {
    context.study = study.name;
    context.chosen = chosen_for(study, options);
    context.asked.reset();
    if (study.has_stream && options.asks_about_stream() && !options.is_about_all())
        context.asked = stream_of(options);
    context.show = [&study, speaks = speaks(context)](const std::string& what) {
        if (speaks) return show(study.name, what);
        return Progress([](std::size_t, std::size_t) { stop_if_interrupted(); });
    };
    const auto begin = std::chrono::steady_clock::now();
    StudyResult result = study.can_be_shared() ? study.run(context) : run_as_one_piece(study, context);
    stop_if_interrupted();
    return {std::move(result),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// Data that is missing is missed before the first study begins, not after hours.
void require_data(const std::vector<const Study*>& studies) {
    for (const Study* study : studies)
        for (const std::string& set : study->also_needs) (void)load_dataset(fmt::format("{}:t10k:0", set));
}

void refuse_without_folder(const std::filesystem::path& out, const Team* team) {
    if (team != nullptr && out.empty()) {
        throw usage_error("several processes share their work in the folder of --out, on a file system that "
                          "all of them see, but --out is missing");
    }
}

/// Those who do not speak only help with what can be shared.
void help(const std::vector<const Study*>& studies, const RunOptions& options, StudyContext& context) {
    for (const Study* study : studies)
        if (study->can_be_shared()) (void)run_study(*study, options, context);
}

/// Where results go: nowhere if the question was cut short or is not the study's own, unless somebody says
/// so.
std::filesystem::path folder_for(const std::vector<const Study*>& studies, const RunOptions& options) {
    const bool is_other = !options.is_about_all() && options.asks_about_stream() &&
                          std::ranges::any_of(studies, [](const Study* study) { return study->has_stream; });
    return options.out.value_or(options.limit > 0 || is_other ? "" : "results");
}

/// What is wrong with the learners is known at once, not after the first study.
void check_learners(const std::vector<const Study*>& studies, const RunOptions& options,
                    const StudyContext& context) {
    const std::uint64_t seed = context.seeds.front();
    for (const Study* study : studies) {
        if (study->has_stream && options.asks_about_stream() && !options.is_about_all()) {
            for (const LearnerChoice& setting : stream_of(options).learners)
                (void)context.make(setting, seed);
        } else {
            (void)context.make(chosen_for(*study, options), seed);
        }
    }
}

/// Says once that charts will be written as text only, where nothing is installed that draws them.
void tell_if_charts_are_missing() {
    if (!has_gnuplot())
        say("sprig-lab: gnuplot is not installed: charts are written as .gp files, not drawn "
            "(scripts/install-deps lab)");
}

void run(const RunOptions& options, Team* team) {
    const std::vector<const Study*> studies = studies_of(options);
    StudyContext context = context_of(options);
    check_learners(studies, options, context);
    require_data(studies);
    context.team = team;
    const std::filesystem::path out = folder_for(studies, options);
    refuse_without_folder(out, team);
    if (options.out || team != nullptr) make_folder(out); // whether it can be is known at once
    if (team != nullptr) check_is_shared(*team, out);
    if (!out.empty()) context.keep = out / "runs"; // one for all: studies share experiments
    if (!speaks(context)) {
        help(studies, options, context);
        return;
    }
    if (!out.empty()) tell_if_charts_are_missing();
    Json all = Json::array();
    std::string failures;
    for (const Study* study : studies) {
        const auto [result, seconds] = run_study(*study, options, context);
        if (!out.empty()) {
            make_folder(out / study->name);
            write_study(out / study->name, *study, context, result, seconds);
        }
        if (options.json) {
            all.push_back(study_json(*study, context, result));
            all.back()["seconds"] = seconds;
        } else {
            print(report(*study, context, result));
            flush_results(); // the next one may take long
            say(fmt::format("sprig-lab: {} took {:.0f} s", study->name, seconds));
        }
        if (result.failure) failures += (failures.empty() ? "" : "; ") + *result.failure;
    }
    if (options.json) print(json_text(all.size() == 1 ? all.front() : all));
    if (!failures.empty()) throw failed(failures);
}

void add_who(CLI::App& verb, RunOptions& options) {
    std::vector<std::string> studies = {"all"};
    for (const Study& study : every_study()) studies.emplace_back(study.name);
    offer(*verb.add_option("NAME", options.names, "Which studies: 'sprig-lab list' names them; or 'all'")
               ->required(),
          studies);
    std::vector<std::string> learners = learner_names();
    learners.emplace_back("both");
    offer(*verb.add_option("--learner", options.learner,
                           "Who learns: constellation (the default) or modeller; of headline also both"),
          learners);
    offer(*verb.add_option("--preset", options.preset,
                           "Its parameters: default, paper-vocabulary, accurate, long or general for "
                           "constellation (default: default, or the study's own); best, paper or "
                           "paper-literal for modeller (default: best)"),
          preset_names());
    add_set_option(verb, options.settings);
    offer(*verb.add_option("--seeds", options.seeds, "Such as 0-9, 3 or 0,2,5-7")
               ->type_name("SEEDS")
               ->capture_default_str(),
          {});
    offer(*verb.add_option("--methods", options.methods,
                           "Of a study that compares learners: only these, such as si,mas")
               ->delimiter(','),
          {});
    verb.add_flag("--full", options.full, "Of a study that compares learners: its sweeps, too");
}

void add_how(CLI::App& verb, RunOptions& options) {
    verb.add_option("--threads", options.threads, "How many work at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    verb.add_option("--held-out", options.held_out,
                    "What is reported on: t10k, dev (the last 10,000 training images) to choose parameters, "
                    "or of headline paper (20 per class, drawn with the stream; its default)")
        ->check(CLI::IsMember({"paper", "dev", "t10k"}));
    verb.add_option("--limit", options.limit, "At most so many images in each set, to try a study out")
        ->check(CLI::Range(10, 1'000'000));
    verb.add_option("--out", options.out,
                    "A folder for tables, figures and finished runs (default: results; none with --limit, or "
                    "for headline with other learners or another stream)")
        ->type_name("DIR");
    verb.add_flag("--json", options.json, "Print the result as JSON");
}

void add_stream(CLI::App& verb, RunOptions& options) {
    const char* group = "Another stream (headline only)";
    verb.add_option("--pool", options.pool,
                    "Where it is drawn from: all of MNIST or train (default: as --held-out needs it)")
        ->check(CLI::IsMember({"all", "train"}))
        ->group(group);
    verb.add_flag("--unfiltered", options.unfiltered, "Without the paper's topological filter")->group(group);
    verb.add_option("--cycles", options.cycles, "How often all classes come (default: 20)")
        ->check(CLI::Range(1, 10'000))
        ->group(group);
    verb.add_option("--per-block", options.per_block, "Images of a class in each cycle (default: 5)")
        ->check(CLI::Range(1, 10'000))
        ->group(group);
    verb.add_option("--evaluate", options.evaluate,
                    "After all blocks, at the ends of cycles, or at the end only: blocks, cycles or final "
                    "(default: blocks)")
        ->check(CLI::IsMember({"blocks", "cycles", "final"}))
        ->group(group);
    verb.add_flag("--audit", options.audit,
                  "Keep every observation and check after each step what the model no longer accounts for")
        ->group(group);
}

CLI::Option* add_results(CLI::App& verb, std::string& folder) {
    return verb.add_option("--results", folder, "Where 'run --out' wrote to")
        ->type_name("DIR")
        ->capture_default_str();
}

} // namespace

void add_run_verb(CLI::App& app, Team* team) {
    CLI::App* verb = app.add_subcommand("run", "Run some studies and print what they found");
    auto options = std::make_shared<RunOptions>();
    add_who(*verb, *options);
    add_how(*verb, *options);
    add_stream(*verb, *options);
    verb->footer("\nExamples:\n  sprig-lab run headline --learner both --seeds 0 --out out\n"
                 "  sprig-lab run headline --learner modeller --preset paper --held-out t10k --json\n"
                 "  sprig-lab run ablation --held-out dev --seeds 100-109\n"
                 "  sprig-lab run baselines --methods plain,si,constellation --threads 2");
    verb->callback([options, team] { run(*options, team); });
}

void add_list_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("list", "Name all studies, and say which have been run");
    auto results = std::make_shared<std::string>("results");
    add_results(*verb, *results);
    verb->footer("\nExamples:\n  sprig-lab list");
    verb->callback([results] { list(*results); });
}

void add_report_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("report", "Write one page with the tables and figures of all studies");
    auto options = std::make_shared<ReportOptions>();
    add_results(*verb, options->results);
    verb->add_option("--out", options->out, "A folder for index.html")
        ->type_name("DIR")
        ->capture_default_str();
    verb->add_option("--into", options->document,
                     "Instead of a page: write the tables that this document has marks for into it")
        ->type_name("FILE");
    verb->footer("\nExamples:\n  sprig-lab run all --threads 2 && sprig-lab report");
    verb->callback([options] { write_report(*options); });
}

} // namespace sprig::lab

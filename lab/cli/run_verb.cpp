#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "lab/baselines/study_baselines.h"
#include "lab/baselines/study_characters.h"
#include "lab/cli/verbs.h"
#include "lab/protocol/context.h"
#include "lab/protocol/work_items.h"
#include "lab/report/report.h"
#include "lab/report/study_files.h"
#include "lab/studies/studies.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/learners.h"
#include "sprig/version.h"

namespace sprig::lab {

namespace {

using namespace cli; // NOLINT(google-build-using-namespace): shared by both programs

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
    // For studies with a stream: replace the study's own stream.
    std::optional<std::string> pool;
    bool unfiltered = false;
    std::optional<std::size_t> cycles;
    std::optional<std::size_t> per_block;
    std::optional<std::string> evaluate;
    bool audit = false;

    /// Whether the learner or the stream differs from the study's own.
    [[nodiscard]] bool customises_study() const {
        return learner || !preset.empty() || !settings.empty() || held_out || changes_stream();
    }
    [[nodiscard]] bool changes_stream() const {
        return pool || unfiltered || cycles || per_block || evaluate || audit || learner == "both" ||
               held_out == "paper";
    }
    [[nodiscard]] bool runs_all() const { return names == std::vector<std::string>{"all"}; }
};

/// The studies of Sprig's learners and the comparison with other methods.
const std::vector<Study>& every_study() {
    static const std::vector<Study> all = [] {
        std::vector<Study> studies = all_studies();
        studies.push_back(baselines::study_baselines());
        studies.push_back(baselines::study_characters());
        return studies;
    }();
    return all;
}

/// The state of a study: the number of seeds, and the version if it is another one.
std::string state_of(const std::optional<StoredStudy>& stored) {
    if (!stored) return "not run";
    const std::string version = stored->version == SPRIG_VERSION ? "" : ", by sprig " + stored->version;
    return fmt::format("{} seed{}{}", stored->seeds, stored->seeds == 1 ? "" : "s", version);
}

std::string duration_text(double minutes) {
    return minutes < 1 ? fmt::format("{:.0f} s", minutes * 60) : fmt::format("{:.0f} min", minutes);
}

void list(const std::filesystem::path& results) {
    std::vector<std::string> states;
    std::size_t width = 10;
    for (const Study& study : every_study()) {
        states.push_back(state_of(load_study(results / study.name)));
        width = std::max(width, states.back().size());
    }
    std::string text = fmt::format("{:<18} {:<{}} {:>6}  {}\n", "study", "state", width, "time", "question");
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Study& study = every_study()[i];
        text += fmt::format("{:<18} {:<{}} {:>6}  {}\n", study.name, states[i], width,
                            duration_text(study.minutes), study.question);
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
    if (!in) throw bad_input(fmt::format("cannot read {}", file));
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
        throw usage_error(
            fmt::format("there are no results in {}: create them with 'sprig-lab run all --out {}'",
                        options.results, options.results));
    }
    if (!options.document.empty()) {
        const std::string text = with_results(read_text(options.document), studies);
        write_file_atomically(options.document, text);
        print(fmt::format("{}: updated the tables from {}\n", options.document, options.results));
        return;
    }
    make_folder(options.out);
    const std::filesystem::path page = std::filesystem::path(options.out) / "index.html";
    write_file_atomically(page, html_report(studies, missing));
    print(fmt::format("{}: {} {}{}\n", page.string(), studies.size(),
                      studies.size() == 1 ? "study" : "studies",
                      missing.empty() ? "" : fmt::format(", {} not run yet", missing.size())));
}

/// A progress bar that lives as long as the returned function.
Progress show_progress(const std::string& study, const std::string& what) {
    const auto bar = std::make_shared<ProgressBar>(study + ": " + what);
    return [bar](std::size_t at, std::size_t of) { bar->update(at, of); };
}

std::string learner_of(const RunOptions& options) {
    return options.learner && *options.learner != "both" ? *options.learner : learner_names().front();
}

LearnerChoice make_choice(const RunOptions& options, const std::string& learner, const std::string& preset) {
    LearnerChoice choice{learner, preset, parse_settings(options.settings)};
    choice.preset = preset_of(choice);
    return choice;
}

/// The choice with this name, which the parser has checked.
template <class Choice, std::size_t count>
Choice find_choice(const std::string& name, const std::array<Choice, count>& choices) {
    return *std::ranges::find_if(choices, [&](Choice c) { return name_of(c) == name; });
}

HeldOut held_out_of(const RunOptions& options, HeldOut by_default) {
    if (!options.held_out) return by_default;
    return find_choice(*options.held_out, std::array{HeldOut::paper, HeldOut::dev, HeldOut::t10k});
}

CustomStream stream_of(const RunOptions& options) {
    CustomStream stream;
    const bool both = options.learner == "both";
    if (both && (!options.preset.empty() || !options.settings.empty()))
        throw usage_error("--preset and --set need one learner: choose it with --learner");
    for (const std::string& name : both ? learner_names() : std::vector{learner_of(options)})
        stream.learners.push_back(make_choice(options, name, options.preset));
    DataOptions& data = stream.data;
    data.held_out = held_out_of(options, HeldOut::paper);
    data.pool = data.held_out == HeldOut::paper ? Pool::all : Pool::train;
    if (options.pool) data.pool = find_choice(*options.pool, std::array{Pool::all, Pool::train});
    data.filtered = !options.unfiltered;
    data.check();
    Protocol& protocol = stream.protocol;
    protocol.cycles = options.cycles.value_or(protocol.cycles);
    protocol.per_block = options.per_block.value_or(protocol.per_block);
    if (options.evaluate)
        protocol.evaluate = find_choice(*options.evaluate,
                                        std::array{EvaluateAt::blocks, EvaluateAt::cycles, EvaluateAt::end});
    stream.audit = options.audit;
    return stream;
}

StudyContext context_of(const RunOptions& options) {
    StudyContext context;
    context.chosen = make_choice(options, learner_of(options), options.preset);
    context.seeds = parse_seeds(options.seeds);
    context.held_out = held_out_of(options, HeldOut::t10k);
    context.threads = options.threads;
    context.limit = options.limit;
    context.methods = options.methods;
    context.full = options.full;
    return context;
}

/// All studies that apply to a learner.
std::vector<const Study*> studies_for(const std::string& learner) {
    std::vector<const Study*> studies;
    for (const Study& study : every_study())
        if (study.only_for.empty() || study.only_for == learner) studies.push_back(&study);
    return studies;
}

/// Throws if an option does not apply to a study.
void check_options(const Study& study, const RunOptions& options) {
    const auto reject = [&](const std::string& why) {
        throw usage_error(fmt::format("the study {} {}", study.name, why));
    };
    if (!study.only_for.empty() && learner_of(options) != study.only_for)
        reject(fmt::format("is about {} and does not apply to {}", study.only_for, learner_of(options)));
    if (!study.has_methods && (options.full || !options.methods.empty()))
        reject("has no methods to choose from: --methods and --full do not apply");
    if (study.has_stream) return;
    if (options.changes_stream())
        reject("has its own stream: --learner both, --held-out paper, --pool, --unfiltered, --cycles, "
               "--per-block, --evaluate and --audit are for headline");
    if (study.compares_learners && !study.compares_chosen &&
        (!options.preset.empty() || !options.settings.empty()))
        reject("chooses its learners itself: --preset and --set do not apply");
}

/// The studies to run, checked before the first one begins.
std::vector<const Study*> studies_of(const RunOptions& options) {
    if (options.runs_all()) {
        if (options.changes_stream())
            throw usage_error("another stream or both learners can only be used with the study headline");
        return studies_for(learner_of(options));
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

std::string table_text(const StudyTable& source) {
    Table table(source.header);
    for (const std::vector<Cell>& cells : source.rows) {
        std::vector<std::string> row;
        row.reserve(cells.size());
        for (const Cell& cell : cells) row.push_back(cell.text);
        table.add(std::move(row));
    }
    return fmt::format("{}\n{}", source.title, table.text());
}

std::string report(const Study& study, const StudyContext& context, const StudyResult& result) {
    const std::size_t seeds = context.seeds.size();
    std::string text = fmt::format("{}: {}\n", study.name, study.question);
    if (!study.compares_learners)
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

/// Whether this process prints results: only the first one of a group does.
bool prints_results(const StudyContext& context) {
    return context.group == nullptr || context.group->rank() == 0;
}

Finished run_study(const Study& study, const RunOptions& options, StudyContext& context) {
    context.study = study.name;
    context.chosen = make_choice(options, learner_of(options), options.preset);
    context.custom_stream.reset();
    if (study.has_stream && options.customises_study() && !options.runs_all())
        context.custom_stream = stream_of(options);
    context.show = [&study, prints = prints_results(context)](const std::string& what) {
        if (prints) return show_progress(study.name, what);
        return Progress([](std::size_t, std::size_t) { stop_if_interrupted(); });
    };
    const auto begin = std::chrono::steady_clock::now();
    StudyResult result = study.can_be_shared() ? study.run(context) : run_as_one_item(study, context);
    stop_if_interrupted();
    return {std::move(result),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// Throws if data are missing, before the first study begins.
void check_data(const std::vector<const Study*>& studies) {
    for (const Study* study : studies)
        for (const std::string& set : study->also_needs) (void)load_dataset(fmt::format("{}:t10k:0", set));
}

void check_shared_folder(const std::filesystem::path& out, const ProcessGroup* group) {
    if (group != nullptr && out.empty()) {
        throw usage_error(
            "several processes share their work in the folder of --out, on a shared file system, "
            "but --out is missing");
    }
}

/// Processes other than the first one only work on studies that can be shared.
void share_work(const std::vector<const Study*>& studies, const RunOptions& options, StudyContext& context) {
    for (const Study* study : studies)
        if (study->can_be_shared()) (void)run_study(*study, options, context);
}

/// The folder for results; by default empty if the study is limited or customised.
std::filesystem::path folder_for(const std::vector<const Study*>& studies, const RunOptions& options) {
    const bool is_custom = !options.runs_all() && options.customises_study() &&
                           std::ranges::any_of(studies, [](const Study* study) { return study->has_stream; });
    return options.out.value_or(options.limit > 0 || is_custom ? "" : "results");
}

/// Checks the parameters of all learners before the first study begins.
void check_learners(const std::vector<const Study*>& studies, const RunOptions& options,
                    const StudyContext& context) {
    const std::uint64_t seed = context.seeds.front();
    for (const Study* study : studies) {
        if (study->has_stream && options.customises_study() && !options.runs_all()) {
            for (const LearnerChoice& setting : stream_of(options).learners)
                (void)context.make(setting, seed);
        } else {
            (void)context.make(make_choice(options, learner_of(options), options.preset), seed);
        }
    }
}

/// Warns if gnuplot is missing.
void warn_without_gnuplot() {
    if (!has_gnuplot())
        print_message("sprig-lab: gnuplot is not installed: charts are written as .gp files, not drawn "
                      "(scripts/install-deps lab)");
}

void run(const RunOptions& options, ProcessGroup* group) {
    const std::vector<const Study*> studies = studies_of(options);
    StudyContext context = context_of(options);
    check_learners(studies, options, context);
    check_data(studies);
    context.group = group;
    const std::filesystem::path out = folder_for(studies, options);
    check_shared_folder(out, group);
    if (options.out || group != nullptr) make_folder(out); // fails before the work begins
    if (group != nullptr) check_folder_is_shared(*group, out);
    if (!out.empty()) context.cache = out / "runs"; // shared by all studies
    if (!prints_results(context)) {
        share_work(studies, options, context);
        return;
    }
    if (!out.empty()) warn_without_gnuplot();
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
            flush_results(); // the next study may take long
            print_message(fmt::format("sprig-lab: {} took {:.0f} s", study->name, seconds));
        }
        if (result.failure) failures += (failures.empty() ? "" : "; ") + *result.failure;
    }
    if (options.json) print(json_text(all.size() == 1 ? all.front() : all));
    if (!failures.empty()) throw failed(failures);
}

void add_study_options(CLI::App& verb, RunOptions& options) {
    std::vector<std::string> studies = {"all"};
    for (const Study& study : every_study()) studies.emplace_back(study.name);
    set_completions(
        *verb.add_option("NAME", options.names, "Studies to run (see 'sprig-lab list'), or all")->required(),
        studies);
    std::vector<std::string> learners = learner_names();
    learners.emplace_back("both");
    set_completions(
        *verb.add_option(
            "--learner", options.learner,
            "Learner: constellation or modeller; for headline also both (default: constellation)"),
        learners);
    set_completions(
        *verb.add_option(
            "--preset", options.preset,
            "Preset of parameters. For constellation: default, fast or paper-vocabulary (default: "
            "default); for modeller: best, paper or paper-literal (default: best)"),
        preset_names());
    add_set_option(verb, options.settings);
    set_completions(*verb.add_option("--seeds", options.seeds, "Random seeds, such as 0-9, 3 or 0,2,5-7")
                         ->type_name("SEEDS")
                         ->capture_default_str(),
                    {});
    set_completions(*verb.add_option("--methods", options.methods,
                                     "For baselines and characters: methods to run, such as si,mas "
                                     "(default: all)")
                         ->delimiter(','),
                    {});
    verb.add_flag("--full", options.full, "For baselines: run the parameter sweeps, too");
}

void add_run_options(CLI::App& verb, RunOptions& options) {
    verb.add_option("--threads", options.threads, "Number of threads")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    verb.add_option("--held-out", options.held_out,
                    "Held-out images: t10k (the test images), dev (the last 10,000 training images, for "
                    "choosing parameters), or for headline paper (20 per class, drawn with the stream) "
                    "(default: t10k; for headline paper)")
        ->check(CLI::IsMember({"paper", "dev", "t10k"}));
    verb.add_option("--limit", options.limit,
                    "Maximum number of images per set, to try a study (default: all)")
        ->check(CLI::Range(10, 1'000'000));
    verb.add_option("--out", options.out,
                    "Folder for tables, figures and finished runs (default: results; none with --limit, or "
                    "for headline with other learners or another stream)")
        ->type_name("DIR");
    verb.add_flag("--json", options.json, "Print the result as JSON");
}

void add_stream_options(CLI::App& verb, RunOptions& options) {
    const char* group = "Another stream (headline only)";
    verb.add_option(
            "--pool", options.pool,
            "Images to draw the stream from: all (of MNIST) or train (default: depends on --held-out)")
        ->check(CLI::IsMember({"all", "train"}))
        ->group(group);
    verb.add_flag("--unfiltered", options.unfiltered, "Do not apply the paper's topological filter")
        ->group(group);
    verb.add_option("--cycles", options.cycles, "Number of cycles over all classes (default: 20)")
        ->check(CLI::Range(1, 10'000))
        ->group(group);
    verb.add_option("--per-block", options.per_block,
                    "Number of images of a class in each cycle (default: 5)")
        ->check(CLI::Range(1, 10'000))
        ->group(group);
    verb.add_option("--evaluate", options.evaluate,
                    "When to evaluate: after every block (blocks) or cycle (cycles), or at the end (final) "
                    "(default: blocks)")
        ->check(CLI::IsMember({"blocks", "cycles", "final"}))
        ->group(group);
    verb.add_flag("--audit", options.audit,
                  "Check the Modeller's guarantee after each step against all earlier observations")
        ->group(group);
}

CLI::Option* add_results_option(CLI::App& verb, std::string& folder) {
    return verb.add_option("--results", folder, "Folder with the results of 'run'")
        ->type_name("DIR")
        ->capture_default_str();
}

} // namespace

void add_run_verb(CLI::App& app, ProcessGroup* group) {
    CLI::App* verb = app.add_subcommand("run", "Run studies and print their results");
    auto options = std::make_shared<RunOptions>();
    add_study_options(*verb, *options);
    add_run_options(*verb, *options);
    add_stream_options(*verb, *options);
    verb->footer("\nExamples:\n  sprig-lab run headline --learner both --seeds 0 --out out\n"
                 "  sprig-lab run headline --learner modeller --preset paper --held-out t10k --json\n"
                 "  sprig-lab run ablation --held-out dev --seeds 100-109\n"
                 "  sprig-lab run baselines --methods plain,si,constellation --threads 2");
    verb->callback([options, group] { run(*options, group); });
}

void add_list_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("list", "List all studies and which have been run");
    auto results = std::make_shared<std::string>("results");
    add_results_option(*verb, *results);
    verb->footer("\nExamples:\n  sprig-lab list");
    verb->callback([results] { list(*results); });
}

void add_report_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("report", "Write a page with the tables and figures of all studies");
    auto options = std::make_shared<ReportOptions>();
    add_results_option(*verb, options->results);
    verb->add_option("--out", options->out, "Folder for index.html")->type_name("DIR")->capture_default_str();
    verb->add_option("--into", options->document,
                     "Update the marked tables in this document instead of writing a page")
        ->type_name("FILE");
    verb->footer("\nExamples:\n  sprig-lab run all --threads 2 && sprig-lab report");
    verb->callback([options] { write_report(*options); });
}

} // namespace sprig::lab

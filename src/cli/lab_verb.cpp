#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "baselines/study_baselines.h"
#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/learners.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/report.h"
#include "lab/result_json.h"
#include "lab/seed_list.h"
#include "lab/study_files.h"
#include "lab/team.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::cli {

namespace {

struct LabOptions {
    std::vector<std::string> names;
    std::string learner = learner_names().front();
    std::string preset;
    std::vector<std::string> settings;
    std::string seeds = "0-9";
    std::size_t threads = 1;
    std::string held_out = "t10k";
    std::size_t limit = 0;
    std::vector<std::string> methods;
    bool full = false;
    std::optional<std::string> out;
    bool json = false;

    /// Where results go: nowhere if the question was cut short, unless somebody says so.
    [[nodiscard]] std::filesystem::path folder() const { return out.value_or(limit > 0 ? "" : "results"); }
};

/// The lab's, and those that compare with learners of other kinds.
const std::vector<lab::Study>& every_study() {
    static const std::vector<lab::Study> all = [] {
        std::vector<lab::Study> studies = lab::all_studies();
        studies.insert(studies.end(), baselines::studies().begin(), baselines::studies().end());
        return studies;
    }();
    return all;
}

/// What is there of a study: with how many seeds it was run, and by which version.
std::string state_of(const std::optional<lab::StoredStudy>& stored) {
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
    for (const lab::Study& study : every_study()) {
        states.push_back(state_of(lab::load_study(results / study.name)));
        width = std::max(width, states.back().size());
    }
    std::string text = fmt::format("{:<18} {:<{}} {:>6}  {}\n", "study", "state", width, "takes", "question");
    for (std::size_t i = 0; i < states.size(); ++i) {
        const lab::Study& study = every_study()[i];
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
    std::vector<lab::StoredStudy> studies;
    std::vector<std::string> missing;
    for (const lab::Study& study : every_study()) {
        if (auto stored = lab::load_study(std::filesystem::path(options.results) / study.name)) {
            studies.push_back(std::move(*stored));
        } else {
            missing.emplace_back(study.name);
        }
    }
    if (studies.empty()) {
        throw usage_error(fmt::format("there are no results in {}: 'sprig lab run all --out {}' makes them",
                                      options.results, options.results));
    }
    if (!options.document.empty()) {
        const std::string text = lab::with_results(read_text(options.document), studies);
        write_file_atomically(options.document, text);
        print(fmt::format("{}: its tables are those of {}\n", options.document, options.results));
        return;
    }
    make_folder(options.out);
    const std::filesystem::path page = std::filesystem::path(options.out) / "index.html";
    write_file_atomically(page, lab::html_report(studies, missing));
    print(fmt::format("{}: {} {}{}\n", page.string(), studies.size(),
                      studies.size() == 1 ? "study" : "studies",
                      missing.empty() ? "" : fmt::format(", {} not run yet", missing.size())));
}

std::unique_ptr<Learner> make(const lab::LearnerSetting& setting, std::uint64_t seed) {
    return make_learner({setting.learner, setting.preset, setting.settings}, seed);
}

/// A line that is there as long as somebody tells how far the work is.
lab::Progress show(const std::string& study, const std::string& what) {
    const auto bar = std::make_shared<ProgressBar>(study + ": " + what);
    return [bar](std::size_t at, std::size_t of) { bar->update(at, of); };
}

lab::LearnerSetting chosen_by(const LabOptions& options, const std::string& preset) {
    const LearnerChoice choice{options.learner, preset, parse_settings(options.settings)};
    return {choice.name, preset_of(choice), choice.settings};
}

/// Who names no preset gets the one that is made for the study's question.
lab::LearnerSetting chosen_for(const lab::Study& study, const LabOptions& options) {
    const bool is_ours = study.preset != nullptr && options.learner == "constellation";
    return chosen_by(options, options.preset.empty() && is_ours ? study.preset : options.preset);
}

lab::StudyContext context_of(const LabOptions& options) {
    lab::StudyContext context;
    context.chosen = chosen_by(options, options.preset);
    context.make = make;
    context.seeds = lab::parse_seeds(options.seeds);
    context.held_out = options.held_out == "dev" ? lab::HeldOut::dev : lab::HeldOut::t10k;
    context.threads = options.threads;
    context.limit = options.limit;
    context.methods = options.methods;
    context.full = options.full;
    return context;
}

/// All studies that say something of a learner.
std::vector<const lab::Study*> all_for(const std::string& learner) {
    std::vector<const lab::Study*> studies;
    for (const lab::Study& study : every_study())
        if (study.only_for == nullptr || study.only_for == learner) studies.push_back(&study);
    return studies;
}

/// What was asked for, all of it checked before the first study begins.
std::vector<const lab::Study*> studies_of(const LabOptions& options) {
    if (options.names == std::vector<std::string>{"all"}) return all_for(options.learner);
    std::vector<const lab::Study*> studies;
    for (const std::string& name : options.names) {
        const lab::Study& study = lab::study_called(name, every_study());
        if (std::ranges::count(studies, &study) > 0)
            throw usage_error(fmt::format("the study {} is named twice", name));
        if (study.only_for != nullptr && options.learner != study.only_for) {
            throw usage_error(fmt::format("the study {} is about {}: it says nothing of {}", name,
                                          study.only_for, options.learner));
        }
        if (!study.has_methods && (options.full || !options.methods.empty())) {
            throw usage_error(fmt::format(
                "the study {} has no methods to choose from: --methods and --full say nothing to it", name));
        }
        if (study.is_contest && (!options.preset.empty() || !options.settings.empty())) {
            throw usage_error(fmt::format(
                "the study {} chooses its learners itself: --preset and --set say nothing to it", name));
        }
        studies.push_back(&study);
    }
    return studies;
}

std::string table_text(const lab::StudyTable& shown) {
    Table table(shown.header);
    for (const std::vector<lab::Cell>& cells : shown.rows) {
        std::vector<std::string> row;
        row.reserve(cells.size());
        for (const lab::Cell& cell : cells) row.push_back(cell.text);
        table.add(std::move(row));
    }
    return fmt::format("{}\n{}", shown.title, table.text());
}

std::string report(const lab::Study& study, const lab::StudyContext& context,
                   const lab::StudyResult& result) {
    const std::size_t seeds = context.seeds.size();
    std::string text = fmt::format("{}: {}\n", study.name, study.question);
    if (!study.is_contest)
        text += fmt::format("{}, preset {}, ", context.chosen.learner, context.chosen.preset);
    text += fmt::format("{} seed{}", seeds, seeds == 1 ? "" : "s");
    if (const auto held_out = study.held_out_in(context))
        text += fmt::format(", held out: {}", name_of(*held_out));
    text += "\n\n";
    for (const lab::StudyTable& table : result.tables) text += table_text(table) + "\n";
    for (const std::string& note : result.notes) text += note + "\n";
    return text + "\n";
}

struct Finished {
    lab::StudyResult result;
    double seconds = 0;
};

/// Of a team only the first speaks; all can be stopped.
bool speaks(const lab::StudyContext& context) {
    return context.team == nullptr || context.team->rank() == 0;
}

Finished run_study(const lab::Study& study, const LabOptions& options, lab::StudyContext& context) {
    context.study = study.name;
    context.chosen = chosen_for(study, options);
    context.show = [&study, speaks = speaks(context)](const std::string& what) {
        if (speaks) return show(study.name, what);
        return lab::Progress([](std::size_t, std::size_t) { stop_if_interrupted(); });
    };
    const auto begin = std::chrono::steady_clock::now();
    lab::StudyResult result =
        study.can_be_shared() ? study.run(context) : lab::run_as_one_piece(study, context);
    stop_if_interrupted();
    return {std::move(result),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// Data that is missing is missed before the first study begins, not after hours.
void require_data(const std::vector<const lab::Study*>& studies) {
    for (const lab::Study* study : studies)
        for (const char* set : study->also_needs) (void)load_dataset(fmt::format("{}:t10k:0", set));
}

void refuse_without_folder(const std::filesystem::path& out, const lab::Team* team) {
    if (team != nullptr && out.empty()) {
        throw usage_error("several processes share their work in the folder of --out, on a file system that "
                          "all of them see, but --out is missing");
    }
}

/// Those who do not speak only help with what can be shared.
void help(const std::vector<const lab::Study*>& studies, const LabOptions& options,
          lab::StudyContext& context) {
    for (const lab::Study* study : studies)
        if (study->can_be_shared()) (void)run_study(*study, options, context);
}

void run(const LabOptions& options, lab::Team* team) {
    const std::vector<const lab::Study*> studies = studies_of(options);
    lab::StudyContext context = context_of(options);
    (void)context.make_chosen(context.seeds.front()); // what is wrong with the learner is known at once
    require_data(studies);
    context.team = team;
    const std::filesystem::path out = options.folder();
    refuse_without_folder(out, team);
    if (options.out || team != nullptr) make_folder(out); // whether it can be is known at once
    if (team != nullptr) lab::check_is_shared(*team, out);
    if (!out.empty()) context.keep = out / "runs"; // one for all: studies share experiments
    if (!speaks(context)) {
        help(studies, options, context);
        return;
    }
    if (!out.empty()) tell_if_charts_are_missing();
    Json all = Json::array();
    std::string failures;
    for (const lab::Study* study : studies) {
        const auto [result, seconds] = run_study(*study, options, context);
        if (!out.empty()) {
            make_folder(out / study->name);
            lab::write_study(out / study->name, *study, context, result, seconds);
        }
        if (options.json) {
            all.push_back(lab::study_json(*study, context, result));
            all.back()["seconds"] = seconds;
        } else {
            print(report(*study, context, result));
            flush_results(); // the next one may take long
            say(fmt::format("sprig: {} took {:.0f} s", study->name, seconds));
        }
        if (result.failure) failures += (failures.empty() ? "" : "; ") + *result.failure;
    }
    if (options.json) print(json_text(all.size() == 1 ? all.front() : all));
    if (!failures.empty()) throw failed(failures);
}

void add_run_options(CLI::App& verb, LabOptions& options) {
    std::vector<std::string> studies = {"all"};
    for (const lab::Study& study : every_study()) studies.emplace_back(study.name);
    offer(*verb.add_option("NAME", options.names, "Which studies: 'sprig lab list' names them; or 'all'")
               ->required(),
          studies);
    offer(*verb.add_option("--learner", options.learner, "Who learns: constellation or modeller")
               ->capture_default_str(),
          learner_names());
    offer(*verb.add_option("--preset", options.preset, "Its parameters, as for 'sprig run'"), preset_names());
    add_set_option(verb, options.settings);
    add_seeds_option(verb, options.seeds);
    verb.add_option("--threads", options.threads, "How many work at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    verb.add_option(
            "--held-out", options.held_out,
            "What is reported on: t10k, or dev (the last 10,000 training images) to choose parameters")
        ->check(CLI::IsMember({"t10k", "dev"}))
        ->capture_default_str();
    verb.add_option("--limit", options.limit, "At most so many images in each set, to try a study out")
        ->check(CLI::Range(10, 1'000'000));
    offer(*verb.add_option("--methods", options.methods,
                           "Of a study that compares learners: only these, such as si,mas")
               ->delimiter(','),
          {});
    verb.add_flag("--full", options.full, "Of a study that compares learners: its sweeps, too");
    verb.add_option("--out", options.out,
                    "A folder for tables, figures and finished runs (default: results; none with --limit)")
        ->type_name("DIR");
    verb.add_flag("--json", options.json, "Print the result as JSON");
}

} // namespace

void add_lab_verb(CLI::App& app, lab::Team* team) {
    CLI::App* verb =
        app.add_subcommand("lab", "Studies: questions about a learner, each with its experiment");
    verb->require_subcommand(1);
    CLI::App* list_verb = verb->add_subcommand("list", "Name all studies, and say which have been run");
    auto results = std::make_shared<std::string>("results");
    list_verb->add_option("--results", *results, "Where 'lab run --out' wrote to")
        ->type_name("DIR")
        ->capture_default_str();
    list_verb->footer("\nExamples:\n  sprig lab list");
    list_verb->callback([results] { list(*results); });
    CLI::App* report_verb =
        verb->add_subcommand("report", "Write one page with the tables and figures of all studies");
    auto report_options = std::make_shared<ReportOptions>();
    report_verb->add_option("--results", report_options->results, "Where 'lab run --out' wrote to")
        ->type_name("DIR")
        ->capture_default_str();
    report_verb->add_option("--out", report_options->out, "A folder for index.html")
        ->type_name("DIR")
        ->capture_default_str();
    report_verb
        ->add_option("--into", report_options->document,
                     "Instead of a page: write the tables that this document has marks for into it")
        ->type_name("FILE");
    report_verb->footer("\nExamples:\n  sprig lab run all --threads 2 && sprig lab report");
    report_verb->callback([report_options] { write_report(*report_options); });
    CLI::App* run_verb = verb->add_subcommand("run", "Run some studies and print what they found");
    auto options = std::make_shared<LabOptions>();
    add_run_options(*run_verb, *options);
    run_verb->footer("\nExamples:\n  sprig lab run open-set --seeds 0-9 --threads 2\n"
                     "  sprig lab run ablation --held-out dev --seeds 100-109\n"
                     "  sprig lab run glyphs --preset general --json\n"
                     "  sprig lab run baselines --methods plain,si,constellation --threads 2");
    run_verb->callback([options, team] { run(*options, team); });
}

} // namespace sprig::cli

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

// Verbs that check or change a model file without images: verify, merge, undo and class.

namespace sprig::cli {

namespace {

/// Opens an existing model file for writing.
Model open_existing(const std::string& path) {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        throw bad_input(fmt::format("there is no model file '{}'; 'sprig learn' creates one", path));
    return Model::open(path);
}

struct VerifyOptions {
    std::string model;
    bool json = false;
};

void verify(const VerifyOptions& options) {
    verify_model(options.model);
    const Model model = Model::load(options.model);
    const ModelSize size = model.learner().model_size();
    const std::string digest = hexadecimal(model.learner().digest());
    if (options.json) {
        print(json_text({{"model", options.model},
                         {"sound", true},
                         {"learner", model.facts().learner},
                         {"preset", model.facts().preset},
                         {"lessons", model.facts().lessons},
                         {"classes", model.learner().classes().size()},
                         {"units", size.total()},
                         {"nodes", size.nodes},
                         {"digest", digest}}));
        return;
    }
    print(fmt::format("{} is valid: {}\n", options.model, learner_and_preset(model.facts())));
    Table table({"property", "value"});
    table.add({"lessons", with_commas(model.facts().lessons)});
    table.add({"classes", with_commas(model.learner().classes().size())});
    table.add({"units", with_commas(size.total())});
    table.add({"nodes", with_commas(size.nodes)});
    table.add({"digest", digest});
    print(table.text());
}

struct MergeOptions {
    std::string first;
    std::vector<std::string> others;
    std::string output;
};

void merge(const MergeOptions& options) {
    std::vector<std::filesystem::path> models = {options.first};
    models.insert(models.end(), options.others.begin(), options.others.end());
    merge_models(models, options.output);
    const Model merged = Model::load(options.output);
    print(fmt::format("{}: {}, {}\n", options.output,
                      counted(merged.learner().classes().size(), "class", "classes"),
                      counted(merged.learner().model_size().total(), "unit")));
}

struct UndoOptions {
    std::string model;
    std::size_t count = 1;
};

/// Throws unless all of the lessons can be undone.
void check_undoable(const UndoOptions& options) {
    const std::uint64_t kept = ModelOptions().undo;
    const std::uint64_t can = std::min(Model::load(options.model).facts().undoable, kept);
    if (can >= options.count) return;
    if (can == 0) {
        throw usage_error(fmt::format(
            "'{}' has no lesson that can be undone; the last {} can be, unless a class was renamed or "
            "forgotten since",
            options.model, kept));
    }
    throw usage_error(fmt::format("only the last {} of '{}' can be undone, not {}; nothing was changed",
                                  counted(can, "lesson"), options.model, options.count));
}

void undo(const UndoOptions& options) {
    check_undoable(options);
    Model model = open_existing(options.model);
    for (std::size_t i = 0; i < options.count; ++i) model.undo();
    const std::uint64_t lessons = model.facts().lessons;
    model.close();
    print(fmt::format("{}: {} undone, {} left\n", options.model, counted(options.count, "lesson"),
                      with_commas(lessons)));
}

struct ClassOptions {
    std::string model;
    std::string action;
    std::vector<std::string> labels;
    bool json = false;
};

/// Checks the number of labels after the action.
void check_labels(const ClassOptions& options) {
    const std::size_t expected = options.action == "list" ? 0 : options.action == "forget" ? 1 : 2;
    if (options.labels.size() == expected) return;
    throw usage_error(fmt::format("'sprig class MODEL {}' takes {}, not {}", options.action,
                                  expected == 0   ? "no label"
                                  : expected == 1 ? "one label"
                                                  : "two labels, the old and the new one",
                                  options.labels.size()));
}

void list_classes(const ClassOptions& options) {
    const Model model = Model::load(options.model);
    if (options.json) {
        print(json_text(json_of(model, Patterns::no).at("classes")));
        return;
    }
    const std::vector<UnitView> units = model.learner().units();
    const std::vector<std::string> labels = model.learner().classes();
    Table table({"class", "samples", "units"});
    for (std::size_t c = 0; c < labels.size(); ++c) {
        const auto own = std::ranges::count(units, labels[c], &UnitView::label);
        table.add({labels[c], with_commas(model.samples()[c]), with_commas(static_cast<std::uint64_t>(own))});
    }
    print(table.text());
}

void change_class(const ClassOptions& options) {
    Model model = open_existing(options.model);
    if (options.action == "rename") {
        model.rename(options.labels[0], options.labels[1]);
    } else {
        model.forget(options.labels[0]);
    }
    model.close();
    print(options.action == "rename"
              ? fmt::format("{}: renamed class '{}' to '{}'\n", options.model, options.labels[0],
                            options.labels[1])
              : fmt::format("{}: forgot class '{}'\n", options.model, options.labels[0]));
}

void run_class_action(const ClassOptions& options) {
    check_labels(options);
    if (options.action == "list") {
        list_classes(options);
        return;
    }
    if (options.json) throw usage_error("--json is only for 'sprig class MODEL list'");
    change_class(options);
}

} // namespace

void add_verify_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("verify", "Check the integrity of a model file and print its digest");
    verb->group(model_verbs);
    auto options = std::make_shared<VerifyOptions>();
    add_model_option(*verb, options->model);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->footer(
        "\nModels that learned the same images in the same order have the same digest, on every machine.\n\n"
        "Examples:\n  sprig verify digits.sprig");
    verb->callback([options] { verify(*options); });
}

void add_merge_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("merge", "Merge models with different classes");
    verb->group(model_verbs);
    auto options = std::make_shared<MergeOptions>();
    verb->add_option("A", options->first, "First model file (learner: constellation)")->required();
    verb->add_option("B", options->others, "More model files, with the same parameters")->required();
    verb->add_option("-o,--output", options->output, "Model file to create")->type_name("FILE")->required();
    verb->footer("\nThe result is the same as learning all streams into one model.\n\n"
                 "Examples:\n"
                 "  sprig merge digits.sprig letters.sprig -o both.sprig\n"
                 "  sprig merge shard-*.sprig -o whole.sprig");
    verb->callback([options] { merge(*options); });
}

void add_undo_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("undo", "Undo the last lessons of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<UndoOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("--count", options->count, "Number of lessons to undo")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->footer("\nExamples:\n  sprig undo digits.sprig\n  sprig undo digits.sprig --count 3");
    verb->callback([options] { undo(*options); });
}

void add_class_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("class", "List, rename or forget the classes of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<ClassOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("ACTION", options->action, "Action")
        ->required()
        ->check(CLI::IsMember({"list", "rename", "forget"}));
    set_completions(*verb->add_option("LABEL", options->labels,
                                      "For rename: the old and the new label; for forget: the label")
                         ->expected(0, 2),
                    {});
    verb->add_flag("--json", options->json, "Print the list as JSON");
    verb->footer("\nAfter a class is renamed or forgotten, earlier lessons can no longer be undone.\n\n"
                 "Examples:\n"
                 "  sprig class digits.sprig list\n"
                 "  sprig class digits.sprig rename 8 eight\n"
                 "  sprig class digits.sprig forget eight");
    verb->callback([options] { run_class_action(*options); });
}

} // namespace sprig::cli

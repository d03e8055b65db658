#include <memory>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct ClassOptions {
    std::string model;
    std::string what;
    std::vector<std::string> labels;
    bool json = false;
};

/// The words after what is to be done.
void require_labels(const ClassOptions& options) {
    const std::size_t wanted = options.what == "list" ? 0 : options.what == "forget" ? 1 : 2;
    if (options.labels.size() == wanted) return;
    throw usage_error(fmt::format("'sprig class MODEL {}' takes {}, not {}", options.what,
                                  wanted == 0   ? "no label"
                                  : wanted == 1 ? "one label"
                                                : "two labels, the old and the new one",
                                  options.labels.size()));
}

void list(const ClassOptions& options) {
    const StoredModel model = load_model(options.model);
    if (options.json) {
        print(json_text(json_of(model, Patterns::no).at("classes")));
        return;
    }
    const std::vector<UnitView> units = model.learner->units();
    const std::vector<std::string> labels = model.learner->classes();
    Table table({"class", "samples", "units"});
    for (std::size_t c = 0; c < labels.size(); ++c) {
        const auto own = std::ranges::count(units, labels[c], &UnitView::label);
        table.add({labels[c], with_commas(model.samples[c]), with_commas(static_cast<std::uint64_t>(own))});
    }
    print(table.text());
}

void change(const ClassOptions& options) {
    ModelFile file(options.model);
    if (options.what == "rename") {
        file.rename_class(options.labels[0], options.labels[1]);
    } else {
        file.forget_class(options.labels[0]);
    }
    file.close();
    print(options.what == "rename"
              ? fmt::format("{}: the class '{}' is called '{}' now\n", options.model, options.labels[0],
                            options.labels[1])
              : fmt::format("{}: the class '{}' is forgotten\n", options.model, options.labels[0]));
}

void run(const ClassOptions& options) {
    require_labels(options);
    if (options.what == "list") {
        list(options);
        return;
    }
    if (options.json) throw usage_error("--json goes with 'sprig class MODEL list'");
    change(options);
}

} // namespace

void add_class_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("class", "List the classes of a model, rename or forget one");
    verb->group(model_verbs);
    auto options = std::make_shared<ClassOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("DO", options->what, "What is to be done")
        ->required()
        ->check(CLI::IsMember({"list", "rename", "forget"}));
    offer(*verb->add_option("LABEL", options->labels,
                            "Of rename the old and the new label, of forget the label")
               ->expected(0, 2),
          {});
    verb->add_flag("--json", options->json, "Print the list as JSON");
    verb->footer("\nWhat was learned before cannot be undone once a class was renamed or forgotten.\n\n"
                 "Examples:\n"
                 "  sprig class digits.sprig list\n"
                 "  sprig class digits.sprig rename 8 eight\n"
                 "  sprig class digits.sprig forget eight");
    verb->callback([options] { run(*options); });
}

} // namespace sprig::cli

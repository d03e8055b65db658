#include <memory>

#include "cli/model_diff.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace sprig::cli {

namespace {

struct DiffOptions {
    std::string first;
    std::string second;
    bool exit_code = false;
    bool json = false;
};

void diff(const DiffOptions& options) {
    const ModelDiff found = compare(load_model(options.first), load_model(options.second));
    print(options.json ? json_text(json_of(found)) : text_of(found, options.first, options.second));
    if (!options.exit_code || found.is_empty()) return;
    flush_results();
    throw EndWith{work_failed};
}

} // namespace

void add_diff_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("diff", "Say in what two models differ");
    verb->group(model_verbs);
    auto options = std::make_shared<DiffOptions>();
    verb->add_option("A", options->first, "A model file")->required();
    verb->add_option("B", options->second, "Another one")->required();
    verb->add_flag("--exit-code", options->exit_code, "End with 1 if they differ");
    verb->add_flag("--json", options->json, "Print the differences as JSON");
    verb->footer("\nExamples:\n  sprig diff before.sprig after.sprig\n"
                 "  sprig diff one.sprig other.sprig --exit-code --json");
    verb->callback([options] { diff(*options); });
}

} // namespace sprig::cli

#include <memory>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace sprig::cli {

namespace {

struct MergeOptions {
    std::string first;
    std::string second;
    std::string output;
};

void merge(const MergeOptions& options) {
    merge_models(options.first, options.second, options.output);
    const StoredModel merged = load_model(options.output);
    print(fmt::format("{}: {}, {}\n", options.output,
                      counted(merged.learner->classes().size(), "class", "classes"),
                      counted(merged.learner->census().total(), "unit")));
}

} // namespace

void add_merge_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("merge", "Make one model of two that know other classes");
    verb->group(model_verbs);
    auto options = std::make_shared<MergeOptions>();
    verb->add_option("A", options->first, "A model file of constellation")->required();
    verb->add_option("B", options->second, "Another one, made with the same parameters")->required();
    verb->add_option("-o,--output", options->output, "The model file to be made")
        ->type_name("FILE")
        ->required();
    verb->footer("\nThe result is what learning both streams into one model would have given.\n\n"
                 "Examples:\n  sprig merge digits.sprig letters.sprig -o both.sprig");
    verb->callback([options] { merge(*options); });
}

} // namespace sprig::cli

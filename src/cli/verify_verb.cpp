#include <memory>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace sprig::cli {

namespace {

struct VerifyOptions {
    std::string model;
    bool json = false;
};

void verify(const VerifyOptions& options) {
    verify_model(options.model);
    const StoredModel model = load_model(options.model);
    const Census census = model.learner->census();
    const std::string digest = hexadecimal(model.learner->digest());
    if (options.json) {
        print(json_text({{"model", options.model},
                         {"sound", true},
                         {"learner", model.facts.learner},
                         {"preset", model.facts.preset},
                         {"lessons", model.facts.lessons},
                         {"classes", model.learner->classes().size()},
                         {"units", census.total()},
                         {"nodes", census.nodes},
                         {"digest", digest}}));
        return;
    }
    print(fmt::format("{} is sound: {}\n", options.model, kind_in_words(model.facts)));
    Table table({"", "in it"});
    table.add({"lessons", with_commas(model.facts.lessons)});
    table.add({"classes", with_commas(model.learner->classes().size())});
    table.add({"units", with_commas(census.total())});
    table.add({"nodes", with_commas(census.nodes)});
    table.add({"digest", digest});
    print(table.text());
}

} // namespace

void add_verify_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("verify", "Check that a model file is whole and sound");
    verb->group(model_verbs);
    auto options = std::make_shared<VerifyOptions>();
    add_model_option(*verb, options->model);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->footer("\nEqual histories give equal digests, on every machine.\n\n"
                 "Examples:\n  sprig verify digits.sprig");
    verb->callback([options] { verify(*options); });
}

} // namespace sprig::cli

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "data/known_sets.h"
#include "fetch/get.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct GetOptions {
    std::string name;
    std::string from;
    bool json = false;
};

fetch::GetReport get_with_progress(const std::string& name,
                                   const std::optional<std::filesystem::path>& from) {
    try {
        return fetch::get_dataset(name, from, [](const std::string& message) {
            stop_if_interrupted();
            print_message(fmt::format("sprig: {}", message));
        });
    } catch (const Error&) {
        // Ctrl-C also stops the download program; report the interruption, not its failure.
        stop_if_interrupted();
        throw;
    }
}

void get(const GetOptions& options) {
    std::optional<std::filesystem::path> from;
    if (!options.from.empty()) from = options.from;
    const fetch::GetReport report = get_with_progress(options.name, from);
    if (options.json) {
        const Json json = {{"name", options.name},
                           {"folder", report.folder.string()},
                           {"already_there", report.already_there},
                           {"origin", report.origin},
                           {"files", report.files}};
        print(json_text(json));
        return;
    }
    if (report.already_there) {
        print(fmt::format("{} is already installed in {}; all digests match\n", options.name,
                          report.folder.string()));
    } else {
        print(fmt::format("{} was installed from {} in {}; all digests match\n", options.name, report.origin,
                          report.folder.string()));
    }
}

void add_get(CLI::App& data) {
    CLI::App* verb = data.add_subcommand("get", "Download a data set, or copy it from a folder");
    auto options = std::make_shared<GetOptions>();
    CLI::Option* name =
        verb->add_option("NAME", options->name, "Name of the data set: mnist or fashion-mnist")->required();
    std::vector<std::string> names;
    for (const data_detail::KnownSet& set : data_detail::known_sets()) names.emplace_back(set.name);
    set_completions(*name, names);
    verb->add_option("--from", options->from,
                     "Copy the files from this folder, raw or .gz (default: download)")
        ->type_name("DIR");
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->footer(
        "\nExamples:\n  sprig data get mnist\n  sprig data get mnist --from ~/torchvision/MNIST/raw");
    verb->callback([options] { get(*options); });
}

} // namespace

void add_data_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("data", "Install data sets");
    verb->require_subcommand(1);
    verb->footer("\nExamples:\n  sprig data get mnist\n  sprig data get fashion-mnist");
    add_get(*verb);
    add_moved_verb(*verb, "filter", "sprig-lab filter");
}

} // namespace sprig::cli

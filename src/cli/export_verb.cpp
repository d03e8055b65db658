#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/graph_export.h"
#include "cli/inspect_report.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct ExportOptions {
    std::string model;
    std::string to;
    std::string output;
    std::optional<std::uint64_t> maturity;
};

/// A file whose name says something else than what is in it helps nobody.
void require_ending(const ExportOptions& options) {
    const std::string ending = "." + options.to;
    if (options.output.size() <= ending.size() || !options.output.ends_with(ending))
        throw usage_error(
            fmt::format("{} is not a {} file: --to {} writes one", options.output, ending, options.to));
}

std::string exported(const ExportOptions& options) {
    const StoredModel model = load_model(options.model);
    if (options.to == "graphml") return graphml_of(model);
    if (options.to == "dot") return dot_of(options.model, model);
    if (options.to == "svg") return draw_mature(options.model, model, options.maturity);
    return json_text(json_of(model, Patterns::yes));
}

void export_model(const ExportOptions& options) {
    if (options.output.empty()) {
        print(exported(options));
        return;
    }
    require_ending(options);
    write_file_atomically(options.output, exported(options));
    say(fmt::format("sprig: wrote {} to {}", options.model, options.output));
}

} // namespace

void add_export_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("export", "Write a model in a form that other programs read");
    verb->group(model_verbs);
    auto options = std::make_shared<ExportOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("--to", options->to,
                     "As what: json (everything), graphml and dot (graphs), or svg (a drawing of the units)")
        ->required()
        ->check(CLI::IsMember({"json", "graphml", "dot", "svg"}));
    verb->add_option("-o,--output", options->output, "To this file (default: standard output)")
        ->type_name("FILE");
    add_maturity_option(*verb, options->maturity);
    verb->footer("\nExamples:\n  sprig export digits.sprig --to json -o digits.json\n"
                 "  sprig export digits.sprig --to graphml -o digits.graphml\n"
                 "  sprig export digits.sprig --to dot | dot -Tpdf > digits.pdf");
    verb->callback([options] { export_model(*options); });
}

} // namespace sprig::cli

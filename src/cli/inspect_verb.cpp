#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/drawings.h"
#include "cli/inspect_report.h"
#include "cli/models.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct InspectOptions {
    std::string model;
    std::optional<std::string> unit;
    bool sheet = false;
    std::optional<std::uint64_t> maturity;
    std::string output;
    bool json = false;
};

void check(const InspectOptions& options) {
    const bool draws = !options.output.empty();
    if (draws) require_drawing(options.output);
    if (draws && !options.sheet && !options.unit)
        throw usage_error("-o needs something to draw: add --unit ID or --sheet");
    if (!draws && options.sheet) throw usage_error("--sheet needs an output file: add -o FILE.svg");
}

Json units_json(const Model& model, const std::vector<UnitView>& units) {
    Json json = Json::array();
    for (const UnitView& unit : units) json.push_back(json_of(model, unit, Patterns::no));
    return json;
}

void inspect_unit(const InspectOptions& options, const Model& model) {
    const UnitDetails details = find_unit(options.model, model, *options.unit);
    if (!options.output.empty()) {
        write_drawing(options.output, draw_unit_chain(details));
        print_message(fmt::format("sprig: wrote a drawing of unit {} to {}",
                                  hexadecimal(details.unit.lineage), options.output));
    }
    if (!options.json) {
        print(unit_report(model, details));
        return;
    }
    Json json = json_of(model, details.unit, Patterns::yes);
    json["conditions"] = units_json(model, details.below);
    json["conditioned_by"] = units_json(model, details.above);
    json["history"] = json_of(details.history);
    print(json_text(json));
}

void inspect(const InspectOptions& options) {
    check(options);
    const Model model = Model::load(options.model);
    if (options.unit) {
        inspect_unit(options, model);
        return;
    }
    if (options.sheet) {
        write_drawing(options.output, draw_mature_units(options.model, model, options.maturity));
        print_message(
            fmt::format("sprig: wrote a drawing of the units of {} to {}", options.model, options.output));
    }
    if (options.json) {
        print(json_text(json_of(model, Patterns::no)));
    } else if (!options.sheet) {
        print(model_report(options.model, model));
    }
}

} // namespace

void add_inspect_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("inspect", "Show the classes and units of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<InspectOptions>();
    add_model_option(*verb, options->model);
    CLI::Option* unit =
        verb->add_option("--unit", options->unit, "Show one unit, given by its identifier or the start of it")
            ->type_name("ID");
    set_completions(*unit, {});
    CLI::Option* sheet =
        verb->add_flag("--sheet", options->sheet, "Draw all mature units of each class (needs -o)")
            ->excludes(unit);
    add_maturity_option(*verb, options->maturity).needs(sheet);
    verb->add_option("-o,--output", options->output, "Write a drawing to this .svg or .png file")
        ->type_name("FILE");
    verb->add_flag("--json", options->json, "Print the model or the unit as JSON");
    verb->footer("\nExamples:\n"
                 "  sprig inspect digits.sprig\n"
                 "  sprig inspect digits.sprig --unit 3f2a -o unit.svg\n"
                 "  sprig inspect digits.sprig --sheet -o units.svg");
    verb->callback([options] { inspect(*options); });
}

} // namespace sprig::cli

#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/front_end_options.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "data/known_sets.h"
#include "fetch/get.h"
#include "lab/filter.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct GetOptions {
    std::string name;
    std::string from;
    bool json = false;
};

fetch::GetReport get_shown(const std::string& name, const std::optional<std::filesystem::path>& from) {
    try {
        return fetch::get_dataset(name, from, [](const std::string& message) {
            stop_if_interrupted();
            say(fmt::format("sprig: {}", message));
        });
    } catch (const Error&) {
        // Ctrl-C reaches the client that fetches, too: then its failure is none.
        stop_if_interrupted();
        throw;
    }
}

void get(const GetOptions& options) {
    std::optional<std::filesystem::path> from;
    if (!options.from.empty()) from = options.from;
    const fetch::GetReport report = get_shown(options.name, from);
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
        print(fmt::format("{} is there, with the right digests: {}\n", options.name, report.folder.string()));
    } else {
        print(fmt::format("{} came from {}, its digests are right: {}\n", options.name, report.origin,
                          report.folder.string()));
    }
}

void add_get(CLI::App& data) {
    CLI::App* verb = data.add_subcommand("get", "Bring a data set onto this machine");
    auto options = std::make_shared<GetOptions>();
    CLI::Option* name = verb->add_option("NAME", options->name, "mnist or fashion-mnist")->required();
    std::vector<std::string> names;
    for (const data_detail::KnownSet& set : data_detail::known_sets()) names.emplace_back(set.name);
    offer(*name, names);
    verb->add_option("--from", options->from, "Take the files from this folder (raw or .gz)")
        ->type_name("DIR");
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->footer(
        "\nExamples:\n  sprig data get mnist\n  sprig data get mnist --from ~/torchvision/MNIST/raw");
    verb->callback([options] { get(*options); });
}

struct FilterOptions {
    std::string address;
    FrontEndParams front_end;
    PictureOptions picture;
    TopologyRule rule;
    std::vector<std::string> holes;
    bool list = false;
    bool json = false;
};

/// "8=2" as a label and its holes.
std::pair<std::string, int> parse_holes(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    const std::string count = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (equals == 0 || count.empty() || count.size() > 4 ||
        count.find_first_not_of("0123456789") != std::string::npos) {
        throw usage_error(fmt::format("--holes takes LABEL=NUMBER, such as 8=2, not '{}'", text));
    }
    return {text.substr(0, equals), std::stoi(count)};
}

void require_once(const TopologyRule& rule) {
    std::set<std::string> labels;
    for (const auto& [label, holes] : rule.holes) {
        if (!labels.insert(label).second)
            throw usage_error(fmt::format("--holes names the label {} twice", label));
    }
}

std::string percent(std::size_t part, std::size_t whole) {
    return whole == 0
               ? ""
               : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void print_table(const lab::FilterResult& result) {
    Table table({"class", "images", "kept", "share"});
    for (const lab::FilterCount& c : result.classes) {
        if (c.images > 0)
            table.add({c.label, with_commas(c.images), with_commas(c.kept), percent(c.kept, c.images)});
    }
    table.add({"all", with_commas(result.images), with_commas(result.kept.size()),
               percent(result.kept.size(), result.images)});
    print(table.text(true));
}

void print_json(const Dataset& data, const lab::FilterResult& result, const FilterOptions& options) {
    Json json = {{"data", options.address}, {"images", result.images}, {"kept", result.kept.size()}};
    Json& classes = json["classes"] = Json::object();
    for (const lab::FilterCount& c : result.classes)
        classes[c.label] = {{"images", c.images}, {"kept", c.kept}};
    Json& criterion = json["criterion"];
    criterion = {{"threshold", options.front_end.threshold},
                 {"min_contour", options.front_end.min_contour},
                 {"components", options.rule.components}};
    for (const auto& [label, holes] : options.rule.holes) criterion["holes"][label] = holes;
    if (options.list) {
        Json& names = json["names"] = Json::array();
        for (const std::size_t i : result.kept) names.push_back(data.name(i));
    }
    print(json_text(json));
}

void filter(FilterOptions& options) {
    if (!options.holes.empty()) {
        options.rule.holes.clear();
        for (const std::string& text : options.holes) options.rule.holes.push_back(parse_holes(text));
        require_once(options.rule);
    }
    FrontEnd front_end(options.front_end);
    PictureReader reader(options.picture);
    const Dataset data = load_shown(options.address, reader);
    ProgressBar bar("filtering");
    const lab::FilterResult result = lab::filter(data, options.rule, front_end,
                                                 [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    if (options.json) {
        print_json(data, result, options);
    } else if (options.list) {
        for (const std::size_t i : result.kept) print(data.name(i) + "\n");
    } else {
        print_table(result);
    }
}

void add_filter(CLI::App& data) {
    CLI::App* verb =
        data.add_subcommand("filter", "Count the images that have the parts their label promises");
    auto options = std::make_shared<FilterOptions>();
    offer(*verb->add_option("DATA", options->address, "A data set, such as mnist:all")->required(),
          address_words(), Besides::files);
    verb->add_flag("--list", options->list, "Name the images that are kept");
    verb->add_flag("--json", options->json, "Print the result as JSON");
    const char* group = "Criterion";
    verb->add_option("--components", options->rule.components, "Connected components an image must have")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(group);
    CLI::Option* holes = verb->add_option("--holes", options->holes, "Holes by label (others: any number)")
                             ->type_name("LABEL=NUMBER")
                             ->delimiter(',')
                             ->default_str("0=1,6=1,8=2,9=1")
                             ->group(group);
    offer(*holes, {});
    add_contour_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->footer(
        "\nExamples:\n  sprig data filter mnist:all\n  sprig data filter mnist:all --min-contour 12 --json");
    verb->callback([options] { filter(*options); });
}

} // namespace

void add_data_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("data", "Get and filter data sets");
    verb->require_subcommand(1);
    add_get(*verb);
    add_filter(*verb);
}

} // namespace sprig::cli

#include <memory>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "cli/front_end_options.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "lab/cli/verbs.h"
#include "lab/protocol/experiment_data.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

using namespace cli; // NOLINT(google-build-using-namespace): shared by both programs

struct SummaryOptions {
    std::string address;
    std::string filter = "none";
    FrontEndParams front_end;
    PictureOptions picture;
    bool json = false;
};

struct Summary {
    std::size_t images = 0; ///< before the filter
    FrontEndSummary networks;
};

Summary summary_of(const SummaryOptions& options) {
    FrontEnd front_end(options.front_end);
    PictureConverter converter(options.picture);
    const Dataset data = load_with_progress(options.address, converter);
    std::vector<std::size_t> chosen(data.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (options.filter == "paper") {
        ProgressBar bar("filtering");
        chosen = filter(data, TopologyRule{}, front_end, [&](std::size_t at, std::size_t of) {
                     bar.update(at, of);
                 }).kept;
    }
    ProgressBar bar("building networks");
    return {data.size(),
            summarise(data, chosen, front_end, [&](std::size_t at, std::size_t of) { bar.update(at, of); })};
}

void print_table(const Summary& summary, bool filtered) {
    Table table({"class", "networks", "nodes", "max nodes", "edges", "finest edges", "levels"});
    const auto add = [&](const NetworkCounts& c) {
        table.add({c.label, with_commas(c.images), fmt::format("{:.2f}", c.mean(c.nodes)),
                   fmt::format("{}", c.most_nodes), fmt::format("{:.2f}", c.mean(c.edges)),
                   fmt::format("{:.2f}", c.mean(c.finest_edges)), fmt::format("{:.2f}", c.mean(c.levels))});
    };
    for (const NetworkCounts& c : summary.networks.classes) add(c);
    add(summary.networks.all);
    print(table.text(true));
    if (filtered) {
        print(fmt::format("\nnetworks: images kept by the paper's filter, out of {}\n",
                          with_commas(summary.images)));
    } else {
        print("\n");
    }
    print("nodes, edges (all levels), finest edges (level 0), levels: means per network\n"
          "max nodes: largest number of nodes of a network\n");
}

Json counts_json(const NetworkCounts& c) {
    return {{"networks", c.images},
            {"nodes", c.mean(c.nodes)},
            {"most_nodes", c.most_nodes},
            {"edges", c.mean(c.edges)},
            {"finest_edges", c.mean(c.finest_edges)},
            {"levels", c.mean(c.levels)}};
}

void print_json(const Summary& summary, const SummaryOptions& options) {
    Json json = {{"data", options.address},
                 {"filter", options.filter},
                 {"images", summary.images},
                 {"all", counts_json(summary.networks.all)}};
    Json& classes = json["classes"] = Json::object();
    for (const NetworkCounts& c : summary.networks.classes) classes[c.label] = counts_json(c);
    print(json_text(json));
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

/// Parses "8=2" as a label and its number of holes.
std::pair<std::string, int> parse_holes(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    const std::string count = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (equals == 0 || count.empty() || count.size() > 4 ||
        count.find_first_not_of("0123456789") != std::string::npos) {
        throw usage_error(fmt::format("--holes takes LABEL=NUMBER, such as 8=2, not '{}'", text));
    }
    return {text.substr(0, equals), std::stoi(count)};
}

void check_unique(const TopologyRule& rule) {
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

void print_filter(const FilterResult& result) {
    Table table({"class", "images", "kept", "share"});
    for (const FilterCount& c : result.classes) {
        if (c.images > 0)
            table.add({c.label, with_commas(c.images), with_commas(c.kept), percent(c.kept, c.images)});
    }
    table.add({"all", with_commas(result.images), with_commas(result.kept.size()),
               percent(result.kept.size(), result.images)});
    print(table.text(true));
}

void print_filter_json(const Dataset& data, const FilterResult& result, const FilterOptions& options) {
    Json json = {{"data", options.address}, {"images", result.images}, {"kept", result.kept.size()}};
    Json& classes = json["classes"] = Json::object();
    for (const FilterCount& c : result.classes) classes[c.label] = {{"images", c.images}, {"kept", c.kept}};
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

void count_kept(FilterOptions& options) {
    if (!options.holes.empty()) {
        options.rule.holes.clear();
        for (const std::string& text : options.holes) options.rule.holes.push_back(parse_holes(text));
        check_unique(options.rule);
    }
    FrontEnd front_end(options.front_end);
    PictureConverter converter(options.picture);
    const Dataset data = load_with_progress(options.address, converter);
    ProgressBar bar("filtering");
    const FilterResult result =
        filter(data, options.rule, front_end, [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    if (options.json) {
        print_filter_json(data, result, options);
    } else if (options.list) {
        for (const std::size_t i : result.kept) print(data.name(i) + "\n");
    } else {
        print_filter(result);
    }
}

} // namespace

void add_summary_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("summary", "Count the nodes, edges and levels of the networks of a data set");
    auto options = std::make_shared<SummaryOptions>();
    set_completions(
        *verb->add_option("DATA", options->address, "Data set (an address), such as mnist:all")->required(),
        address_completions(), FileNames::allowed);
    verb->add_option("--filter", options->filter,
                     "Filter of the images: none, or paper (the paper's topological filter)")
        ->check(CLI::IsMember({"none", "paper"}))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_front_end_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->footer("\nExamples:\n  sprig-lab summary mnist:all --filter paper\n  sprig-lab summary dir:shapes "
                 "--directions 4");
    verb->callback([options] {
        const Summary summary = summary_of(*options);
        if (options->json) {
            print_json(summary, *options);
        } else {
            print_table(summary, options->filter == "paper");
        }
    });
}

void add_filter_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("filter", "Count the images that pass the topological filter");
    auto options = std::make_shared<FilterOptions>();
    set_completions(
        *verb->add_option("DATA", options->address, "Data set (an address), such as mnist:all")->required(),
        address_completions(), FileNames::allowed);
    verb->add_flag("--list", options->list, "List the images that pass");
    verb->add_flag("--json", options->json, "Print the result as JSON");
    const char* group = "Filter";
    verb->add_option("--components", options->rule.components, "Required number of connected components")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->group(group);
    CLI::Option* holes = verb->add_option("--holes", options->holes,
                                          "Required number of holes by label; other labels may have any")
                             ->type_name("LABEL=NUMBER")
                             ->delimiter(',')
                             ->default_str("0=1,6=1,8=2,9=1")
                             ->group(group);
    set_completions(*holes, {});
    add_contour_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->footer(
        "\nExamples:\n  sprig-lab filter mnist:all\n  sprig-lab filter mnist:all --min-contour 12 --json");
    verb->callback([options] { count_kept(*options); });
}

} // namespace sprig::lab

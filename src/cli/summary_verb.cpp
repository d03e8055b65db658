#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/front_end_options.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/front_end_summary.h"
#include "sprig/data.h"

namespace sprig::cli {

namespace {

struct SummaryOptions {
    std::string address;
    std::string filter = "none";
    FrontEndParams front_end;
    PictureOptions picture;
    bool json = false;
};

struct Summary {
    std::size_t images = 0; ///< before the filter
    lab::FrontEndSummary networks;
};

Summary summarise(const SummaryOptions& options) {
    FrontEnd front_end(options.front_end);
    PictureReader reader(options.picture);
    const Dataset data = load_shown(options.address, reader);
    std::vector<std::size_t> chosen(data.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (options.filter == "paper") {
        ProgressBar bar("filtering");
        chosen = lab::filter(data, TopologyRule{}, front_end, [&](std::size_t at, std::size_t of) {
                     bar.update(at, of);
                 }).kept;
    }
    ProgressBar bar("building networks");
    return {data.size(), lab::summarise(data, chosen, front_end,
                                        [&](std::size_t at, std::size_t of) { bar.update(at, of); })};
}

void print_table(const Summary& summary, bool filtered) {
    Table table({"class", "networks", "nodes", "most", "edges", "finest", "levels"});
    const auto add = [&](const lab::NetworkCounts& c) {
        table.add({c.label, with_commas(c.images), fmt::format("{:.2f}", c.mean(c.nodes)),
                   fmt::format("{}", c.most_nodes), fmt::format("{:.2f}", c.mean(c.edges)),
                   fmt::format("{:.2f}", c.mean(c.finest_edges)), fmt::format("{:.2f}", c.mean(c.levels))});
    };
    for (const lab::NetworkCounts& c : summary.networks.classes) add(c);
    add(summary.networks.all);
    print(table.text(true));
    if (filtered) {
        print(fmt::format("\nnetworks: of the images that the paper's filter keeps, out of {}\n",
                          with_commas(summary.images)));
    } else {
        print("\n");
    }
    print("nodes, edges (of all levels), finest (edges of level 0), levels: means per network\n"
          "most: the most nodes of one network\n");
}

Json counts_json(const lab::NetworkCounts& c) {
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
    for (const lab::NetworkCounts& c : summary.networks.classes) classes[c.label] = counts_json(c);
    print(json_text(json));
}

} // namespace

void add_summary_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("summary", "Count the nodes, edges and levels of a data set's networks");
    auto options = std::make_shared<SummaryOptions>();
    offer(*verb->add_option("DATA", options->address, "A data set, such as mnist:all")->required(),
          address_words(), Besides::files);
    verb->add_option("--filter", options->filter,
                     "Which images: none (all of them), or paper (its topological filter)")
        ->check(CLI::IsMember({"none", "paper"}))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_front_end_options(*verb, options->front_end);
    add_picture_options(*verb, options->picture);
    verb->footer(
        "\nExamples:\n  sprig summary mnist:all --filter paper\n  sprig summary dir:shapes --directions 4");
    verb->callback([options] {
        const Summary summary = summarise(*options);
        if (options->json) {
            print_json(summary, *options);
        } else {
            print_table(summary, options->filter == "paper");
        }
    });
}

} // namespace sprig::cli

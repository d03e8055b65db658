#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/front_end_options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/front_end_summary.h"
#include "sprig/data.h"

namespace sprig::cli {

namespace {

using Json = nlohmann::ordered_json;

struct SummaryOptions {
    std::string address;
    std::string filter = "none";
    FrontEndParams front_end;
    PictureOptions picture;
    bool json = false;
};

struct Summary {
    lab::FilterResult kept;
    lab::FrontEndSummary networks;
};

Summary summarise(const SummaryOptions& options) {
    FrontEnd front_end(options.front_end);
    LoadOptions load;
    ProgressBar reading("reading");
    load.prepare = picture_reader(options.picture);
    load.progress = [&](std::size_t at, std::size_t of) { reading.update(at, of); };
    const Dataset data = load_dataset(options.address, load);
    TopologyRule rule;
    Summary summary;
    if (options.filter == "paper") {
        ProgressBar bar("filtering");
        summary.kept =
            lab::filter(data, rule, front_end, [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    } else {
        summary.kept.images = data.size();
        summary.kept.kept.resize(data.size());
        std::iota(summary.kept.kept.begin(), summary.kept.kept.end(), std::size_t{0});
    }
    ProgressBar bar("building networks");
    summary.networks = lab::summarise(data, summary.kept.kept, front_end,
                                      [&](std::size_t at, std::size_t of) { bar.update(at, of); });
    return summary;
}

std::size_t images_of(const Summary& summary, const std::string& label) {
    for (const lab::FilterCount& c : summary.kept.classes) {
        if (c.label == label) return c.images;
    }
    return summary.kept.images;
}

void print_table(const Summary& summary, bool filtered) {
    std::vector<std::string> header = {"class"};
    if (filtered) header.emplace_back("images");
    for (const char* column : {"networks", "nodes", "most", "edges", "finest", "levels"})
        header.emplace_back(column);
    Table table(header);
    const auto add = [&](const lab::NetworkCounts& c) {
        std::vector<std::string> row = {c.label};
        if (filtered) row.push_back(with_commas(images_of(summary, c.label)));
        row.push_back(with_commas(c.images));
        row.push_back(fmt::format("{:.2f}", c.mean(c.nodes)));
        row.push_back(fmt::format("{}", c.most_nodes));
        row.push_back(fmt::format("{:.2f}", c.mean(c.edges)));
        row.push_back(fmt::format("{:.2f}", c.mean(c.finest_edges)));
        row.push_back(fmt::format("{:.2f}", c.mean(c.levels)));
        table.add(row);
    };
    for (const lab::NetworkCounts& c : summary.networks.classes) add(c);
    add(summary.networks.all);
    fmt::print("{}\n", table.text(true));
    if (filtered) {
        fmt::print("images: in the data set; networks: of the images that the paper's filter keeps;\n");
    }
    fmt::print(
        "nodes, edges (of all levels), finest (edges of level 0), levels: means per network; most: the\n"
        "most nodes of one network\n");
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
                 {"images", summary.kept.images},
                 {"all", counts_json(summary.networks.all)}};
    Json& classes = json["classes"] = Json::object();
    for (const lab::NetworkCounts& c : summary.networks.classes) classes[c.label] = counts_json(c);
    fmt::print("{}\n", json.dump(2));
}

} // namespace

void add_summary_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("summary", "Count the nodes, edges and levels of a data set's networks");
    auto options = std::make_shared<SummaryOptions>();
    verb->add_option("DATA", options->address, "A data set, such as mnist:all")->required();
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

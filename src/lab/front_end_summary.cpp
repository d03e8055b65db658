#include "lab/front_end_summary.h"

#include <algorithm>

namespace sprig::lab {

void NetworkCounts::add(const Network& network) {
    ++images;
    nodes += network.node_count();
    most_nodes = std::max<std::uint64_t>(most_nodes, network.node_count());
    edges += network.edge_count();
    for (const Edge& e : network.edges()) finest_edges += e.first_level == 0 ? 1 : 0;
    levels += network.level_count();
}

void NetworkCounts::add(const NetworkCounts& other) {
    images += other.images;
    nodes += other.nodes;
    most_nodes = std::max(most_nodes, other.most_nodes);
    edges += other.edges;
    finest_edges += other.finest_edges;
    levels += other.levels;
}

FrontEndSummary summarise(const Dataset& data, std::span<const std::size_t> images, FrontEnd& front_end,
                          const Progress& progress) {
    // One row per class, and a last one for images without a label.
    std::vector<NetworkCounts> rows(data.classes().size() + 1);
    for (std::size_t c = 0; c < data.classes().size(); ++c) rows[c].label = data.classes()[c];
    rows.back().label = "?";
    Network network(front_end.schema());
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (progress) progress(i, images.size());
        front_end.extract(data.image(images[i]), network);
        const int label = data.label(images[i]);
        rows[label < 0 ? rows.size() - 1 : static_cast<std::size_t>(label)].add(network);
    }
    FrontEndSummary summary;
    summary.all.label = "all";
    for (const NetworkCounts& row : rows) {
        if (row.images == 0) continue;
        summary.classes.push_back(row);
        summary.all.add(row);
    }
    return summary;
}

} // namespace sprig::lab

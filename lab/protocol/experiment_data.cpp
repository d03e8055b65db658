#include "lab/protocol/experiment_data.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

std::vector<std::size_t> range(std::size_t first, std::size_t end) {
    std::vector<std::size_t> indices(end - first);
    std::iota(indices.begin(), indices.end(), first);
    return indices;
}

std::vector<std::size_t> draw_classes(const Dataset& data, std::uint64_t seed, std::size_t count) {
    std::vector<std::size_t> classes = range(0, data.classes().size());
    if (count == 0) return classes;
    if (count > classes.size())
        throw usage_error(fmt::format("{} classes are to be drawn, but there are {}", count, classes.size()));
    random::shuffle(classes, seed, random::mix("the order of classes"));
    classes.resize(count);
    return classes;
}

bool passes(const Dataset& data, std::size_t image, const TopologyRule& rule, FrontEnd& front_end) {
    const Topology topology = front_end.topology(data.image(image));
    return rule.keeps(data.label_name(image), topology.components, topology.holes);
}

/// Which of the images pass the paper's filter.
std::vector<bool> passing(const Dataset& data, const std::vector<std::size_t>& images,
                          const Progress& progress) {
    FrontEnd front_end;
    const TopologyRule rule;
    std::vector<bool> result;
    for (const std::size_t i : images) {
        if (progress) progress(result.size(), images.size());
        result.push_back(passes(data, i, rule, front_end));
    }
    return result;
}

} // namespace

FilterResult filter(const Dataset& data, const TopologyRule& rule, FrontEnd& front_end,
                    const Progress& progress) {
    FilterResult result;
    result.images = data.size();
    for (const std::string& name : data.classes()) result.classes.push_back({name, 0, 0});
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (progress) progress(i, data.size());
        const bool keep = passes(data, i, rule, front_end);
        if (keep) result.kept.push_back(i);
        if (data.label(i) < 0) continue;
        FilterCount& count = result.classes[static_cast<std::size_t>(data.label(i))];
        ++count.images;
        if (keep) ++count.kept;
    }
    return result;
}

ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images) {
    ImagesByClass result(data.classes().size());
    for (const std::size_t i : images) {
        if (data.label(i) >= 0) result[static_cast<std::size_t>(data.label(i))].push_back(i);
    }
    return result;
}

Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
          std::size_t stream_per_class, std::size_t held_out_per_class, std::size_t drawn_classes) {
    const std::size_t needed = stream_per_class + held_out_per_class;
    ImagesByClass images = by_class(data, pool);
    Draw result;
    result.classes = draw_classes(data, seed, drawn_classes);
    for (const std::size_t c : result.classes) {
        std::vector<std::size_t>& of_class = images[c];
        if (of_class.size() < needed) {
            throw usage_error(fmt::format(
                "the pool has {} images of class {}, but {} are needed: {} for the stream and {} held out",
                of_class.size(), data.classes()[c], needed, stream_per_class, held_out_per_class));
        }
        random::shuffle(of_class, seed, random::mix("the order of a pool"));
        const auto split = of_class.begin() + static_cast<std::ptrdiff_t>(stream_per_class);
        const auto end = of_class.begin() + static_cast<std::ptrdiff_t>(needed);
        result.stream.emplace_back(of_class.begin(), split);
        result.held_out.emplace_back(split, end);
    }
    return result;
}

const char* name_of(Pool pool) {
    return pool == Pool::all ? "all" : "train";
}

const char* name_of(HeldOut held_out) {
    switch (held_out) {
    case HeldOut::paper:
        return "paper";
    case HeldOut::dev:
        return "dev";
    case HeldOut::t10k:
        return "t10k";
    }
    return "";
}

NetworksByClass extract(const Dataset& data, const ImagesByClass& images, FrontEnd& front_end,
                        const ChangeImage& change) {
    NetworksByClass result(images.size());
    for (std::size_t c = 0; c < images.size(); ++c)
        for (const std::size_t i : images[c])
            result[c].push_back(network_of(front_end, data.image(i), i, change));
    return result;
}

void DataOptions::check() const {
    if (held_out != HeldOut::paper && pool == Pool::all) {
        throw usage_error(fmt::format("with --held-out {} the stream is drawn from the training images: it "
                                      "goes with --pool train, not with --pool all",
                                      name_of(held_out)));
    }
}

std::size_t ExperimentData::large_size() const {
    std::size_t count = 0;
    if (large) {
        for (const auto& of_class : *large) count += of_class.size();
    }
    return count;
}

std::string DataOptions::source() const {
    return fmt::format("{}:{}{}", dataset, name_of(pool), filtered ? ", filtered" : "");
}

ExperimentData load_data(const DataOptions& options, const Progress& progress) {
    options.check();
    ExperimentData data{
        load_dataset(fmt::format("{}:{}", options.dataset, name_of(options.pool))), {}, options};
    const auto limited = [&](std::size_t count, std::size_t limit) {
        return options.limit == 0 ? count : std::min(count, limit);
    };
    const bool is_dev = options.held_out == HeldOut::dev;
    const std::size_t first = is_dev ? first_dev_image : 0;
    if (options.held_out == HeldOut::t10k) data.test = load_dataset(options.dataset + ":t10k");
    if (options.held_out != HeldOut::paper) {
        const std::size_t count = limited(data.held_out_data().size() - first, options.limit);
        data.held_out = range(first, first + count);
        data.passes_filter = passing(data.held_out_data(), data.held_out, progress);
    }
    data.pool = range(0, limited(is_dev ? first : data.dataset.size(), 20 * options.limit));
    if (options.filtered) {
        const std::vector<bool> passes = passing(data.dataset, data.pool, progress);
        std::erase_if(data.pool, [&](std::size_t i) { return !passes[i]; });
    }
    return data;
}

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

#include "lab/material.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

std::vector<std::size_t> chosen(const Dataset& data, bool filtered, const Progress& progress) {
    if (filtered) {
        FrontEnd front_end;
        return filter(data, TopologyRule{}, front_end, progress).kept;
    }
    std::vector<std::size_t> all(data.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

/// An accuracy by class needs images of each class.
NetworksByClass extract_large(const Dataset& data, std::span<const std::size_t> images,
                              const FrontEndParams& params, const Progress& progress) {
    FrontEnd front_end(params);
    const ImagesByClass sorted = by_class(data, images);
    for (std::size_t c = 0; c < sorted.size(); ++c) {
        if (sorted[c].empty())
            throw usage_error(fmt::format("the held-out set has no image of class {}", data.classes()[c]));
    }
    return extract(data, sorted, front_end, progress);
}

} // namespace

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
                        const Progress& progress) {
    std::size_t count = 0;
    for (const auto& of_class : images) count += of_class.size();
    NetworksByClass result(images.size());
    std::size_t done = 0;
    for (std::size_t c = 0; c < images.size(); ++c) {
        result[c].reserve(images[c].size());
        for (const std::size_t i : images[c]) {
            if (progress) progress(done++, count);
            result[c].push_back(front_end(data.image(i)));
        }
    }
    return result;
}

void MaterialOptions::check() const {
    if (held_out != HeldOut::paper && pool == Pool::all) {
        throw usage_error(fmt::format("with --held-out {} the stream is drawn from the training images: it "
                                      "goes with --pool train, not with --pool all",
                                      name_of(held_out)));
    }
}

std::size_t Material::large_size() const {
    std::size_t count = 0;
    if (large) {
        for (const auto& of_class : *large) count += of_class.size();
    }
    return count;
}

std::vector<std::size_t> split_off(std::vector<std::size_t>& pool, std::size_t first) {
    const auto split =
        std::stable_partition(pool.begin(), pool.end(), [&](std::size_t i) { return i < first; });
    std::vector<std::size_t> rest(split, pool.end());
    pool.erase(split, pool.end());
    return rest;
}

Material load_material(const MaterialOptions& options, const FrontEndParams& front_end,
                       const Progress& progress) {
    options.check();
    const std::string address = fmt::format("{}:{}", options.dataset, name_of(options.pool));
    Material material{load_dataset(address), {}, front_end};
    material.source = address + (options.filtered ? ", filtered" : "");
    material.pool = chosen(material.data, options.filtered, progress);
    if (options.held_out == HeldOut::dev) {
        const std::vector<std::size_t> dev = split_off(material.pool, first_dev_image);
        material.large = extract_large(material.data, dev, front_end, progress);
    } else if (options.held_out == HeldOut::t10k) {
        const Dataset test = load_dataset(options.dataset + ":t10k");
        material.large = extract_large(test, chosen(test, options.filtered, progress), front_end, progress);
    }
    return material;
}

} // namespace sprig::lab

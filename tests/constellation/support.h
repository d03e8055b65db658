#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "constellation/observation_features.h"
#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/front_end.h"
#include "support/renumbered.h"

// Small networks: made by hand, random, and from MNIST.

namespace sprig::test {

struct Dot {
    std::uint32_t type = 0;
    double x = 0;
    double y = 0;
    double persistence = 3;
    double sharpness = 0.75;
};

inline std::shared_ptr<const Schema> two_directions() {
    static const auto schema = front_end_schema({});
    return schema;
}

/// A network with the paper's two directions. Each of `rings` lists the nodes of a contour in order.
inline Network network_of(const std::vector<Dot>& dots, const std::vector<std::vector<NodeId>>& rings = {}) {
    Network network(two_directions());
    for (const Dot& dot : dots)
        network.add_node(dot.type, std::vector{dot.x, dot.y},
                         std::vector{dot.persistence, dot.sharpness, 0.0});
    for (const std::vector<NodeId>& ring : rings)
        for (std::size_t i = 0; i < ring.size(); ++i) network.link(ring[i], ring[(i + 1) % ring.size()]);
    return network;
}

/// One contour of nodes of the given types, 4 px apart.
inline Network row_of(const std::vector<std::uint32_t>& types) {
    std::vector<Dot> dots;
    std::vector<NodeId> ring;
    for (const std::uint32_t type : types) {
        ring.push_back(static_cast<NodeId>(dots.size()));
        dots.push_back({type, 4.0 * static_cast<double>(dots.size()), 5});
    }
    return network_of(dots, {ring});
}

/// A seeded random number generator.
class Random {
  public:
    explicit Random(std::uint64_t seed) : random_(seed) {}

    std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_() % n); }
    double between(double low, double high) {
        return low + ((high - low) * static_cast<double>(random_() >> 11U) * 0x1p-53);
    }
    std::mt19937_64& engine() { return random_; }

  private:
    std::mt19937_64 random_;
};

/// At most `max_nodes` nodes at random positions, in contours of random length; a few are in none.
inline Network random_network(Random& random, std::uint32_t max_nodes, std::uint32_t types = 3) {
    std::vector<Dot> dots(random.below(max_nodes + 1));
    std::vector<std::vector<NodeId>> rings(1);
    for (NodeId n = 0; n < dots.size(); ++n) {
        dots[n] = {random.below(types), random.between(0, 20), random.between(0, 20), random.between(0.5, 15),
                   random.between(0, 1.4)};
        if (random.below(6) == 0) continue;
        if (random.below(5) == 0) rings.emplace_back();
        rings.back().push_back(n);
    }
    return network_of(dots, rings);
}

struct Sample {
    Network network;
    std::string label;
};
using Stream = std::vector<Sample>;

/// Generates samples of classes with two templates each. Nodes of a template move, may be absent, and other
/// nodes are added. There are few types, so that classes are confused with one another.
class StreamMaker {
  public:
    StreamMaker(std::uint64_t seed, std::uint32_t classes) : random_(seed), templates_(2U * classes) {
        for (std::vector<Dot>& nodes : templates_) {
            nodes.resize(4 + random_.below(5));
            for (Dot& dot : nodes) dot = anywhere();
        }
    }

    Sample next() {
        const auto index = random_.below(templates_.size());
        std::vector<Dot> dots;
        for (Dot dot : templates_[index]) {
            if (random_.below(10) == 0) continue;
            dot.x += random_.between(-1.5, 1.5);
            dot.y += random_.between(-1.5, 1.5);
            dot.persistence *= random_.between(0.8, 1.25);
            dot.sharpness += random_.between(-0.1, 0.1);
            dots.push_back(dot);
        }
        if (random_.below(3) == 0) dots.push_back(anywhere());
        std::vector<NodeId> ring(dots.size());
        for (NodeId n = 0; n < ring.size(); ++n) ring[n] = n;
        return {network_of(dots, {ring}), std::string(1, static_cast<char>('a' + (index / 2)))};
    }

  private:
    Dot anywhere() {
        return {random_.below(4), random_.between(0, 20), random_.between(0, 20), random_.between(1, 12),
                random_.between(0.2, 1.2)};
    }

    Random random_;
    std::vector<std::vector<Dot>> templates_;
};

inline Stream random_stream(std::uint64_t seed, std::size_t length, std::uint32_t classes = 3) {
    StreamMaker maker(seed, classes);
    Stream stream;
    for (std::size_t i = 0; i < length; ++i) stream.push_back(maker.next());
    return stream;
}

/// The first images of MNIST as networks.
inline Stream mnist_stream(const FrontEndParams& params, std::size_t count) {
    static const Dataset data = load_dataset("mnist:train:0-1999");
    FrontEnd front_end(params);
    Stream samples;
    for (std::size_t i = 0; i < count; ++i)
        samples.push_back(
            {front_end(data.image(i)), data.classes()[static_cast<std::size_t>(data.label(i))]});
    return samples;
}

inline void learn(Learner& learner, const Stream& stream) {
    for (const Sample& sample : stream) learner.learn(sample.network, sample.label);
}

/// The value of a feature of a node. The feature must have a positive weight.
inline double feature_of(const constellation::ObservationFeatures& observed, std::size_t i,
                         constellation::Feature feature) {
    const auto& all = observed.set().features;
    return observed.features(i)[std::find(all.begin(), all.end(), feature) - all.begin()];
}

} // namespace sprig::test

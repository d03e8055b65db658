#pragma once

#include <random>
#include <string>
#include <vector>

#include "sprig/data.h"
#include "sprig/front_end.h"
#include "sprig/modeller.h"
#include "support/renumbered.h"

// Small networks: made by hand, random, and from MNIST.

namespace sprig::test {

struct Dot {
    std::uint32_t type = 0;
    double x = 0;
    double y = 0;
};
struct Line {
    NodeId from = 0;
    NodeId to = 0;
    std::uint32_t layer = 0;
};

inline Network network_of(const std::vector<Dot>& dots, const std::vector<Line>& lines) {
    static const auto schema = front_end_schema({});
    Network network(schema);
    for (const Dot& dot : dots) network.add_node(dot.type, std::vector<double>{dot.x, dot.y});
    for (const Line& line : lines) network.add_edge({line.from, line.to, line.layer, 0, 0});
    return network;
}

/// A row of nodes of the given types, 4 px apart; each is joined to the next in layer 0.
inline Network row_of(const std::vector<std::uint32_t>& types) {
    std::vector<Dot> dots;
    std::vector<Line> lines;
    for (const std::uint32_t type : types) {
        if (!dots.empty()) {
            const auto last = static_cast<NodeId>(dots.size() - 1);
            lines.push_back({last, last + 1, 0});
        }
        dots.push_back({type, 4.0 * static_cast<double>(dots.size()), 5});
    }
    return network_of(dots, lines);
}

struct Sample {
    Network network;
    std::string label;
};
using Stream = std::vector<Sample>;

/// Generates random streams of small networks. Three classes share one template of a few nodes and edges, and
/// each lacks a different node of it. Single parts are missing or moved at random. There are few types, so
/// that units of all classes are easily confused.
class StreamMaker {
  public:
    explicit StreamMaker(std::uint64_t seed) : random_(seed) {
        for (std::uint32_t n = 0; n < nodes; ++n) {
            dots_.push_back({below(3), 2.0 * below(14), 2.0 * below(14)});
            for (std::uint32_t other = 0; other < nodes; ++other) {
                if (other != n && below(4) == 0) lines_.push_back({n, other, below(2)});
            }
        }
    }

    Sample next() {
        const std::uint32_t label = below(3);
        std::vector<Dot> dots;
        std::vector<NodeId> index(nodes, no_node);
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (n == label ? below(20) != 0 : below(20) == 0) continue;
            index[n] = static_cast<NodeId>(dots.size());
            dots.push_back({dots_[n].type, dots_[n].x + below(4), dots_[n].y + below(4)});
        }
        std::vector<Line> lines;
        for (const Line& line : lines_) {
            if (index[line.from] == no_node || index[line.to] == no_node || below(25) == 0) continue;
            lines.push_back({index[line.from], index[line.to], line.layer});
        }
        return {network_of(dots, lines), std::string(1, static_cast<char>('a' + label))};
    }

  private:
    static constexpr std::uint32_t nodes = 7;

    std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_() % n); }

    std::mt19937_64 random_;
    std::vector<Dot> dots_;
    std::vector<Line> lines_;
};

inline Stream random_stream(std::uint64_t seed, std::size_t length) {
    StreamMaker maker(seed);
    Stream stream;
    for (std::size_t i = 0; i < length; ++i) stream.push_back(maker.next());
    return stream;
}

/// The first images of MNIST as networks.
inline const Stream& mnist_stream() {
    static const Stream stream = [] {
        const Dataset data = load_dataset("mnist:train:0-399");
        FrontEnd front_end;
        Stream samples;
        for (std::size_t i = 0; i < data.size(); ++i) {
            samples.push_back(
                {front_end(data.image(i)), data.classes()[static_cast<std::size_t>(data.label(i))]});
        }
        return samples;
    }();
    return stream;
}

/// Learns the first `count` of them.
inline void learn_mnist(Learner& learner, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) learner.learn(mnist_stream()[i].network, mnist_stream()[i].label);
}

} // namespace sprig::test

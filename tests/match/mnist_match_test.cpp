// No search in networks of MNIST gives up. Uses a sample or, with SPRIG_EXHAUSTIVE, all images.

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "match/full_search.h"
#include "match/problems.h"
#include "sprig/data.h"
#include "sprig/front_end.h"
#include "support/exhaustive.h"

namespace sprig::match {
namespace {

using namespace test;

constexpr std::size_t sample = 2'000;

/// The work of all searches of one kind.
struct Effort {
    std::string_view kind;
    WorkCounts total = {};
    std::uint64_t found = 0;
    std::uint64_t max_visited = 0; ///< in one search
    std::string worst = {};

    [[nodiscard]] std::string report() const {
        return fmt::format("{}: {} searches, {} found, {} gave up, at most {} placements tried ({})", kind,
                           total.searches, found, total.gave_up, max_visited, worst);
    }
};

/// Searches for a pattern without anchors; its placement is in `placed`.
class Finder {
  public:
    bool operator()(const Pattern& pattern, const Observation& observation, const std::string& name,
                    Effort& effort) {
        WorkCounts work;
        const bool found = search_({pattern, observation}, placed, work);
        effort.total += work;
        effort.found += found ? 1 : 0;
        if (work.visited > effort.max_visited) {
            effort.max_visited = work.visited;
            effort.worst = name;
        }
        return found;
    }

    std::vector<std::uint32_t> placed;

  private:
    FullSearch search_;
};

Pattern whole(const Network& network) {
    return pattern_of(network, network.node_count());
}

/// Removes few or many nodes and edges. Patterns with few edges are the hardest to place.
Network randomly_thinned(const Network& network, std::uint64_t key) {
    Draws draws(key);
    const double node_loss = 0.1 * draws.below(6);
    const double edge_loss = std::array{0.0, 0.3, 0.6, 0.8, 0.9, 1.0}[draws.below(6)];
    return thinned(network, node_loss, edge_loss, draws);
}

TEST(MnistMatch, NoSearchGivesUp) {
    const Dataset data = load_dataset(exhaustive() ? "mnist:all" : "mnist:train");
    const std::size_t count = exhaustive() ? data.size() : sample;
    FrontEnd front_end;
    Finder find;
    std::array<Effort, 4> efforts = {Effort{"in itself"}, Effort{"in the next of its class"},
                                     Effort{"thinned, in itself"}, Effort{"thinned, in the next"}};
    std::vector<Network> previous(data.classes().size(), Network(front_end.schema())); // by class
    std::vector<Network> thin = previous;
    Observation observation;
    for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
        const std::string name = data.name(i);
        SCOPED_TRACE(name);
        const auto label = static_cast<std::size_t>(data.label(i));
        const Network network = front_end(data.image(i));
        observation.assign(network);
        const Pattern itself = whole(network);
        ASSERT_TRUE(find(itself, observation, name, efforts[0]));
        EXPECT_EQ(placement_cost({itself, observation}, find.placed), 0);
        find(whole(previous[label]), observation, name, efforts[1]);
        find(whole(thin[label]), observation, name, efforts[3]);
        previous[label] = network;
        thin[label] = randomly_thinned(network, random::mix({41, i}));
        const Pattern part = whole(thin[label]);
        ASSERT_TRUE(find(part, observation, name, efforts[2]));
        EXPECT_EQ(placement_cost({part, observation}, find.placed), 0);
    }
    for (const Effort& effort : efforts) {
        EXPECT_EQ(effort.total.gave_up, 0U) << effort.report();
        EXPECT_EQ(effort.total.searches, count);
        fmt::print("{}\n", effort.report());
    }
}

} // namespace
} // namespace sprig::match

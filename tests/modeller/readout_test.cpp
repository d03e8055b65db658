// The scores of a reader, compared with an independent implementation of the paper's formulas and with
// results computed by hand on tiny models.

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <gmock/gmock.h>

#include "modeller/testing.h"
#include "support.h"

namespace sprig {
namespace {

using modeller::ClassModel;
using modeller::NodeSlot;
using modeller::Testing;
using modeller::Unit;
using modeller::UnitId;
using test::learn_mnist;
using test::mnist_stream;
using test::row_of;

constexpr std::size_t held_out = 300; ///< samples before this index are learned, later ones are predicted

ModellerParams with_read_out(std::string_view read_out, std::string_view chains) {
    ModellerParams params = modeller_preset("paper");
    set_parameter(params, "read_out", read_out);
    set_parameter(params, "chains", chains);
    return params;
}

/// A model shared by all tests that only read.
Modeller& learned() {
    static Modeller modeller(modeller_preset("paper"));
    if (modeller.steps() == 0) learn_mnist(modeller, held_out);
    return modeller;
}

void expect_adds_up(Explanation explanation, std::mt19937_64& random) {
    for (int order = 0; order < 3; ++order) {
        std::vector<double> sums(explanation.prediction.scores.size(), 0);
        for (const Contribution& part : explanation.contributions) sums.at(part.label) += part.value;
        EXPECT_EQ(sums, explanation.prediction.scores);
        std::shuffle(explanation.contributions.begin(), explanation.contributions.end(), random);
    }
}

TEST(ReadOut, ContributionsAddUpToTheScoresInAnyOrder) {
    std::mt19937_64 random(1); // NOLINT: the same numbers every time
    for (const char* chains : {"anchored", "unified"}) {
        for (const char* read_out : {"geometric", "student", "presence", "graded", "precedence"}) {
            SCOPED_TRACE(std::string(read_out) + ", " + chains);
            const std::unique_ptr<Reader> reader = learned().reader(with_read_out(read_out, chains));
            bool has_margin = false;
            for (std::size_t i = held_out; i < held_out + 40; ++i) {
                const Explanation explanation = reader->explain(mnist_stream()[i].network);
                EXPECT_EQ(explanation.contributions.size(), learned().model_size().total());
                EXPECT_EQ(reader->predict(mnist_stream()[i].network).scores, explanation.prediction.scores);
                has_margin = has_margin || explanation.prediction.margin > 0;
                expect_adds_up(explanation, random);
            }
            EXPECT_TRUE(has_margin);
        }
    }
}

/// The observed node assigned to each node slot of a class, as a reader reports it.
std::map<NodeSlot, NodeId> places(const ClassModel& model, const std::map<Lineage, Contribution>& parts) {
    std::map<NodeSlot, NodeId> at;
    for (const UnitId id : model.in_order()) {
        const Unit& unit = model.unit(id);
        const Contribution& part = parts.at(unit.lineage);
        if (!part.present) continue;
        for (std::size_t i = 0; i < unit.nodes.size(); ++i) at[unit.nodes[i].slot] = part.placed.at(i);
    }
    return at;
}

std::map<Lineage, Contribution> by_unit(const Explanation& explanation) {
    std::map<Lineage, Contribution> parts;
    for (const Contribution& part : explanation.contributions) parts[part.unit] = part;
    return parts;
}

TEST(ReadOut, AssignmentsAreValid) {
    const std::unique_ptr<Reader> reader = learned().reader();
    std::size_t placed_edges = 0;
    for (std::size_t i = held_out; i < held_out + 60; ++i) {
        const Network& network = mnist_stream()[i].network;
        const std::map<Lineage, Contribution> parts = by_unit(reader->explain(network));
        std::set<std::tuple<NodeId, NodeId, std::uint32_t>> edges;
        for (const Edge& edge : network.edges()) edges.insert({edge.from, edge.to, edge.layer});
        for (std::size_t k = 0; k < reader->classes().size(); ++k) {
            const ClassModel& model = Testing::class_model(learned(), k);
            const std::map<NodeSlot, NodeId> at = places(model, parts);
            for (const UnitId id : model.in_order()) {
                const Unit& unit = model.unit(id);
                const Contribution& part = parts.at(unit.lineage);
                EXPECT_EQ(part.label, k);
                EXPECT_EQ(part.placed.size(), part.present ? unit.nodes.size() : 0U);
                if (!part.present) continue;
                for (std::size_t n = 0; n < unit.nodes.size(); ++n) {
                    EXPECT_EQ(network.type(part.placed[n]), unit.nodes[n].type);
                }
                for (const modeller::EdgeRecord& edge : unit.edges) {
                    EXPECT_TRUE(edges.contains({at.at(edge.from), at.at(edge.to), edge.layer}));
                    ++placed_edges;
                }
                std::set<NodeId> chain; // one-to-one along the whole chain
                std::size_t nodes = 0;
                for (const Unit* u = &unit;; u = &model.unit(u->target)) {
                    for (const modeller::NodeRecord& node : u->nodes) chain.insert(at.at(node.slot));
                    nodes += u->nodes.size();
                    if (u->target == modeller::no_unit) break;
                }
                EXPECT_EQ(chain.size(), nodes);
            }
        }
    }
    EXPECT_GT(placed_edges, 100U);
}

// The paper's read-out, implemented from its formulas without shared code.

double log_density(double at, double n, double mean, double m2) {
    const double sigma = std::sqrt((m2 / n) + (1.5 * 1.5));
    const double z = (at - mean) / sigma;
    return (-0.5 * z * z) - std::log(sigma);
}

double cosine_of_twice_the_deviation(double theta, const modeller::Axial& axial) {
    constexpr double pi = std::numbers::pi;
    const double mean = 0.5 * std::atan2(axial.sine, axial.cosine);
    const double delta = std::fmod(std::abs(theta - mean), pi);
    return std::cos(2 * std::min(delta, pi - delta));
}

double reference_value(const Unit& unit, const ClassModel& model, bool present, const Network& network,
                       const std::map<NodeSlot, NodeId>& at) {
    const auto own = static_cast<double>(unit.fired_own);
    const auto all = static_cast<double>(unit.fired);
    const auto steps_own = static_cast<double>(model.own - unit.seen_own_before);
    const auto steps = static_cast<double>(model.observed - unit.seen_before);
    const double rate_own = (own + 0.5) / (steps_own + 1);
    const double rate_foreign = (all - own + 0.5) / (steps - steps_own + 1);
    if (!present) return std::log((1 - rate_own) / (1 - rate_foreign));
    double value = std::log(rate_own / rate_foreign);
    for (const modeller::NodeRecord& node : unit.nodes) {
        if (node.own.n < 2 || node.pool.n < 2) continue;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double where = network.coordinate(at.at(node.slot), axis);
            value += 3.0 * (log_density(where, node.own.n, node.own.mean[axis], node.own.m2[axis]) -
                            log_density(where, node.pool.n, node.pool.mean[axis], node.pool.m2[axis]));
        }
    }
    for (const modeller::EdgeRecord& edge : unit.edges) {
        if (edge.own.n < 2 || edge.pool.n < 2) continue;
        const NodeId from = at.at(edge.from);
        const NodeId to = at.at(edge.to);
        const double theta = std::atan2(network.coordinate(to, 1) - network.coordinate(from, 1),
                                        network.coordinate(to, 0) - network.coordinate(from, 0));
        value += 1.0 * 2.0 *
                 (cosine_of_twice_the_deviation(theta, edge.own) -
                  cosine_of_twice_the_deviation(theta, edge.pool));
    }
    return value;
}

TEST(ReadOut, GeometricMatchesThePaper) {
    const std::unique_ptr<Reader> reader = learned().reader(with_read_out("geometric", "anchored"));
    std::size_t present = 0;
    for (std::size_t i = held_out; i < held_out + 60; ++i) {
        const Network& network = mnist_stream()[i].network;
        const Explanation explanation = reader->explain(network);
        const std::map<Lineage, Contribution> parts = by_unit(explanation);
        for (std::size_t k = 0; k < reader->classes().size(); ++k) {
            const ClassModel& model = Testing::class_model(learned(), k);
            const std::map<NodeSlot, NodeId> at = places(model, parts);
            double score = 0;
            for (const UnitId id : model.in_order()) {
                const Contribution& part = parts.at(model.unit(id).lineage);
                const double expected = reference_value(model.unit(id), model, part.present, network, at);
                EXPECT_NEAR(part.value, expected, 1e-7 * (1 + std::abs(expected)));
                score += expected;
                present += part.present ? 1U : 0U;
            }
            EXPECT_NEAR(explanation.prediction.scores[k], score, 1e-6 * (1 + std::abs(score)));
        }
    }
    EXPECT_GT(present, 300U);
}

TEST(ReadOut, StatisticsAreCorrect) {
    // One unit that matches every sample; its moments follow from the textbook formulas.
    Modeller modeller(modeller_preset("paper"));
    const std::vector<double> xs = {1, 2, 4, 3};
    for (const double x : xs) modeller.learn(test::network_of({{0, x, 5}, {1, x + 4, 5}}, {{0, 1, 0}}), "a");
    const ClassModel& model = Testing::class_model(modeller, 0);
    const modeller::NodeRecord& node = model.unit(model.top_level().at(0)).nodes.at(0);
    EXPECT_EQ(node.own.n, 4);
    EXPECT_NEAR(node.own.mean[0], 2.5, 1e-12);
    EXPECT_NEAR(node.own.m2[0], 5, 1e-12);
    EXPECT_NEAR(node.own.m2[1], 0, 1e-12);
    EXPECT_EQ(node.pool.n, 4);
    const modeller::EdgeRecord& edge = model.unit(model.top_level().at(0)).edges.at(0);
    EXPECT_EQ(edge.own.cosine, 4) << "four times angle 0";
    EXPECT_EQ(edge.own.sine, 0);
}

TEST(ReadOut, ImmatureUnitsDoNotContribute) {
    ModellerParams params = with_read_out("geometric", "anchored");
    const std::unique_ptr<Reader> all = learned().reader(params);
    params.maturity = 10;
    const std::unique_ptr<Reader> mature = learned().reader(params);
    std::map<Lineage, std::uint64_t> observations;
    for (const UnitView& unit : learned().units()) observations[unit.lineage] = unit.observations();
    std::size_t contributing = 0;
    for (std::size_t i = held_out; i < held_out + 20; ++i) {
        const Explanation expected = all->explain(mnist_stream()[i].network);
        const Explanation found = mature->explain(mnist_stream()[i].network);
        ASSERT_EQ(found.contributions.size(), expected.contributions.size());
        for (std::size_t u = 0; u < found.contributions.size(); ++u) {
            const Contribution& part = found.contributions[u];
            const bool is_mature = observations.at(part.unit) >= 10;
            EXPECT_EQ(part.value, is_mature ? expected.contributions[u].value : 0);
            EXPECT_EQ(part.present, expected.contributions[u].present)
                << "it is still matched, for its upstreams";
            contributing += is_mature ? 1U : 0U;
        }
    }
    EXPECT_GT(contributing, 0U);
    EXPECT_LT(contributing, 20 * learned().model_size().total());
    EXPECT_EQ(contributing, 20 * learned().model_size(10).total());
}

TEST(ReadOut, SuppressorsCanBeIgnored) {
    ModellerParams params = with_read_out("geometric", "anchored");
    const std::unique_ptr<Reader> all = learned().reader(params);
    params.read_suppressors = false;
    const std::unique_ptr<Reader> positive = learned().reader(params);
    std::map<Lineage, Polarity> polarity;
    for (const UnitView& unit : learned().units()) polarity[unit.lineage] = unit.polarity;
    const Explanation expected = all->explain(mnist_stream()[held_out].network);
    const Explanation found = positive->explain(mnist_stream()[held_out].network);
    ASSERT_EQ(found.contributions.size(), expected.contributions.size());
    std::size_t ignored = 0;
    for (std::size_t u = 0; u < found.contributions.size(); ++u) {
        const Contribution& part = found.contributions[u];
        const bool is_negative = polarity.at(part.unit) == Polarity::negative;
        EXPECT_EQ(part.value, is_negative ? 0 : expected.contributions[u].value);
        ignored += is_negative ? 1U : 0U;
    }
    EXPECT_GT(ignored, 0U);
}

TEST(ReadOut, TreesOfOneClassCanBeAveraged) {
    ModellerParams params = with_read_out("geometric", "anchored");
    const std::unique_ptr<Reader> sum = learned().reader(params);
    params.average_trees = true;
    const std::unique_ptr<Reader> mean = learned().reader(params);
    std::set<Lineage> top_level;
    for (const UnitView& unit : learned().units()) {
        if (unit.depth == 1) top_level.insert(unit.lineage);
    }
    double most = 0;
    std::mt19937_64 random(1); // NOLINT: the same numbers every time
    for (std::size_t i = held_out; i < held_out + 20; ++i) {
        const Explanation expected = sum->explain(mnist_stream()[i].network);
        const Explanation found = mean->explain(mnist_stream()[i].network);
        std::map<std::size_t, double> trees;
        for (const Contribution& part : expected.contributions) {
            if (part.present && top_level.contains(part.unit)) most = std::max(most, ++trees[part.label]);
        }
        for (std::size_t u = 0; u < found.contributions.size(); ++u) {
            const Contribution& part = expected.contributions[u];
            EXPECT_NEAR(found.contributions[u].value, part.value / std::max(1.0, trees[part.label]), 1e-9);
        }
        expect_adds_up(found, random);
    }
    EXPECT_GT(most, 2) << "otherwise the test is void";
}

/// Two classes; class "a" has a unit 0-1 with a suppressor 0-1-2 and a positive upstream 0-1-3, and a
/// suppressor of that suppressor, 2-4. Counts are set by hand.
class TinyModel : public testing::Test {
  protected:
    TinyModel() {
        modeller.learn(row_of({0, 1}), "a");
        modeller.learn(row_of({6, 6, 6}), "b");
        ClassModel& a = Testing::class_model(modeller, 0);
        base = a.top_level().at(0);
        a.observed = 100;
        a.own = 50;
        against = create_unit(a, base, modeller::Birth::negative, 2, a.unit(base).nodes[1].slot);
        in_favour = create_unit(a, base, modeller::Birth::positive, 3, a.unit(base).nodes[1].slot);
        double_negative =
            create_unit(a, against, modeller::Birth::negative, 4, a.unit(against).nodes[0].slot);
        set(base, 30, 10);
        set(against, 8, 1);
        set(in_favour, 20, 3);
        set(double_negative, 4, 0);
    }
    static UnitId create_unit(ClassModel& a, UnitId target, modeller::Birth birth, std::uint32_t type,
                              NodeSlot on) {
        modeller::UnitContent content;
        content.nodes.emplace_back().type = type;
        content.edges.push_back({1, 0, 0, {}});
        content.anchors.push_back(on);
        return a.create_unit(target, birth, 2, content);
    }
    void set(UnitId id, std::uint64_t active, std::uint64_t inactive) {
        Testing::class_model(modeller, 0).mutable_unit(id).active = active;
        Testing::class_model(modeller, 0).mutable_unit(id).inactive = inactive;
    }
    double score(const char* read_out, const Network& network) {
        modeller.check();
        return modeller.reader(with_read_out(read_out, "anchored"))->predict(network).scores.at(0);
    }
    /// log-odds of `active` of `active + inactive`, half an observation added to each.
    static double log_odds(double active, double inactive) {
        return std::log((active + 0.5) / (inactive + 0.5));
    }

    Modeller modeller{with_read_out("presence", "anchored")};
    UnitId base = 0;
    UnitId against = 0;
    UnitId in_favour = 0;
    UnitId double_negative = 0;
};

TEST_F(TinyModel, PresenceAddsUpLogOdds) {
    // Two classes: the base rate is 1/2, whose log-odds are 0.
    const double alone = log_odds(30, 10);
    EXPECT_NEAR(score("presence", row_of({0, 1})), alone, 1e-8);
    EXPECT_EQ(score("presence", row_of({6, 6})), 0) << "absence is no evidence";
    const Network suppressed = row_of({0, 1, 2});
    EXPECT_NEAR(score("presence", suppressed), alone - log_odds(8, 1), 1e-8);
    EXPECT_NEAR(score("presence", row_of({0, 1, 3})), alone + log_odds(20, 3), 1e-8);
    const Network doubted = row_of({0, 1, 2, 4});
    EXPECT_NEAR(score("presence", doubted), alone, 1e-8) << "a suppressor with negative evidence is ignored";
    set(double_negative, 2, 1);
    EXPECT_NEAR(score("presence", doubted), alone - (log_odds(8, 1) - log_odds(2, 1)), 1e-8)
        << "evidence against a suppressor is evidence for the class";
}

TEST_F(TinyModel, PresenceUsesTheBestTree) {
    ClassModel& a = Testing::class_model(modeller, 0);
    modeller::UnitContent content;
    content.nodes.emplace_back().type = 0;
    const UnitId second = a.create_unit(modeller::no_unit, modeller::Birth::positive, 3, content);
    set(second, 50, 10);
    EXPECT_NEAR(score("presence", row_of({0, 1})), log_odds(50, 10), 1e-8) << "the better one, not the sum";
    set(second, 20, 10);
    EXPECT_NEAR(score("presence", row_of({0, 1})), log_odds(30, 10), 1e-8);
}

TEST_F(TinyModel, PresenceIsRelativeToTheBaseRate) {
    const double before = score("presence", row_of({0, 1}));
    modeller.learn(row_of({7, 7, 7}), "c");
    set(base, 30, 10);
    // logit(1/3) = -log 2
    EXPECT_NEAR(score("presence", row_of({0, 1})), before + std::log(2.0), 1e-8);
}

TEST_F(TinyModel, PrecedenceUsesTheStrongestUpstream) {
    EXPECT_NEAR(score("precedence", row_of({0, 1})), log_odds(30, 10), 1e-8);
    EXPECT_NEAR(score("precedence", row_of({0, 1, 2})), -log_odds(8, 1), 1e-8);
    EXPECT_NEAR(score("precedence", row_of({0, 1, 3})), log_odds(20, 3), 1e-8);
    EXPECT_NEAR(score("precedence", row_of({0, 1, 2, 4})), log_odds(30, 10), 1e-8)
        << "a suppressor that is itself suppressed is ignored";
}

TEST_F(TinyModel, GradedUsesPartialMatches) {
    // One node of two, no edge of one: nothing.
    EXPECT_EQ(score("graded", row_of({0, 6})), 0);
    EXPECT_NEAR(score("graded", row_of({0, 1})), log_odds(30, 10), 1e-8);
    // A unit of three nodes and two edges, of which two nodes and one edge match: half.
    const std::unique_ptr<Reader> reader = modeller.reader(with_read_out("graded", "anchored"));
    const Explanation explanation = reader->explain(row_of({6, 6}));
    for (const Contribution& part : explanation.contributions) {
        if (part.label != 1) continue;
        EXPECT_FALSE(part.present);
        EXPECT_NEAR(part.value, 0.5 * log_odds(1, 0), 1e-8);
    }
}

TEST_F(TinyModel, GeometryNeedsTwoObservations) {
    // The nodes have one observation, so only the firing rates count.
    const Unit& unit = Testing::class_model(modeller, 0).unit(base);
    ASSERT_EQ(unit.nodes[0].own.n, 1);
    const Network here = row_of({0, 1});
    const Network there = test::network_of({{0, 20, 25}, {1, 24, 25}}, {{0, 1, 0}});
    EXPECT_EQ(score("geometric", here), score("geometric", there));
    EXPECT_EQ(score("student", here), score("student", there));
}

} // namespace
} // namespace sprig

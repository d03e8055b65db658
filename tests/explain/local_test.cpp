#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;
using testing::HasSubstr;

constexpr std::size_t images = 30;

/// Removes one node from a network by editing its JSON: an independent check of `remove_nodes`.
Network remove_node_in_json(const Network& network, NodeId removed) {
    nlohmann::json json = nlohmann::json::parse(to_json(network));
    const auto renamed = [&](std::size_t node) { return node > removed ? node - 1 : node; };
    nlohmann::json& nodes = json["nodes"];
    if (nodes[removed].contains("next")) {
        const std::size_t next = nodes[removed]["next"];
        const std::size_t previous = nodes[removed]["previous"];
        nodes[previous]["next"] = next;
        nodes[next]["previous"] = previous;
    }
    nodes.erase(removed);
    for (nlohmann::json& node : nodes)
        for (const char* way : {"next", "previous"})
            if (node.contains(way)) node[way] = renamed(node[way]);
    nlohmann::json edges = nlohmann::json::array();
    for (nlohmann::json edge : json["edges"]) {
        if (edge["from"] == removed || edge["to"] == removed) continue;
        edge["from"] = renamed(edge["from"]);
        edge["to"] = renamed(edge["to"]);
        edges.push_back(edge);
    }
    json["edges"] = edges;
    return network_from_json(json.dump());
}

template <typename Check>
void for_images(Check check) {
    for (const Learner* learner : both())
        for (std::size_t image = test::learned; image < test::learned + images; ++image)
            check(*learner, explain_local(*learner, test::network_of(*learner, image), {.max_additions = 0}));
}

TEST(LocalExplanations, ContributionsAddUpToTheScoreExactly) {
    for_images([](const Learner&, const LocalExplanation& all) {
        for (const ScoredClass* part : {&*all.best, &*all.other}) {
            double sum = 0;
            for (const ScoredUnit& unit : part->units) {
                sum += unit.contribution.value;
                EXPECT_EQ(unit.unit.lineage, unit.contribution.unit);
                EXPECT_EQ(unit.unit.label, part->label);
            }
            EXPECT_EQ(sum, part->score);
        }
    });
}

TEST(LocalExplanations, ConstellationNodesAddUpToTheLikelihoodAndUnitsToTheMixture) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        if (learner.name() != "constellation") return;
        for (const ScoredClass* part : {&*all.best, &*all.other}) {
            double mixture = 0;
            double shares = 0;
            for (const ScoredUnit& unit : part->units) {
                double nodes = 0;
                for (const double value : unit.contribution.node_values) nodes += value;
                EXPECT_NEAR(nodes, unit.contribution.log_likelihood.value(), 1e-9);
                mixture += std::exp(unit.contribution.log_weight + nodes - part->score);
                shares += unit.share;
            }
            EXPECT_NEAR(mixture, 1, 1e-8);
            EXPECT_NEAR(shares, 1, 1e-8);
        }
    });
}

TEST(LocalExplanations, ModellerNodesArePartsOfTheContributionOfTheirUnit) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        if (learner.name() != "modeller") return;
        for (const ScoredUnit& unit : all.best->units) {
            EXPECT_FALSE(unit.contribution.log_likelihood.has_value());
            EXPECT_EQ(unit.contribution.placed.size(), unit.contribution.present ? unit.unit.own_nodes : 0);
            if (!unit.contribution.node_values.empty()) {
                EXPECT_EQ(unit.contribution.node_values.size(), unit.contribution.placed.size());
            }
        }
    });
}

/// The effect of an element is how much the score falls if it is removed.
TEST(LocalExplanations, ElementEffectsAreScoreDifferences) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        const auto reader = learner.reader();
        ASSERT_EQ(all.elements.size(), all.network.node_count());
        for (std::size_t i = 0; i < all.elements.size(); ++i) {
            const Element& element = all.elements[i];
            const std::vector<double> scores =
                reader->predict(remove_node_in_json(all.network, element.node)).scores;
            EXPECT_EQ(all.best->score - scores[all.best->index], element.for_best);
            EXPECT_EQ(all.other->score - scores[all.other->index], element.for_other);
            if (i > 0) {
                EXPECT_GE(all.elements[i - 1].margin_effect(), element.margin_effect());
            }
        }
    });
}

TEST(LocalExplanations, RemovingDecisiveElementsHalvesTheLead) {
    std::map<std::string, std::size_t> halved;
    for_images([&](const Learner& learner, const LocalExplanation& all) {
        std::vector<NodeId> removed;
        EXPECT_LE(all.decisive_count, 5U);
        for (std::size_t i = 0; i < all.decisive_count; ++i) {
            removed.push_back(all.elements[i].node);
            EXPECT_GT(all.elements[i].margin_effect(), 0);
        }
        const std::vector<double> scores =
            learner.reader()->predict(remove_nodes(all.network, removed)).scores;
        EXPECT_EQ(scores[all.best->index], all.best_score_without);
        EXPECT_EQ(scores[all.other->index], all.other_score_without);
        const double lead = all.best->score - all.other->score;
        if (all.best_score_without - all.other_score_without <= lead / 2)
            ++halved[std::string(learner.name())];
    });
    EXPECT_GT(halved["constellation"], images * 3 / 4);
    EXPECT_GT(halved["modeller"], images * 3 / 4);
}

TEST(LocalExplanations, CompareWithTheSecondBestOrWithTheRival) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        EXPECT_EQ(all.best->score - all.other->score, all.prediction.margin);
        const LocalOptions same{.rival = all.best->label, .max_additions = 0};
        EXPECT_EQ(explain_local(learner, all.network, same).other->label, all.other->label)
            << "the best class cannot be compared with itself";
    });
    const Learner& learner = *both().front();
    const Network network = test::network_of(learner, 0);
    EXPECT_EQ(explain_local(learner, network, {.rival = "0", .max_additions = 0}).other->label, "0");
    try {
        (void)explain_local(learner, network, {.rival = "x"});
        FAIL() << "expected an exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("cannot compare with class 'x'"));
    }
}

TEST(LocalExplanations, OfImagesKeepTheFrontEndView) {
    for (const Learner* learner : both()) {
        const ImageView image = test::digits().image(500);
        const LocalExplanation all = explain_local(*learner, image);
        ASSERT_TRUE(all.front_end_view.has_value());
        EXPECT_EQ(all.network, test::network_of(*learner, 500));
        EXPECT_EQ(all.front_end_view->image, Image(image));
        EXPECT_EQ(all.front_end_view->front_end, learner->front_end());
        EXPECT_FALSE(all.front_end_view->contours.empty());
        EXPECT_FALSE(explain_local(*learner, all.network, {.max_additions = 0}).front_end_view.has_value());
    }
}

TEST(LocalExplanations, OfABlankImageHaveNoElements) {
    const Image blank(28, 28);
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, blank.view());
        EXPECT_TRUE(all.best.has_value());
        EXPECT_TRUE(all.elements.empty());
        EXPECT_EQ(all.decisive_count, 0U);
        EXPECT_TRUE(all.change.has_value());
    }
}

TEST(LocalExplanations, OfModelsWithFewClassesAreShorter) {
    for (const bool constellation : {true, false}) {
        std::unique_ptr<Learner> learner;
        if (constellation)
            learner = std::make_unique<Constellation>();
        else
            learner = std::make_unique<Modeller>();
        const ImageView image = test::digits().image(0);
        const LocalExplanation nothing = explain_local(*learner, image);
        EXPECT_FALSE(nothing.best || nothing.other || nothing.change);
        EXPECT_TRUE(nothing.elements.empty());
        EXPECT_THROW((void)explain_local(*learner, image, {.rival = "5"}), Error);

        learner->learn(FrontEnd(learner->front_end())(image), "5");
        const LocalExplanation one = explain_local(*learner, image);
        EXPECT_EQ(one.best->label, "5");
        EXPECT_FALSE(one.other || one.change);
        EXPECT_EQ(one.elements.size(), one.network.node_count());
        EXPECT_EQ(one.elements.front().for_other, 0);

        learner->add_class("never seen");
        const LocalExplanation two = explain_local(*learner, image);
        EXPECT_EQ(two.other->label, "never seen");
        EXPECT_TRUE(two.other->units.empty());
        EXPECT_FALSE(two.change->found()) << "it has no units to add";
    }
}

TEST(LocalExplanations, OfAnotherSchemaAreRejected) {
    const Learner& learner = *both().front();
    EXPECT_THROW((void)explain_local(learner, Network(front_end_schema({.directions = 3}))), Error);
}

} // namespace
} // namespace sprig

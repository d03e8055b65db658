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

/// The network without one node, made by another way than `without`: from its text.
Network without_by_text(const Network& network, NodeId gone) {
    nlohmann::json json = nlohmann::json::parse(to_json(network));
    const auto renamed = [&](std::size_t node) { return node > gone ? node - 1 : node; };
    nlohmann::json& nodes = json["nodes"];
    if (nodes[gone].contains("next")) {
        const std::size_t next = nodes[gone]["next"];
        const std::size_t previous = nodes[gone]["previous"];
        nodes[previous]["next"] = next;
        nodes[next]["previous"] = previous;
    }
    nodes.erase(gone);
    for (nlohmann::json& node : nodes)
        for (const char* way : {"next", "previous"})
            if (node.contains(way)) node[way] = renamed(node[way]);
    nlohmann::json edges = nlohmann::json::array();
    for (nlohmann::json edge : json["edges"]) {
        if (edge["from"] == gone || edge["to"] == gone) continue;
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
            check(*learner, explain_local(*learner, test::network_of(*learner, image), {.most_added = 0}));
}

TEST(LocalExplanations, PartsAddUpToTheScoreToTheLastBit) {
    for_images([](const Learner&, const LocalExplanation& all) {
        for (const ClassPart* part : {&*all.best, &*all.other}) {
            double sum = 0;
            for (const UnitPart& unit : part->units) {
                sum += unit.said.value;
                EXPECT_EQ(unit.unit.lineage, unit.said.unit);
                EXPECT_EQ(unit.unit.label, part->label);
            }
            EXPECT_EQ(sum, part->score);
        }
    });
}

TEST(LocalExplanations, NodesOfConstellationAddUpToTheLikelihoodAndUnitsToTheMixture) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        if (learner.name() != "constellation") return;
        for (const ClassPart* part : {&*all.best, &*all.other}) {
            double mixture = 0;
            double shares = 0;
            for (const UnitPart& unit : part->units) {
                double nodes = 0;
                for (const double value : unit.said.node_values) nodes += value;
                EXPECT_NEAR(nodes, unit.said.explained.value(), 1e-9);
                mixture += std::exp(unit.said.log_weight + nodes - part->score);
                shares += unit.share;
            }
            EXPECT_NEAR(mixture, 1, 1e-8);
            EXPECT_NEAR(shares, 1, 1e-8);
        }
    });
}

TEST(LocalExplanations, NodesOfTheModellerArePartsOfWhatTheirUnitSays) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        if (learner.name() != "modeller") return;
        for (const UnitPart& unit : all.best->units) {
            EXPECT_FALSE(unit.said.explained.has_value());
            EXPECT_EQ(unit.said.placed.size(), unit.said.present ? unit.unit.own_nodes : 0);
            if (!unit.said.node_values.empty()) {
                EXPECT_EQ(unit.said.node_values.size(), unit.said.placed.size());
            }
        }
    });
}

/// What an explanation says that an element is worth is what the score falls by without it.
TEST(LocalExplanations, ElementsAreWorthWhatTheySay) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        const auto reader = learner.reader();
        ASSERT_EQ(all.elements.size(), all.network.node_count());
        for (std::size_t i = 0; i < all.elements.size(); ++i) {
            const Element& element = all.elements[i];
            const std::vector<double> scores =
                reader->predict(without_by_text(all.network, element.node)).scores;
            EXPECT_EQ(all.best->score - scores[all.best->index], element.for_best);
            EXPECT_EQ(all.other->score - scores[all.other->index], element.for_other);
            if (i > 0) {
                EXPECT_GE(all.elements[i - 1].decides(), element.decides());
            }
        }
    });
}

TEST(LocalExplanations, DecisiveElementsTakeTheLeadWithThem) {
    std::map<std::string, std::size_t> halved;
    for_images([&](const Learner& learner, const LocalExplanation& all) {
        std::vector<NodeId> taken;
        EXPECT_LE(all.decisive, 5U);
        for (std::size_t i = 0; i < all.decisive; ++i) {
            taken.push_back(all.elements[i].node);
            EXPECT_GT(all.elements[i].decides(), 0);
        }
        const std::vector<double> scores = learner.reader()->predict(without(all.network, taken)).scores;
        EXPECT_EQ(scores[all.best->index], all.best_without);
        EXPECT_EQ(scores[all.other->index], all.other_without);
        const double lead = all.best->score - all.other->score;
        if (all.best_without - all.other_without <= lead / 2) ++halved[std::string(learner.name())];
    });
    EXPECT_GT(halved["constellation"], images * 3 / 4);
    EXPECT_GT(halved["modeller"], images * 3 / 4);
}

TEST(LocalExplanations, CompareWithTheNextBestOrWithWhomTheyAreTold) {
    for_images([](const Learner& learner, const LocalExplanation& all) {
        EXPECT_EQ(all.best->score - all.other->score, all.prediction.margin);
        const LocalOptions same{.rival = all.best->label, .most_added = 0};
        EXPECT_EQ(explain_local(learner, all.network, same).other->label, all.other->label)
            << "the best one cannot be compared with itself";
    });
    const Learner& learner = *both().front();
    const Network network = test::network_of(learner, 0);
    EXPECT_EQ(explain_local(learner, network, {.rival = "0", .most_added = 0}).other->label, "0");
    try {
        (void)explain_local(learner, network, {.rival = "x"});
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("the model knows no class 'x'"));
    }
}

TEST(LocalExplanations, OfImagesKeepWhatWasSeen) {
    for (const Learner* learner : both()) {
        const ImageView image = test::digits().image(500);
        const LocalExplanation all = explain_local(*learner, image);
        ASSERT_TRUE(all.seen.has_value());
        EXPECT_EQ(all.network, test::network_of(*learner, 500));
        EXPECT_EQ(all.seen->image, Image(image));
        EXPECT_EQ(all.seen->front_end, learner->front_end());
        EXPECT_FALSE(all.seen->contours.empty());
        EXPECT_FALSE(explain_local(*learner, all.network, {.most_added = 0}).seen.has_value());
    }
}

TEST(LocalExplanations, OfABlankImageHaveNoElements) {
    const Image blank(28, 28);
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, blank.view());
        EXPECT_TRUE(all.best.has_value());
        EXPECT_TRUE(all.elements.empty());
        EXPECT_EQ(all.decisive, 0U);
        EXPECT_TRUE(all.change.has_value());
    }
}

TEST(LocalExplanations, OfModelsWithFewClassesSayLess) {
    for (const bool ours : {true, false}) {
        std::unique_ptr<Learner> learner;
        if (ours)
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
        EXPECT_FALSE(two.change->found()) << "it asks for nothing that could be there";
    }
}

TEST(LocalExplanations, OfAnotherFamilyAreRefused) {
    const Learner& learner = *both().front();
    EXPECT_THROW((void)explain_local(learner, Network(front_end_schema({.directions = 3}))), Error);
}

} // namespace
} // namespace sprig
